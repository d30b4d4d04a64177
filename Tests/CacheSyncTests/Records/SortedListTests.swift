@testable import CacheSyncFeeds
import Testing
import TestSupport

@Suite("A sorted list")
struct SortedListTests {
  @Test("The list equals a sorted set, whatever is added and removed in whatever order")
  func againstASet() {
    var random = SeededGenerator(state: 7)
    var list = SortedList<Int>()
    var model: Set<Int> = []
    for round in 0..<20_000 {
      let value = Int.random(in: 0..<3_000, using: &random)
      // There is more than one chunk before anything is removed, and many elements are added or removed twice.
      if Bool.random(using: &random) || round < 3_000 {
        list.insert(value)
        model.insert(value)
      } else {
        list.remove(value)
        model.remove(value)
      }
      guard round % 500 == 0 || round < 20 else { continue }
      let sorted = model.sorted()
      #expect(Array(list.all) == sorted && list.count == sorted.count && list.isEmpty == sorted.isEmpty)
      #expect(list.greatest == sorted.last)
      let mark = Int.random(in: -1..<3_001, using: &random)
      #expect(Array(list.elements(from: list.position { $0 < mark })) == sorted.filter { $0 >= mark })
    }
    #expect(model.count > 4 * SortedList<Int>.maximumChunk)
    for value in model { list.remove(value) }
    #expect(list.isEmpty && list.greatest == nil && Array(list.all).isEmpty)
  }

  @Test("The elements between two places are counted and listed")
  func ranges() {
    var list = SortedList<Int>()
    let array = Array(stride(from: 0, to: 4_000, by: 2))
    for value in array.reversed() { list.insert(value) }
    for bound in stride(from: -10, through: 4_010, by: 333) {
      let from = list.position { $0 < bound }
      let to = list.position { $0 < bound + 700 }
      let expected = array.filter { $0 >= bound && $0 < bound + 700 }
      #expect(Array(list.elements(from: from, to: to)) == expected)
      #expect(list.distance(from: from, to: to) == expected.count)
      #expect(Array(list.elements(from: to, to: from)).isEmpty || expected.isEmpty)
      #expect(list.distance(from: to, to: from) == 0)
    }
  }

  /// Equal in order to every other value with its number, whatever its name.
  private struct Named: Comparable {
    var number: Int
    var name: String

    static func < (a: Named, b: Named) -> Bool { a.number < b.number }
  }

  @Test("Of elements that are equal in order, the first is kept")
  func equalOnes() {
    var list = SortedList<Named>()
    for (number, name) in [(1, "a"), (2, "b"), (1, "c"), (3, "d"), (3, "e")] {
      list.insert(Named(number: number, name: name))
    }
    #expect(list.all.map(\.name) == ["a", "b", "d"] && list.count == 3)
    list.remove(Named(number: 3, name: "anything"))
    #expect(list.all.map(\.name) == ["a", "b"])
  }
}

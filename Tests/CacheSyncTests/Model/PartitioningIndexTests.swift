import CacheSync
import Testing

@Suite("Binary search")
struct PartitioningIndexTests {
  @Test("Binary search finds where the second part begins", arguments: 0..<40)
  func agreesWithLooking(count: Int) {
    let numbers = (0..<count).map { $0 / 3 }
    for bound in -1...14 {
      let expected = numbers.firstIndex { $0 >= bound } ?? numbers.endIndex
      #expect(numbers.partitioningIndex { $0 >= bound } == expected)
      let slice = numbers.dropFirst(5)
      #expect(slice.partitioningIndex { $0 >= bound } == slice.firstIndex { $0 >= bound } ?? slice.endIndex)
    }
  }

  @Test("Binary search tests few of many elements")
  func asksFew() {
    var questions = 0
    let index = (0..<1_000_000).partitioningIndex { number in
      questions += 1
      return number >= 765_432
    }
    #expect(index == 765_432)
    #expect(questions <= 20)
  }
}

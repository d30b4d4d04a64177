import Testing

import CacheSync
import TestSupport

@Suite struct KeyedHeapTests {
  @Test("After any operations, the greatest is that of a sorted list", arguments: 1...20)
  func randomOperations(_ seed: UInt64) {
    var random = SeededGenerator(state: seed)
    var heap = KeyedHeap<Int, Int>()
    var values: [Int: Int] = [:]
    func sorted() -> [Int] { values.keys.sorted { (values[$0] ?? 0, $0) > (values[$1] ?? 0, $1) } }
    for _ in 0..<500 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        // Few values for many keys, so that some are equal.
        values[key] = Int.random(in: 0..<20, using: &random)
        heap.put(values[key] ?? 0, for: key)
      case 6..<9:
        values[key] = nil
        heap.remove(key)
      default:
        let expected = Array(sorted().prefix { (values[$0] ?? 0) >= 15 }.prefix(3))
        #expect(heap.dequeue(atMost: 3) { $0 >= 15 } == expected)
        for key in expected { values[key] = nil }
      }
      #expect(heap.count == values.count && heap.isEmpty == values.isEmpty)
      #expect(heap.greatest?.key == sorted().first)
      #expect(heap.greatest?.value == heap.greatest.flatMap { values[$0.key] })
    }
  }

  @Test("For times, the earliest is the greatest")
  func earliest() {
    var heap = KeyedHeap<Earliest<Int>, String>()
    for (key, time) in [("noon", 12), ("night", 0), ("evening", 18)] { heap.put(Earliest(time), for: key) }
    #expect(heap.dequeue(atMost: 9) { $0.time <= 12 } == ["night", "noon"])
    #expect(heap.greatest?.key == "evening")
  }
}

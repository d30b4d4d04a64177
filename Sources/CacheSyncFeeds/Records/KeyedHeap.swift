package import CacheSyncSystem
import HeapModule

/// The greatest of many values, one for each key.
///
/// Inserting and removing take logarithmic time. A replaced value stays in the heap until it comes to the top, or until
/// such values outnumber the others.
package struct KeyedHeap<Value: Comparable, Key: Hashable & Comparable> {
  private struct Item: Comparable {
    var value: Value
    var key: Key
    var version: UInt64

    static func < (a: Item, b: Item) -> Bool { a.value == b.value ? a.key < b.key : a.value < b.value }

    static func == (a: Item, b: Item) -> Bool { a.value == b.value && a.key == b.key }
  }

  private var heap = Heap<Item>()
  private var live: [Key: UInt64] = [:]
  private var clock: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { live.isEmpty }
  package var count: Int { live.count }

  /// The greatest value and its key; of equal values the one with the greatest key.
  package var greatest: Greatest? { heap.max.map { Greatest(value: $0.value, key: $0.key) } }

  package struct Greatest {
    package var value: Value
    package var key: Key
  }

  package mutating func put(_ value: Value, for key: Key) {
    clock += 1
    live[key] = clock
    heap.insert(Item(value: value, key: key, version: clock))
    tidy()
  }

  package mutating func remove(_ key: Key) {
    guard live.removeValue(forKey: key) != nil else { return }
    tidy()
  }

  /// Removes the greatest values while `isWanted` is true, at most `maximum`, and returns their keys, the greatest
  /// value's first.
  package mutating func dequeue(atMost maximum: Int, while isWanted: (Value) -> Bool) -> [Key] {
    var keys: [Key] = []
    while keys.count < maximum, let next = greatest, isWanted(next.value) {
      remove(next.key)
      keys.append(next.key)
    }
    return keys
  }

  private func isLive(_ item: Item) -> Bool { live[item.key] == item.version }

  private mutating func tidy() {
    if heap.count > 2 * live.count + 16 { heap = Heap(heap.unordered.filter(isLive)) }
    while let top = heap.max, !isLive(top) { heap.removeMax() }
  }
}

/// A value in the opposite order, so that the greatest is the earliest.
package struct Earliest<Time: Comparable>: Comparable {
  package var time: Time

  package init(_ time: Time) { self.time = time }

  package static func < (a: Earliest, b: Earliest) -> Bool { a.time > b.time }
}

/// Keeps the greatest of many values, one for each session file; of equal values the one of the greatest path.
package typealias Ranking<Value: Comparable> = KeyedHeap<Value, CachePath>

extension KeyedHeap.Greatest where Key == CachePath {
  package var path: CachePath { key }
}

package import CacheSyncSystem

/// Keeps the greatest of many values, one for each session file; of equal values the one of the greatest path.
package typealias Ranking<Value: Comparable> = KeyedHeap<Value, CachePath>

extension KeyedHeap.Greatest where Key == CachePath {
  package var path: CachePath { key }
}

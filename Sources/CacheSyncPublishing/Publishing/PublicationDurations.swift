package import CacheSyncSystem

/// The durations of a cache's publications, counted in buckets like a histogram of Prometheus.
package struct PublicationDurations: Sendable, Equatable {
  /// The upper bounds of the buckets, in nanoseconds: 0.5 ms to 10 s in steps of 1, 2.5 and 5. A duration equal to a
  /// bound is within it.
  private static let bounds: [Int64] = [
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// How many durations are within each bound and above the previous one.
  private var counts = [Int](repeating: 0, count: bounds.count)
  private var nanoseconds: Int64 = 0
  /// How many durations were counted, including those above the greatest bound.
  package private(set) var count = 0

  package init() {}

  /// Adds a publication that took from `start` to `end`.
  package mutating func add(from start: Uptime, to end: Uptime) {
    let length = max(0, end.nanoseconds - start.nanoseconds)
    count += 1
    nanoseconds &+= length
    if let index = Self.bounds.firstIndex(where: { length <= $0 }) { counts[index] += 1 }
  }

  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Each bound in seconds, with the number of durations up to it.
  package var cumulative: [(bound: Double, count: Int)] {
    var sum = 0
    return zip(Self.bounds, counts).map { bound, count in
      sum += count
      return (Double(bound) / 1e9, sum)
    }
  }
}

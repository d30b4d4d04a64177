/// The pauses between attempts that fail: the first pause, then twice as long each time, up to the longest.
public struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private let isSpread: Bool
  private var failures = 0

  /// - Parameter isSpread: whether to subtract a random part of each pause, up to half of it, so that many clients do
  ///   not all come back at once.
  public init(from first: Duration, to longest: Duration, isSpread: Bool = false) {
    self.first = first
    self.longest = longest
    self.isSpread = isSpread
  }

  /// How long to wait before the next attempt, after one more failure.
  public mutating func next() -> Duration {
    failures = min(failures + 1, Self.mostFailures)
    return pause(after: failures)
  }

  /// Begins again with the first pause, after an attempt that succeeded.
  public mutating func reset() { failures = 0 }

  /// How long to wait after this number of failures in a row.
  public func pause(after failures: Int) -> Duration {
    let doublings = min(max(failures, 1), Self.mostFailures) - 1
    let pause = min(first * (1 << doublings), longest)
    return isSpread ? pause * Double.random(in: 0.5...1) : pause
  }

  /// After so many, no pause between a nanosecond and an hour doubles again.
  private static let mostFailures = 43
}

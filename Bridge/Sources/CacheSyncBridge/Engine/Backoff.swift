/// How long to wait before the next attempt: 0.1 s at first, then twice as long each time, at most 10 s. A random part,
/// up to half, is subtracted, so that the clients of a lost engine do not all come back at once.
package struct Backoff: Sendable {
  private var attempts = 0

  package init() {}

  package mutating func reset() { attempts = 0 }

  package mutating func next() -> Duration {
    attempts += 1
    return .milliseconds(Self.milliseconds(attempt: attempts, random: .random(in: 0...1)))
  }

  /// - Parameters:
  ///   - attempt: from 1.
  ///   - random: between 0 and 1.
  package static func milliseconds(attempt: Int, random: Double) -> Int64 {
    let longest = min(10_000, 100 * (Int64(1) << Int64(min(max(attempt, 1) - 1, 10))))
    return longest / 2 + Int64(Double(longest / 2) * random)
  }
}

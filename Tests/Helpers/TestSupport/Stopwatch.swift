import Foundation
package import Glibc

/// Measures how long a program takes, without the time for which it was ready to run and the machine had no processor for it.
///
/// A limit of time is a promise of the program. On a busy machine the program may wait for a processor for seconds. The kernel
/// counts these waits: the second number of `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats in the
/// kernel). On an idle machine they are next to nothing, so that nothing of the promise is lost there. The test itself may
/// come late too, so the time ends at the last look at which the program was not done.
package final class Stopwatch {
  private let program: pid_t
  private let start = ContinuousClock.now
  /// By thread: the wait until the start, and until the last look. Threads may have ended since.
  private var waits: [String: (before: Duration, now: Duration)]
  private var lastLook = Duration.zero

  /// How long it took: until the look before the last one.
  package private(set) var elapsed = Duration.zero

  /// Starts at once.
  package init(of program: pid_t) {
    self.program = program
    waits = Self.waits(of: program).mapValues { ($0, $0) }
  }

  /// Call this before each look at whether the program is done.
  package func look() {
    let time = ContinuousClock.now - start
    (elapsed, lastLook) = (lastLook, time - wait)
  }

  /// For how long the program's threads have waited for a processor since the start, all together.
  package var wait: Duration {
    // The kernel forgets the wait of a thread that ends.
    for (thread, wait) in Self.waits(of: program) { waits[thread] = (waits[thread]?.before ?? .zero, wait) }
    return waits.values.reduce(.zero) { $0 + $1.now - $1.before }
  }

  private static func waits(of program: pid_t) -> [String: Duration] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program)/task")) ?? []
    return Dictionary(
      uniqueKeysWithValues: threads.map { thread in
        let file = "/proc/\(program)/task/\(thread)/schedstat"
        let numbers = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: " ")
        return (thread, .nanoseconds(numbers.count > 1 ? Int64(numbers[1]) ?? 0 : 0))
      })
  }
}

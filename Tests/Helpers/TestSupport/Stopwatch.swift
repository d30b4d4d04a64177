import Foundation
package import Glibc

/// Measures how long a program takes, without the time in which it was ready to run but had no processor.
///
/// A time limit is a promise of the program, but on a busy machine the program may wait for a processor for seconds.
/// The kernel counts these waits: the second number of `/proc/PID/task/TID/schedstat`
/// (Documentation/scheduler/sched-stats in the kernel). On an idle machine they are close to zero, so the promise is
/// tested in full there. The test itself may run late too, so the time ends at the last look at which the program was
/// not done.
package final class Stopwatch {
  private let program: pid_t
  private let start = ContinuousClock.now
  /// By thread: the wait before the start, and up to the last look. Some threads may have ended since.
  private var waits: [String: (before: Duration, now: Duration)]
  private var lastLook = Duration.zero

  /// How long the program took, up to the look before the last one.
  package private(set) var elapsed = Duration.zero

  /// Starts immediately.
  package init(of program: pid_t) {
    self.program = program
    waits = Self.waits(of: program).mapValues { ($0, $0) }
  }

  /// Call this each time before you check whether the program is done.
  package func look() {
    let time = ContinuousClock.now - start
    (elapsed, lastLook) = (lastLook, time - wait)
  }

  /// How long the program's threads have waited for a processor since the start, in total.
  package var wait: Duration {
    // The kernel discards the count of a thread that ends, so the last one is kept here.
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

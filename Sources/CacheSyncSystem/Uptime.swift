import Glibc

/// A moment on the clock that never goes back and includes suspended time (CLOCK_BOOTTIME). It is for waiting, never
/// for days.
public struct Uptime: Comparable, Hashable, Sendable {
  /// Since the machine started.
  public var nanoseconds: Int64

  /// Creates the moment that many nanoseconds after the machine's start.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns the current moment.
  public static func now() -> Uptime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Uptime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Returns the moment after a duration.
  public func advanced(by duration: Duration) -> Uptime {
    let (seconds, attoseconds) = duration.components
    return Uptime(nanoseconds: nanoseconds &+ seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
  }

  /// Returns the whole milliseconds until another moment, rounded up; 0 when it has passed.
  public func milliseconds(until later: Uptime) -> Int {
    max(0, Int((later.nanoseconds &- nanoseconds &+ 999_999) / 1_000_000))
  }

  /// Whether a moment is earlier.
  public static func < (a: Uptime, b: Uptime) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// The clock for waiting. A protocol, so that tests can control the time.
package protocol UptimeClock: Sendable {
  func now() -> Uptime
}

/// The machine's clock.
package struct SystemUptimeClock: UptimeClock {
  package init() {}

  package func now() -> Uptime { .now() }
}

package enum SystemSleep {
  /// Suspends the thread until a moment on the clock of ``Uptime``.
  package static func sleep(until uptime: Uptime) {
    // A relative time: libfaketime shifts every absolute time, including those of this clock.
    while true {
      let rest = uptime.nanoseconds &- Uptime.now().nanoseconds
      if rest <= 0 { return }
      var length = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      clock_nanosleep(CLOCK_BOOTTIME, 0, &length, nil)
    }
  }
}

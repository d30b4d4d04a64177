import Glibc

/// A moment on the clock that only goes forward and counts suspended time too (CLOCK_BOOTTIME): for waiting, never for days.
public struct Uptime: Comparable, Hashable, Sendable {
  /// Since the machine started.
  public var nanoseconds: Int64

  /// A moment that many nanoseconds after the start of the machine.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment that it is.
  public static func now() -> Uptime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Uptime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// The moment so much later.
  public func advanced(by duration: Duration) -> Uptime {
    let (seconds, attoseconds) = duration.components
    return Uptime(nanoseconds: nanoseconds &+ seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
  }

  /// The whole milliseconds that a wait until another moment takes, rounded up; 0 when it is past.
  public func milliseconds(until later: Uptime) -> Int {
    max(0, Int((later.nanoseconds &- nanoseconds &+ 999_999) / 1_000_000))
  }

  /// Whether a moment is earlier.
  public static func < (a: Uptime, b: Uptime) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// The clock for waiting. A protocol, because tests give the time themselves.
package protocol UptimeClock: Sendable {
  func now() -> Uptime
}

/// The machine's.
package struct SystemUptimeClock: UptimeClock {
  package init() {}

  package func now() -> Uptime { .now() }
}

package enum SystemSleep {
  /// Suspends the thread until a moment on the clock of ``Uptime``.
  package static func sleep(until uptime: Uptime) {
    // A relative time: libfaketime shifts every absolute one, also of this clock.
    while true {
      let rest = uptime.nanoseconds &- Uptime.now().nanoseconds
      if rest <= 0 { return }
      var length = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      clock_nanosleep(CLOCK_BOOTTIME, 0, &length, nil)
    }
  }
}

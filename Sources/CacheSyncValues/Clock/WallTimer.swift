import CLinux
import CacheSyncSystem
import Glibc

/// A timer on the wall clock, a descriptor to wait for. It also runs while the machine is suspended, and ends the wait
/// when the clock is set.
package struct WallTimer: ~Copyable {
  private let timer: Descriptor

  /// Creates the timer; nil if the process has no descriptor left, with the reason in `errno`.
  package init?() {
    guard let timer = Descriptor(clinux_timerfd(CLOCK_REALTIME)) else { return nil }
    self.timer = timer
  }

  /// Readable after the set moment, and after the clock is set.
  package var descriptor: Int32 { timer.raw }

  /// Sets the timer. It will not report a clock that was set before this call, so look at the clock after it.
  ///
  /// - Parameter instant: nil: only report when the clock is set.
  /// - Returns: whether the clock was set since the timer was last armed, without a report.
  @discardableResult
  package func arm(at instant: Instant?) -> Bool {
    // For the kernel a zero time means never, even for a clock that is set. So "never" is far in the future, and a past
    // moment is the epoch's first nanosecond.
    let instant = instant ?? Instant.validRange.upperBound
    let isPast = instant.seconds < 0
    let nanoseconds = (instant.microseconds - instant.seconds * 1_000_000) * 1000
    // ECANCELED means that the clock was set before; the timer is armed anyway (timerfd_setup in the kernel's source).
    return clinux_timerfd_arm(timer.raw, isPast ? 0 : instant.seconds, isPast ? 1 : max(nanoseconds, 1), true) != 0
      && errno == ECANCELED
  }
}

import CLinux
import CacheSyncSystem
import Glibc

/// A moment on the wall clock that poll(2) waits for. It sleeps in the kernel, also while the machine is suspended, and ends
/// the wait when the clock is set.
package struct WallTimer: ~Copyable {
  private let timer: Descriptor

  /// Nil when the process has no descriptor left, with the reason in `errno`.
  package init?() {
    guard let timer = Descriptor(clinux_timerfd(CLOCK_REALTIME)) else { return nil }
    self.timer = timer
  }

  /// Readable from the moment on, and after a step of the clock.
  package var descriptor: Int32 { timer.raw }

  /// Begins anew. A step of the clock before this call is not reported: look at the clock after it.
  ///
  /// - Parameter instant: nil: only report steps of the clock.
  package func arm(at instant: Instant?) {
    // To the kernel a zero time means never, also for steps. So what never comes is far in the future, and what is past is
    // the epoch's first nanosecond.
    let instant = instant ?? Instant.validRange.upperBound
    let isPast = instant.seconds < 0
    let nanoseconds = (instant.microseconds - instant.seconds * 1_000_000) * 1000
    // ECANCELED says that the clock was set before; the timer is armed all the same (timerfd_setup in the kernel's source).
    _ = clinux_timerfd_arm(timer.raw, isPast ? 0 : instant.seconds, isPast ? 1 : max(nanoseconds, 1), true)
  }
}

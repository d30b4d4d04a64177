package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc

/// A timer of the event loop on the wall clock (CLOCK_REALTIME), for days. It sleeps in the kernel, and is also due at
/// once when the clock is set.
@LoopActor
package final class WallAlarm {
  private let descriptor: Descriptor
  private var token: UInt64?
  /// The deadline in microseconds since 1970.
  private var armed: Int64?
  /// Whether arming revealed a step of the clock that the handler has not received yet.
  private var hasUnreportedStep = false

  /// Nil when the process has no descriptor left.
  ///
  /// - Parameter handler: called when the timer is due or the clock was set. Its argument is true when the clock was
  ///   set; then every deadline must be computed again.
  package init?(_ handler: @escaping @LoopActor (_ clockWasSet: Bool) -> Void) {
    guard let descriptor = Descriptor(clinux_timerfd(CLOCK_REALTIME)) else { return nil }
    let raw = descriptor.raw
    self.descriptor = descriptor
    token = LoopActor.shared.loop.add(raw) { [weak self] in
      var expirations: UInt64 = 0
      // timerfd_create(2): ECANCELED reports a step of the clock.
      var wasSet = read(raw, &expirations, 8) < 0 && errno == ECANCELED
      if let self {
        wasSet = wasSet || hasUnreportedStep
        hasUnreportedStep = false
        armed = nil
      }
      handler(wasSet)
    }
    // The kernel reports steps only after the first arming, so the timer is armed before the first deadline is known.
    disarm()
  }

  isolated deinit {
    if let token { LoopActor.shared.loop.remove(descriptor.raw, token: token) }
  }

  package func arm(at instant: Instant) {
    // For the kernel, a zero time means never. The epoch's first nanosecond is as far past as the epoch.
    let isPast = instant.seconds <= 0
    let micros = instant.microseconds - instant.seconds * 1_000_000
    arm(for: instant.microseconds, seconds: isPast ? 0 : instant.seconds, nanoseconds: isPast ? 1 : micros * 1000)
  }

  /// Removes the deadline. Steps of the clock are still reported.
  package func disarm() {
    // Zero would also stop the reports of steps, so the deadline is set to the far future.
    arm(for: .max, seconds: 253_402_300_799, nanoseconds: 0)
  }

  private func arm(for deadline: Int64, seconds: Int64, nanoseconds: Int64) {
    // A step that is not reported yet keeps the timer due; its handler arms it again.
    if hasUnreportedStep || armed == deadline { return }
    armed = deadline
    if clinux_timerfd_arm(descriptor.raw, seconds, nanoseconds, true) == 0 { return }
    // The clock was set since the timer was last armed, and arming has consumed the kernel's report of it
    // (timerfd_setup). So the timer is made due at once, and its handler receives the step.
    guard errno == ECANCELED else { return }
    hasUnreportedStep = true
    _ = clinux_timerfd_arm(descriptor.raw, 0, 1, true)
  }
}

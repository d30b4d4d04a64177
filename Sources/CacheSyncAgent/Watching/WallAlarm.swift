package import CacheSync
package import CacheSyncSystem
import Glibc

/// A timer of the event loop on the wall clock (CLOCK_REALTIME), for days. It sleeps in the kernel, and is also due at
/// once when the clock is set.
@LoopActor
package final class WallAlarm {
  private let timer: WallTimer
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
    guard let timer = WallTimer() else { return nil }
    let raw = timer.descriptor
    self.timer = timer
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
    if let token { LoopActor.shared.loop.remove(timer.descriptor, token: token) }
  }

  package func arm(at instant: Instant) { arm(for: instant.microseconds, at: instant) }

  /// Removes the deadline. Steps of the clock are still reported.
  package func disarm() { arm(for: .max, at: nil) }

  private func arm(for deadline: Int64, at instant: Instant?) {
    // A step that is not reported yet keeps the timer due; its handler arms it again.
    if hasUnreportedStep || armed == deadline { return }
    armed = deadline
    // If the clock was set since the timer was last armed, arming has consumed the kernel's report of it. So the timer
    // is made due at once, and its handler receives the step.
    guard timer.arm(at: instant) else { return }
    hasUnreportedStep = true
    timer.arm(at: Instant.validRange.lowerBound)
  }
}

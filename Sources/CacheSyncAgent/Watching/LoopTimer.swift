package import CacheSync
import CLinux
import Glibc

/// A timer of the event loop that sleeps in the kernel: nothing runs until it is due.
@AgentActor
package final class LoopTimer {
  package enum Clock: Sendable {
    /// CLOCK_REALTIME, for days. Also fires at once when somebody sets the clock.
    case wall
    /// CLOCK_BOOTTIME, for waiting.
    case uptime
  }

  private let clock: Clock
  private let descriptor: Descriptor
  private var token: UInt64?
  /// The deadline in the units of the clock.
  private var armed: Int64?
  /// Whether arming told of a step of the clock that the handler has not heard of yet.
  private var hasUnreportedStep = false

  /// `handler` is told whether the clock was set; then every deadline must be thought over.
  ///
  /// Nil when the process has no descriptor left.
  package init?(_ clock: Clock, _ handler: @escaping @AgentActor (_ clockWasSet: Bool) -> Void) {
    self.clock = clock
    guard let descriptor = Descriptor(clinux_timerfd(clock == .wall ? CLOCK_REALTIME : CLOCK_BOOTTIME)) else {
      return nil
    }
    let raw = descriptor.raw
    self.descriptor = descriptor
    token = AgentActor.shared.loop.add(raw) { [weak self] in
      var expirations: UInt64 = 0
      // timerfd_create(2): ECANCELED tells of a step of the clock.
      var wasSet = read(raw, &expirations, 8) < 0 && errno == ECANCELED
      if let self {
        wasSet = wasSet || hasUnreportedStep
        hasUnreportedStep = false
        armed = nil
      }
      handler(wasSet)
    }
    // Steps are reported from the first arming on, so there is one before the first deadline is known.
    disarm()
  }

  isolated deinit {
    if let token { AgentActor.shared.loop.remove(descriptor.raw, token: token) }
  }

  package func arm(at instant: Instant) {
    // A zero time means never to the kernel; the epoch's first nanosecond is as due as the epoch.
    let isPast = instant.seconds <= 0
    let micros = instant.microseconds - instant.seconds * 1_000_000
    arm(for: instant.microseconds, seconds: isPast ? 0 : instant.seconds, nanoseconds: isPast ? 1 : micros * 1000)
  }

  package func arm(at uptime: Uptime) {
    // A length of time, not a moment: libfaketime takes every moment for one of the calendar.
    let rest = max(uptime.nanoseconds - Uptime.now().nanoseconds, 1)
    arm(for: uptime.nanoseconds, seconds: rest / 1_000_000_000, nanoseconds: rest % 1_000_000_000)
  }

  /// Waits for nothing, but a wall timer goes on telling of steps of the clock.
  package func disarm() {
    // Zero would stop the reports of steps too, so the far future stands for never.
    arm(for: .max, seconds: clock == .wall ? 253_402_300_799 : 0, nanoseconds: 0)
  }

  private func arm(for deadline: Int64, seconds: Int64, nanoseconds: Int64) {
    // A step that is owed keeps the timer due; the handler arms it anew.
    if hasUnreportedStep || armed == deadline { return }
    armed = deadline
    if clinux_timerfd_arm(descriptor.raw, seconds, nanoseconds, clock == .wall) == 0 { return }
    // A step since the timer was last armed that nobody has read yet: arming takes the report away (timerfd_setup in the
    // kernel), so the timer is made due at once and its handler told.
    guard clock == .wall, errno == ECANCELED else { return }
    hasUnreportedStep = true
    _ = clinux_timerfd_arm(descriptor.raw, 0, 1, true)
  }
}

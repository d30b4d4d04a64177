import Glibc

/// The source of the time of day. A protocol, because tests run at other moments than the machine's.
package protocol WallClock: Sendable {
  func now() -> Instant
  /// The moment that was given instead of the machine's; nil: it is the machine's clock.
  var givenMoment: Instant? { get }
}

extension WallClock {
  package var givenMoment: Instant? { now() }
}

/// The machine's wall clock, which people and NTP set. Never measure durations with it.
package struct SystemWallClock: WallClock {
  package init() {}

  package var givenMoment: Instant? { nil }

  package func now() -> Instant {
    var time = timespec()
    // clock_gettime(2) fails only for an unknown clock or a bad pointer; neither is possible here.
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000).clamped
  }
}

extension Instant {
  /// The current time of the system's clock.
  public static var now: Instant { SystemWallClock().now() }
}

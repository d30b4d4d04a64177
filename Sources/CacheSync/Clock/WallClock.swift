import Glibc

/// Where the time of day comes from. A protocol, because tests live at other moments than the machine they run on.
package protocol WallClock: Sendable {
  func now() -> Instant
}

/// The machine's wall clock, which people and NTP step and set; never for measuring how long something takes.
package struct SystemWallClock: WallClock {
  package init() {}

  package func now() -> Instant {
    var time = timespec()
    // clock_gettime(2) fails only for an unknown clock or a bad pointer; neither can be.
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000).clamped
  }
}

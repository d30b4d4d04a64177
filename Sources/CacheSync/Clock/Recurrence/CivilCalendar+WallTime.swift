extension CivilCalendar {
  /// The first moment at which the wall shows that time. A skipped local time counts as the first moment after it, a
  /// repeated one as its first time (kinds.md: skipped and repeated local times).
  package func firstInstant(at wall: WallTime) -> Instant {
    let second = Int64(wall.day.ordinal) * Gregorian.secondsPerDay + Int64(min(max(wall.secondOfDay, 0), 86_399))
    return Instant(seconds: rules.table.firstSecond(wall: second)).clamped
  }

  /// The wall time at a moment, to the second.
  package func wall(at moment: Instant) -> WallTime {
    let (day, secondOfDay) = wallTime(of: moment)
    return WallTime(day, secondOfDay: secondOfDay)
  }
}

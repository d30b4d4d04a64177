extension CivilCalendar {
  /// The first moment at which the wall shows that time: a skipped local time counts at the first moment after it, one that
  /// comes twice the first time (FEEDS, after the first table).
  package func firstInstant(at wall: WallTime) -> Instant {
    let second = Int64(wall.day.ordinal) * Gregorian.secondsPerDay + Int64(min(max(wall.secondOfDay, 0), 86_399))
    return Instant(seconds: rules.table.firstSecond(wall: second)).clamped
  }

  /// What the wall shows at a moment, to the second.
  package func wall(at moment: Instant) -> WallTime {
    let (day, secondOfDay) = wallTime(of: moment)
    return WallTime(day, secondOfDay: secondOfDay)
  }
}

extension WallTime {
  /// The wall time so many seconds later, as if no clock were ever set. At the ends of the years 1...9999 it stays inside.
  package func advanced(bySeconds seconds: Int) -> WallTime {
    let (sum, overflow) = secondOfDay.addingReportingOverflow(seconds)
    guard !overflow else { return WallTime(seconds < 0 ? .first : .last) }
    return WallTime(
      day.advanced(by: Gregorian.floorDivide(sum, Int(Gregorian.secondsPerDay))),
      secondOfDay: Gregorian.floorRemainder(sum, Int(Gregorian.secondsPerDay)))
  }

  /// The same time so many dates later.
  package func advanced(byDays days: Int) -> WallTime { WallTime(day.advanced(by: days), secondOfDay: secondOfDay) }

  /// From another wall time to this one, as if no clock were ever set.
  package func seconds(since other: WallTime) -> Int {
    other.day.distance(to: day) * Int(Gregorian.secondsPerDay) + secondOfDay - other.secondOfDay
  }
}

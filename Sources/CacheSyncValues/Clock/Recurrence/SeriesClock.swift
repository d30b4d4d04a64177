/// The clocks of a series: they decide which moments its wall times are.
///
/// A repeated wall time counts as its first time.
package struct SeriesClock {
  /// How a wall time counts that the zone skips.
  package enum Skipped {
    /// As the first moment after it (kinds.md: skipped and repeated local times).
    case firstMomentAfter
    /// With the offset before the gap (RFC 5545, section 3.3.5).
    case offsetBefore
    /// There are no times: each day begins with its first moment. Two days are two, even if the zone skips one.
    case days
  }

  let rules: TimeZoneRules
  let skipped: Skipped

  package init(_ rules: TimeZoneRules, _ skipped: Skipped) {
    self.rules = rules
    self.skipped = skipped
  }

  /// Whether the wall times are days.
  var isOfDays: Bool { skipped == .days }

  /// Seconds since 1970 at a wall time.
  package func second(atWall wall: WallTime) -> Int64 {
    switch skipped {
    case .firstMomentAfter: rules.table.firstSecond(wall: wall.seconds)
    case .offsetBefore: rules.second(atWall: wall)
    case .days: firstSecond(of: wall.day)
    }
  }

  /// The wall time; for days the midnight of the local day.
  package func wall(atSecond second: Int64) -> WallTime {
    isOfDays ? WallTime(CivilCalendar(rules).day(of: Instant(seconds: second))) : rules.wall(atSecond: second)
  }

  /// The first second of the day that is that many days after another.
  func firstSecond(of day: LocalDay, advancedBy count: Int = 0) -> Int64 {
    rules.table.firstSecond(wall: Int64(day.ordinal + count) * Gregorian.secondsPerDay)
  }
}

extension TimeZoneRules {
  /// Seconds since 1970 at a wall time. A skipped one counts with the offset before the gap, a repeated one as its
  /// first time (RFC 5545, section 3.3.5).
  package func second(atWall wall: WallTime) -> Int64 {
    let wall = wall.seconds
    let second = table.firstSecond(wall: wall)
    if second &+ Int64(table.offset(at: second)) == wall { return second }
    return wall &- Int64(table.offset(at: second &- 1))
  }

  package func wall(atSecond second: Int64) -> WallTime {
    let second = Instant(seconds: second).clamped.seconds
    return WallTime(seconds: second &+ Int64(table.offset(at: second)))
  }
}

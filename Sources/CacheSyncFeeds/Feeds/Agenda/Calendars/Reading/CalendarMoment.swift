/// A date of a calendar as written: a day, a wall time without a zone, or a wall time in a zone.
package struct CalendarMoment: Sendable, Hashable {
  package enum Zone: Sendable {
    /// A day without a time: days are always those of the cache's zone.
    case day
    /// A wall time without a zone, which counts in the cache's zone.
    case floating
    case known(TimeZoneRules)
  }

  /// The wall time; for a day its midnight.
  package let wall: WallTime
  package let zone: Zone
  /// Seconds since 1970 if the zone is known, otherwise 0.
  private let known: Int64

  package init(_ day: LocalDay) { self.init(wall: WallTime(day), zone: .day, known: 0) }

  /// Makes a wall time without a zone.
  package init(floating wall: WallTime) { self.init(wall: wall, zone: .floating, known: 0) }

  package init(_ wall: WallTime, in rules: TimeZoneRules) {
    self.init(wall: wall, zone: .known(rules), known: rules.second(atWall: wall))
  }

  /// Makes the wall time of a zone at a second since 1970.
  package init(second: Int64, in rules: TimeZoneRules) {
    self.init(wall: rules.wall(atSecond: second), zone: .known(rules), known: second)
  }

  private init(wall: WallTime, zone: Zone, known: Int64) {
    self.wall = wall
    self.zone = zone
    self.known = known
  }

  package var isDay: Bool { zone.isDay }

  /// Whether programs write it where they have no date, in whatever zone.
  var meansNoDate: Bool { Instant(seconds: wall.seconds).clamped.meansNoDate }

  /// Whether it is 1970-01-01T00:00:00Z, or that day.
  var isUnixEpoch: Bool { (knownSecond ?? wall.seconds) == 0 }

  /// Seconds since 1970, if they do not depend on the cache's zone.
  package var knownSecond: Int64? { if case .known = zone { known } else { nil } }

  /// Seconds since 1970; for a day its first instant.
  package func second(in calendar: CivilCalendar) -> Int64 {
    zone.isKnown ? known : zone.clock(calendar).second(atWall: wall)
  }

  /// The wall time of another date's zone at this moment.
  package func wall(in zone: Zone, _ calendar: CivilCalendar) -> WallTime {
    self.zone.isSame(as: zone) ? wall : zone.clock(calendar).wall(atSecond: second(in: calendar))
  }

  /// Places a time without a zone in a zone; any other date does not change.
  func placed(in zone: Zone) -> CalendarMoment {
    if case .floating = self.zone, case .known(let rules) = zone { CalendarMoment(wall, in: rules) } else { self }
  }

  /// What it excludes from a series with starts in a zone. Of a series of days, a time without a zone and a midnight are
  /// the day as written.
  func excluded(from zone: Zone) -> CalendarMoment {
    if zone.isDay, wall.secondOfDay == 0 || !self.zone.isKnown { return CalendarMoment(wall.day) }
    return placed(in: zone)
  }

  /// Takes the wall time as written, in a series without a zone; a time in UTC does not change.
  func floating(in zone: CalendarMoment.Zone) -> CalendarMoment {
    guard case .floating = zone, case .known(let rules) = self.zone, rules !== TimeZoneRules.utc else { return self }
    return CalendarMoment(floating: wall)
  }

  /// Whether the date is before another in every zone that the cache may have.
  func isCertainlyBefore(_ other: CalendarMoment) -> Bool {
    if zone.isSame(as: other.zone) { return wall < other.wall }
    // No place's clock is more than 12 hours behind UTC, or 14 ahead.
    let latest = knownSecond ?? wall.seconds + 12 * 3_600
    let earliest = other.knownSecond ?? other.wall.seconds - 14 * 3_600
    return latest < earliest
  }

  /// The key is equal for equal moments, in whatever zones they are written.
  struct Key: Hashable {
    let isDay: Bool
    let isKnown: Bool
    let second: Int64
  }

  var key: Key { Key(isDay: isDay, isKnown: zone.isKnown, second: knownSecond ?? wall.seconds) }

  /// `20261123T080000Z`, without a zone `20261123T080000`, for a day `20261123`.
  package var digits: String {
    let wall = knownSecond.map { TimeZoneRules.utc.wall(atSecond: $0) } ?? wall
    return wall.exported(isDay: isDay) + (zone.isKnown ? "Z" : "")
  }

  package static func == (a: CalendarMoment, b: CalendarMoment) -> Bool {
    a.wall == b.wall && a.known == b.known && a.zone.isSame(as: b.zone)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(wall) }
}

extension CalendarMoment.Zone {
  var isDay: Bool { if case .day = self { true } else { false } }

  var isKnown: Bool { if case .known = self { true } else { false } }

  func isSame(as other: CalendarMoment.Zone) -> Bool {
    switch (self, other) {
    case (.day, .day), (.floating, .floating): true
    case (.known(let a), .known(let b)): a == b
    default: false
    }
  }

  /// The zone's clocks; those of the cache if it has none of its own.
  func clock(_ calendar: CivilCalendar) -> SeriesClock {
    switch self {
    case .day: SeriesClock(calendar.rules, .days)
    case .floating: SeriesClock(calendar.rules, .offsetBefore)
    case .known(let rules): SeriesClock(rules, .offsetBefore)
    }
  }
}

/// A date of a calendar as it is written: a day, a wall time anywhere, or a wall time in a zone.
package struct CalendarMoment: Sendable, Hashable {
  package enum Zone: Sendable {
    /// A day without time: days are always those of the cache's zone.
    case day
    /// A wall time without zone, which counts in the cache's.
    case floating
    case known(TimeZoneRules)
  }

  /// Midnight of a day.
  package let wall: WallTime
  package let zone: Zone
  /// Seconds since 1970 where the zone is known, else 0.
  private let known: Int64

  package init(_ day: LocalDay) { self.init(wall: WallTime(day), zone: .day, known: 0) }

  /// A wall time without zone.
  package init(floating wall: WallTime) { self.init(wall: wall, zone: .floating, known: 0) }

  package init(_ wall: WallTime, in rules: TimeZoneRules) {
    self.init(wall: wall, zone: .known(rules), known: rules.second(atWall: wall))
  }

  /// What a zone's clocks show at a second since 1970.
  package init(second: Int64, in rules: TimeZoneRules) {
    self.init(wall: rules.wall(atSecond: second), zone: .known(rules), known: second)
  }

  private init(wall: WallTime, zone: Zone, known: Int64) {
    self.wall = wall
    self.zone = zone
    self.known = known
  }

  package var isDay: Bool { zone.isDay }

  /// Seconds since 1970 where a zone settles them without the cache's.
  package var knownSecond: Int64? { if case .known = zone { known } else { nil } }

  /// Seconds since 1970; of a day its first instant.
  package func second(in calendar: CivilCalendar) -> Int64 {
    zone.isKnown ? known : zone.second(atWall: wall, calendar)
  }

  /// What the clocks of another date's zone show at this one.
  package func wall(in zone: Zone, _ calendar: CivilCalendar) -> WallTime {
    self.zone.isSame(as: zone) ? wall : zone.wall(atSecond: second(in: calendar), calendar)
  }

  /// A time without zone as one of a zone; anything else as it is.
  func placed(in zone: Zone) -> CalendarMoment {
    if case .floating = self.zone, case .known(let rules) = zone { CalendarMoment(wall, in: rules) } else { self }
  }

  /// Whether the date is before another wherever the cache is.
  func isCertainlyBefore(_ other: CalendarMoment) -> Bool {
    if zone.isSame(as: other.zone) { return wall < other.wall }
    guard let first = knownSecond, let second = other.knownSecond else { return false }
    return first < second
  }

  /// The same for the same moment, whatever zones it is written in.
  struct Key: Hashable {
    let isDay: Bool
    let isKnown: Bool
    let second: Int64
  }

  var key: Key { Key(isDay: isDay, isKnown: zone.isKnown, second: knownSecond ?? wall.seconds) }

  /// `20261123T080000Z`, without zone `20261123T080000`, of a day `20261123`.
  var digits: String {
    let wall = knownSecond.map { TimeZoneRules.utc.wall(atSecond: $0) } ?? wall
    var bytes: [UInt8] = []
    CalendarText.append(wall, isDay: isDay, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + (zone.isKnown ? "Z" : "")
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

  /// The zone's clocks; the cache's where it has none of its own.
  func rules(_ calendar: CivilCalendar) -> TimeZoneRules {
    if case .known(let rules) = self { rules } else { calendar.rules }
  }

  /// Seconds since 1970 at a wall time of this zone; of a day its first instant.
  func second(atWall wall: WallTime, _ calendar: CivilCalendar) -> Int64 {
    switch self {
    case .day: calendar.start(of: wall.day).seconds
    case .floating: calendar.rules.second(atWall: wall)
    case .known(let rules): rules.second(atWall: wall)
    }
  }

  /// What the zone's clocks show; of days the midnight of the local day.
  func wall(atSecond second: Int64, _ calendar: CivilCalendar) -> WallTime {
    switch self {
    case .day: WallTime(calendar.day(of: Instant(seconds: second)))
    case .floating: calendar.rules.wall(atSecond: second)
    case .known(let rules): rules.wall(atSecond: second)
    }
  }
}

extension TimeZoneRules {
  /// Seconds since 1970 at a wall time: one that is skipped counts with the offset before the gap, one that comes twice
  /// the first time (RFC 5545, 3.3.5).
  func second(atWall wall: WallTime) -> Int64 {
    let wall = wall.seconds
    let second = table.firstSecond(wall: wall)
    if second &+ Int64(table.offset(at: second)) == wall { return second }
    return wall &- Int64(table.offset(at: second &- 1))
  }

  func wall(atSecond second: Int64) -> WallTime {
    let second = Instant(seconds: second).clamped.seconds
    return WallTime(seconds: second &+ Int64(table.offset(at: second)))
  }
}

extension WallTime {
  /// Seconds since 1970-01-01T00:00:00 of the same wall.
  var seconds: Int64 { Int64(day.ordinal) &* Gregorian.secondsPerDay &+ Int64(secondOfDay) }

  /// Beyond the years 1...9999 the first or the last second.
  init(seconds: Int64) {
    let seconds = min(max(seconds, WallTime(.first).seconds), WallTime(.last).seconds + Gregorian.secondsPerDay - 1)
    let day = Gregorian.floorDivide(seconds, Gregorian.secondsPerDay)
    self.init(
      LocalDay(ordinal: Int(day)), secondOfDay: Int(Gregorian.floorRemainder(seconds, Gregorian.secondsPerDay)))
  }

  func advanced(bySeconds count: Int64) -> WallTime { WallTime(seconds: seconds &+ count) }
}

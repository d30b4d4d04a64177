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
    zone.isKnown ? known : zone.clock(calendar).second(atWall: wall)
  }

  /// What the clocks of another date's zone show at this one.
  package func wall(in zone: Zone, _ calendar: CivilCalendar) -> WallTime {
    self.zone.isSame(as: zone) ? wall : zone.clock(calendar).wall(atSecond: second(in: calendar))
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
  func clock(_ calendar: CivilCalendar) -> SeriesClock {
    switch self {
    case .day: SeriesClock(calendar.rules, .days)
    case .floating: SeriesClock(calendar.rules, .offsetBefore)
    case .known(let rules): SeriesClock(rules, .offsetBefore)
    }
  }
}

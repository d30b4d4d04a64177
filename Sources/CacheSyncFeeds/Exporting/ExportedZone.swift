import CacheSyncSystem

/// A VTIMEZONE (RFC 5545, 3.6.5) made of the rules that count, wherever they come from: the system, the calendar's file or
/// the cache.
struct ExportedZone {
  /// The TZID.
  let name: String
  let rules: TimeZoneRules
  /// The earliest date that is in it, in seconds since 1970.
  var first: Int64

  /// A change of offset, with what it shows on the wall clock before it.
  private struct Change {
    /// What the changes of a yearly rule have in common.
    struct Pattern: Hashable {
      let month: Int
      let weekday: Weekday
      let secondOfDay: Int
      let before: Int
      let after: Int
    }

    let wall: WallTime
    let pattern: Pattern

    init(_ change: ClockChange, _ rules: TimeZoneRules) {
      let before = rules.offset(at: change.lastInstantBefore)
      wall = TimeZoneRules.utc.wall(atSecond: change.date.seconds + Int64(before))
      pattern = Pattern(
        month: wall.day.month, weekday: wall.day.weekday, secondOfDay: wall.secondOfDay, before: before,
        after: rules.offset(at: change.date))
    }
  }

  /// Every weekday is on every date once in that many years.
  private static let yearsOfRule = 28
  /// Changes until then show whether they follow rules.
  private static let endYear = 2100
  /// Changes without a rule are listed until then. (Morocco's are known until 2087.)
  private static let endYearOfList = 2038

  /// The lines between BEGIN:VTIMEZONE and its END.
  var lines: [(name: String, value: String)] {
    // From the beginning of a year, so that few changes of the calendar change the zone.
    let year = max(1970, CivilCalendar(.utc).day(of: Instant(seconds: first).clamped).year)
    let start = Self.start(ofYear: year)
    let end = max(start, Self.start(ofYear: Self.endYear))
    var changes = ClockChange.all(in: start..<end, CivilCalendar(rules)).map { Change($0, rules) }
    var lines: [(name: String, value: String)] = [("TZID", name)]
    let offset = rules.offset(at: start)
    let wall = rules.wall(atSecond: start.seconds - Gregorian.secondsPerDay)
    lines += Self.observance(from: wall, before: offset, after: offset)
    for rule in Self.yearlyRules(takenFrom: &changes) { lines += rule }
    // What follows no rule, as in the past.
    changes.removeAll { $0.wall.day.year >= Self.endYearOfList }
    let groups = Dictionary(grouping: changes) { [$0.pattern.before, $0.pattern.after] }
    for group in groups.values.sorted(by: { $0[0].wall < $1[0].wall }) {
      // ical.js reads one date of a line, and DTSTART only where there is no RDATE.
      let dates = group.count == 1 ? [] : group.map { ("RDATE", $0.wall.exported()) }
      lines += Self.observance(
        from: group[0].wall, before: group[0].pattern.before, after: group[0].pattern.after, dates)
    }
    return lines
  }

  private static func start(ofYear year: Int) -> Instant {
    Instant(seconds: Int64(Gregorian.ordinal(year: year, month: 1, day: 1)) * Gregorian.secondsPerDay)
  }

  /// The observances that go on for ever by a yearly rule.
  ///
  /// - Parameter changes: ascending; loses those that a rule gives.
  private static func yearlyRules(takenFrom changes: inout [Change]) -> [[(name: String, value: String)]] {
    let firstOfTail = endYear - yearsOfRule
    let tail = Dictionary(grouping: changes.filter { $0.wall.day.year >= firstOfTail }, by: \.pattern)
    // Either all of the last years follow rules, or none does.
    guard !tail.isEmpty, tail.values.allSatisfy({ $0.count == yearsOfRule && days(of: $0).count == 7 }) else {
      return []
    }
    var rules: [[(name: String, value: String)]] = []
    for (pattern, group) in tail.sorted(by: { $0.value[0].wall < $1.value[0].wall }) {
      let days = days(of: group)
      // As far back as it holds.
      var year = endYear
      for change in changes.reversed()
      where change.pattern == pattern && days.contains(change.wall.day.day) && change.wall.day.year == year - 1 {
        year -= 1
      }
      func isGiven(_ change: Change) -> Bool { change.pattern == pattern && change.wall.day.year >= year }
      guard let first = changes.first(where: isGiven) else { continue }
      let letters = pattern.weekday.letters
      let length = Gregorian.dayCount(year: year, month: pattern.month)
      let day =
        days.upperBound == length
        ? "BYDAY=-1\(letters)"
        : days.upperBound % 7 == 0
          ? "BYDAY=\(days.upperBound / 7)\(letters)"
          : "BYMONTHDAY=\(days.map(String.init).joined(separator: ","));BYDAY=\(letters)"
      let rule = ("RRULE", "FREQ=YEARLY;BYMONTH=\(pattern.month);\(day)")
      rules.append(observance(from: first.wall, before: pattern.before, after: pattern.after, [rule]))
      changes.removeAll(where: isGiven)
    }
    return rules
  }

  /// From the earliest day of the month to the latest.
  private static func days(of changes: [Change]) -> ClosedRange<Int> {
    let days = changes.map(\.wall.day.day)
    return (days.min() ?? 1)...(days.max() ?? 1)
  }

  private static func observance(
    from wall: WallTime, before: Int, after: Int, _ further: [(name: String, value: String)] = []
  ) -> [(name: String, value: String)] {
    // No zone says which of its times is daylight time; that matters to nothing but a name.
    let form = after > before ? "DAYLIGHT" : "STANDARD"
    let lines = [
      ("BEGIN", form), ("DTSTART", wall.exported()), ("TZOFFSETFROM", offset(before)),
      ("TZOFFSETTO", offset(after)),
    ]
    return lines + further + [("END", form)]
  }

  /// `+0100`
  private static func offset(_ seconds: Int) -> String {
    func digits(_ number: Int) -> String { String(number + 100).suffix(2).description }
    let number = abs(seconds)
    let rest = number % 60 == 0 ? "" : digits(number % 60)
    return (seconds < 0 ? "-" : "+") + digits(number / 3_600) + digits(number / 60 % 60) + rest
  }
}

/// The zones of one exported calendar, each with a TZID of its own.
struct ExportedZones {
  private(set) var all: [ExportedZone] = []

  /// Records that a date is in a zone.
  mutating func add(_ date: ExportedDate) {
    guard let (rules, second) = date.named else { return }
    if let index = all.firstIndex(where: { $0.rules == rules }) {
      all[index].first = min(all[index].first, second)
      return
    }
    // Two files may define one name differently.
    let base = Self.name(rules.name)
    let same = all.count { $0.name == base || $0.name.hasPrefix("\(base) (") }
    all.append(ExportedZone(name: same == 0 ? base : "\(base) (\(same + 1))", rules: rules, first: second))
  }

  /// The TZID of a date; nil: it is a day or in UTC.
  func name(of date: ExportedDate) -> String? {
    date.named.flatMap { zone in all.first { $0.rules == zone.rules }?.name }
  }

  /// A name that is alike in parameters and in texts.
  private static func name(_ text: String) -> String {
    let name = text.unicodeScalars.map { character -> Character in
      let isSpecial = "\\\";:,".unicodeScalars.contains(character) || character.value < 0x20 || character.value == 0x7F
      return isSpecial ? "-" : Character(character)
    }
    return name.isEmpty ? "Zone" : String(name)
  }
}

/// A date of an exported calendar: a day, a wall time in a zone, or one without a zone.
package struct ExportedDate: Sendable {
  /// Of a day its midnight.
  let wall: WallTime
  let isDay: Bool
  /// The zone, with the second since 1970; nil: there is none.
  let zone: (rules: TimeZoneRules, second: Int64)?

  /// The zone, if the date is written as a wall time with a TZID. A wall time that comes twice means the first (RFC 5545,
  /// 3.3.5), so the second is written in UTC.
  fileprivate var named: (rules: TimeZoneRules, second: Int64)? {
    zone.flatMap { !$0.rules.isUTC && $0.rules.second(atWall: wall) == $0.second ? $0 : nil }
  }

  /// The wall time in UTC; nil: there is no zone.
  var utc: WallTime? { zone.map { TimeZoneRules.utc.wall(atSecond: $0.second) } }
}

extension WallTime {
  /// `20261123T080000`, for a day `20261123` (RFC 5545, 3.3.4 and 3.3.5).
  func exported(isDay: Bool = false) -> String {
    var bytes: [UInt8] = []
    appendExported(isDay: isDay, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same.
  func appendExported(isDay: Bool, to bytes: inout [UInt8]) {
    let date = Gregorian.date(ordinal: day.ordinal)
    ASCIIDigits.append(date.year, count: 4, to: &bytes)
    ASCIIDigits.append(date.month, count: 2, to: &bytes)
    ASCIIDigits.append(date.day, count: 2, to: &bytes)
    if isDay { return }
    bytes.append(UInt8(ascii: "T"))
    ASCIIDigits.append(secondOfDay / 3_600, count: 2, to: &bytes)
    ASCIIDigits.append(secondOfDay / 60 % 60, count: 2, to: &bytes)
    ASCIIDigits.append(secondOfDay % 60, count: 2, to: &bytes)
  }
}

/// A VTIMEZONE (RFC 5545, 3.6.5): what the clocks of a zone show, as a calendar says it.
struct ZoneDefinition {
  /// One STANDARD or DAYLIGHT.
  private struct Observance {
    var start: WallTime?
    var before: Int?
    var after: Int?
    var rules: [RecurrenceRule] = []
    var dates: [CalendarText.Time] = []
  }

  /// A judgement: no event that a cache shows lies later.
  private static let lastYear = 2200
  /// How many changes a definition may give; a judgement. Real ones give two a year.
  private static let greatestCount = 4_000

  private var observances: [Observance] = []

  /// Where the file's definitions are, each from its BEGIN to its END, by name. Of one name the first counts.
  static func all(in document: UnsafeBufferPointer<UInt8>) -> [String: Range<Int>] {
    var zones: [String: Range<Int>] = [:]
    var start: Int?
    var names: [String] = []
    try? ContentLines.read(document) { line in
      if line.name.isWord("BEGIN"), line.value?.trimmed.isWord("VTIMEZONE") == true {
        start = line.offset
        names = []
      } else if let begin = start, line.name.isWord("END"), line.value?.trimmed.isWord("VTIMEZONE") == true {
        for name in names where zones[name] == nil { zones[name] = begin..<line.offset }
        start = nil
      } else if start != nil, line.name.isWord("TZID"), let value = line.value {
        // As it stands, and as a text: programs escape the comma of "(UTC+01:00) Amsterdam\, Berlin", or forget to.
        names = [String(decoding: value, as: UTF8.self), value.unescapedText]
      }
    }
    return zones
  }

  /// The rules of one; nil when something in it is bad.
  static func rules(_ zone: UnsafeBufferPointer<UInt8>, named name: String) -> TimeZoneRules? {
    var definition = ZoneDefinition()
    do {
      try ContentLines.read(zone) { line throws(CalendarDefect) in try definition.take(line) }
    } catch {
      return nil
    }
    return definition.rules(named: name)
  }

  private mutating func take(_ line: ContentLine) throws(CalendarDefect) {
    if line.name.isWord("BEGIN") {
      if line.value?.trimmed.isWord("VTIMEZONE") != true { observances.append(Observance()) }
      return
    }
    guard !observances.isEmpty, let value = line.value?.trimmed else { return }
    let last = observances.count - 1
    if line.name.isWord("DTSTART") {
      observances[last].start = try CalendarText.time(value, line).wall
    } else if line.name.isWord("TZOFFSETFROM") {
      observances[last].before = try CalendarText.offset(value, line)
    } else if line.name.isWord("TZOFFSETTO") {
      observances[last].after = try CalendarText.offset(value, line)
    } else if line.name.isWord("RRULE") {
      observances[last].rules.append(try CalendarText.rule(value, line))
    } else if line.name.isWord("RDATE") {
      for item in CalendarText.items(value) { observances[last].dates.append(try CalendarText.time(item, line)) }
    }
  }

  private func rules(named name: String) -> TimeZoneRules? {
    var changes: [(time: Int64, offset: Int)] = []
    var first: (time: Int64, offset: Int)?
    for observance in observances {
      guard let start = observance.start, let before = observance.before, let after = observance.after else {
        return nil
      }
      func append(_ wall: WallTime, isUTC: Bool = false) {
        let time = wall.seconds - (isUTC ? 0 : Int64(before))
        changes.append((time, after))
        if time < first?.time ?? .max { first = (time, before) }
      }
      append(start)
      for date in observance.dates { append(date.wall, isUTC: date.isUTC) }
      for rule in observance.rules {
        let end = LocalDay(year: Self.lastYear, month: 12, day: 31) ?? .last
        for wall in rule.occurrences(from: start, notAfter: WallTime(end)) {
          if case .untilInstant(let last) = rule.end, wall.seconds - Int64(before) > last.seconds { break }
          append(wall)
          if changes.count > Self.greatestCount { return nil }
        }
      }
      if changes.count > Self.greatestCount { return nil }
    }
    guard let first else { return nil }
    changes.sort { $0.time < $1.time }
    return TimeZoneRules(name: name, initialOffset: first.offset, changes: changes)
  }
}

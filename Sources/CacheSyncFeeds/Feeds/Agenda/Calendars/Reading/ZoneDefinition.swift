/// A VTIMEZONE (RFC 5545, 3.6.5): the rules of a zone's clocks, as a calendar defines them.
struct ZoneDefinition {
  /// One STANDARD or DAYLIGHT.
  private struct Observance {
    /// The line of its BEGIN.
    var line: Int
    var start: WallTime?
    var before: Int?
    var after: Int?
    var rules: [RecurrenceRule] = []
    var dates: [CalendarText.Time] = []
  }

  /// No event that a cache shows is later; a rule without end must stop somewhere.
  private static let lastYear = 2200
  /// How many changes a definition may have. Real ones have two a year, so this allows for 2,000 years and limits
  /// memory.
  private static let greatestCount = 4_000

  /// The place of a definition in a file.
  struct Place {
    /// From its BEGIN to its END.
    var bytes: Range<Int>
    /// The line of its BEGIN, from 1.
    var line: Int
  }

  /// The rules of a zone, and the steps that its RRULEs took.
  struct Result {
    var rules: TimeZoneRules
    var steps: Int
    /// What is ignored in it; lines count from the definition's BEGIN.
    var warnings: [CalendarDefect]
  }

  private let limits: CalendarLimits
  private var observances: [Observance] = []
  private var warnings: [CalendarDefect] = []

  /// The places of a VCALENDAR's definitions, by name in lower case. Of duplicate names the first counts.
  ///
  /// - Parameter calendar: the byte at which the VCALENDAR begins, and its line.
  static func all(
    in document: UnsafeBufferPointer<UInt8>, from calendar: (offset: Int, line: Int)
  ) -> [ExactText: Place] {
    var zones: [ExactText: Place] = [:]
    var start: Place?
    var names: [ExactText] = []
    let rest = UnsafeBufferPointer(rebasing: document[calendar.offset...])
    // The end of the VCALENDAR ends the loop.
    try? ContentLines.read(rest) { line throws(CalendarDefect) in
      let value = line.value?.trimmed
      if line.name.isWord("BEGIN"), value?.isWord("VTIMEZONE") == true {
        let offset = calendar.offset + line.offset
        start = Place(bytes: offset..<offset, line: calendar.line + line.number - 1)
        names = []
      } else if line.name.isWord("END"), value?.isWord("VCALENDAR") == true {
        throw CalendarDefect(line: line.number, "")
      } else if var zone = start, line.name.isWord("END"), value?.isWord("VTIMEZONE") == true {
        zone.bytes = zone.bytes.lowerBound..<(calendar.offset + line.offset)
        for name in names where zones[name] == nil { zones[name] = zone }
        start = nil
      } else if start != nil, line.name.isWord("TZID"), let value = line.value, value.count <= TimeZones.longestName {
        // Both unchanged and unescaped: programs escape the comma of "(UTC+01:00) Amsterdam\\, Berlin", or forget to.
        names = [String(decoding: value, as: UTF8.self), value.unescapedText].map { ExactText($0.lowercased()) }
      }
    }
    return zones
  }

  /// The rules of a definition.
  ///
  /// - Parameter steps: how many steps they may take; reduced by the steps taken.
  /// - Throws: the defect; lines count from the definition's BEGIN.
  static func rules(
    _ zone: UnsafeBufferPointer<UInt8>, named name: String, _ limits: CalendarLimits, steps: inout Int
  ) throws(CalendarDefect) -> Result {
    var definition = ZoneDefinition(limits: limits)
    try ContentLines.read(zone) { line throws(CalendarDefect) in try definition.read(line) }
    let before = steps
    let rules = try definition.rules(named: name, steps: &steps)
    return Result(rules: rules, steps: before - steps, warnings: definition.warnings)
  }

  private init(limits: CalendarLimits) { self.limits = limits }

  private mutating func read(_ line: ContentLine) throws(CalendarDefect) {
    if line.name.isWord("BEGIN") {
      if line.value?.trimmed.isWord("VTIMEZONE") != true { observances.append(Observance(line: line.number)) }
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
      guard observances[last].rules.count < limits.rules else {
        throw CalendarDefect(line: line.number, "too many rules: write at most \(limits.rules) for one offset")
      }
      let rule = try CalendarText.rule(value, line) { message in
        if warnings.count < JSONWarningList.capacity { warnings.append(CalendarDefect(line: line.number, message)) }
      }
      observances[last].rules.append(rule)
    } else if line.name.isWord("RDATE") {
      for item in CalendarText.items(value) { observances[last].dates.append(try CalendarText.time(item, line)) }
    }
  }

  private func rules(named name: String, steps: inout Int) throws(CalendarDefect) -> TimeZoneRules {
    var changes: [(time: Int64, offset: Int)] = []
    var first: (time: Int64, offset: Int)?
    for observance in observances {
      guard let start = observance.start, let before = observance.before, let after = observance.after else {
        throw CalendarDefect(line: observance.line, "DTSTART, TZOFFSETFROM or TZOFFSETTO is missing")
      }
      func append(_ wall: WallTime, isUTC: Bool = false) throws(CalendarDefect) {
        let time = wall.seconds - (isUTC ? 0 : Int64(before))
        changes.append((time, after))
        if time < first?.time ?? .max { first = (time, before) }
        guard changes.count <= Self.greatestCount else {
          throw CalendarDefect(line: observance.line, "more than \(Self.greatestCount) changes of its offset")
        }
      }
      try append(start)
      for date in observance.dates { try append(date.wall, isUTC: date.isUTC) }
      for rule in observance.rules {
        let end = LocalDay(year: Self.lastYear, month: 12, day: 31) ?? .last
        var occurrences = rule.occurrences(from: start, notAfter: WallTime(end), mostSteps: steps)
        // Includes the steps of a rule with too many changes.
        defer { steps -= occurrences.steps }
        while let wall = occurrences.next() {
          if case .untilInstant(let last) = rule.end, wall.seconds - Int64(before) > last.seconds { break }
          try append(wall)
        }
        if occurrences.isExhausted {
          throw CalendarDefect(line: observance.line, "its rules take too long: use fewer, with dates that exist")
        }
      }
    }
    guard let first else { throw CalendarDefect(line: 1, "no STANDARD or DAYLIGHT") }
    changes.sort { $0.time < $1.time }
    return TimeZoneRules(name: name, initialOffset: first.offset, changes: changes)
  }
}

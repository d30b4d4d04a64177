// When items are in force (definitions.md: time).
import CacheSyncSystem

extension DefinitionReader {
  enum TimeKey: String, CaseIterable {
    case at, day, `as`, time, timeAs, plus, timeZone, allDay
  }

  /// Reads a time: paths, an object, or a list of both. The first of a list that finds a date counts.
  ///
  /// - Parameter fields: the names that a condition may use; nil for the file's own time, which has no `allDay`.
  mutating func time(
    _ value: LocatedValue, _ known: KnownNames, _ allowance: ItemPath.Allowance, fields: KnownNames? = nil
  ) -> TimeRule? {
    guard value.elements?.contains(where: { $0.kind == .object }) == true else {
      return oneTime(value, known, allowance, fields)
    }
    let times = oneOrMore(value).compactMap { oneTime($0, known, allowance, fields) }
    var time = times.first
    time?.otherwise = Array(times.dropFirst())
    return time
  }

  private mutating func oneTime(
    _ value: LocatedValue, _ known: KnownNames, _ allowance: ItemPath.Allowance, _ fields: KnownNames?
  ) -> TimeRule? {
    guard value.kind == .object else { return .at(paths(value, allowance), nil) }
    guard let members = object(value, TimeKey.self) else { return nil }
    guard var rule = source(value, members, known, allowance) else { return nil }
    rule.timeZone = members[.timeZone].map { paths($0, allowance) } ?? []
    if let allDay = members[.allDay] {
      if let fields {
        rule.allDay = self.allDay(allDay, fields, allowance)
      } else {
        fail("'allDay' belongs to the times of items", at: allDay)
      }
    }
    return rule
  }

  /// Reads true, the path of a flag, or conditions.
  private mutating func allDay(
    _ value: LocatedValue, _ fields: KnownNames, _ allowance: ItemPath.Allowance
  ) -> TimeRule.AllDay? {
    if let isAlways = value.bool { return isAlways ? .always : nil }
    if value.kind == .object || value.elements?.first?.kind == .object { return .condition(conditions(value, fields)) }
    guard value.kind == .string || value.kind == .array else {
      fail(expecting: "true, a path or a condition", at: value)
      return nil
    }
    return .flag(paths(value, allowance))
  }

  private mutating func source(
    _ value: LocatedValue, _ members: [TimeKey: LocatedValue], _ known: KnownNames, _ allowance: ItemPath.Allowance
  ) -> TimeRule? {
    let form = members[.as].flatMap { self.form($0) }
    if let at = members[.at] {
      for key in [TimeKey.day, .time, .timeAs, .plus] {
        if let value = members[key] { fail("'\(key.rawValue)' does not go with 'at'", at: value) }
      }
      return .at(paths(at, allowance), form)
    }
    guard let value = members[.day] else {
      fail(missing: "at", in: value, ", or 'day'")
      return nil
    }
    guard let day = day(value, allowance) else { return nil }
    var rule = TimeRule.DayRule(day)
    rule.form = form
    rule.time = members[.time].flatMap { timeOfDay($0, allowance) }
    rule.timeForm = members[.timeAs].flatMap { timeForm($0) }
    if let timeAs = members[.timeAs], members[.time] == nil { fail("'timeAs' needs 'time'", at: timeAs) }
    rule.plus = members[.plus].flatMap { duration($0, known, hasTime: false) }
    return .day(rule)
  }

  /// Whether a string is a path rather than a day or a time.
  private static func isPath(_ text: String) -> Bool {
    text.utf8.first.map { "$@^#".utf8.contains($0) } ?? false
  }

  private mutating func day(_ value: LocatedValue, _ allowance: ItemPath.Allowance) -> TimeRule.DayRule.Day? {
    guard let text = value.text, !Self.isPath(text) else { return .paths(paths(value, allowance)) }
    if let day = LocalDay(text) { return .fixed(day) }
    fail("expected a path, or a day such as 2026-11-21, found \(quotedName(text))", at: value)
    return nil
  }

  private mutating func timeOfDay(_ value: LocatedValue, _ allowance: ItemPath.Allowance) -> TimeRule.DayRule.Time? {
    guard let text = value.text, !Self.isPath(text) else { return .paths(paths(value, allowance)) }
    if let seconds = Self.secondOfDay(text) { return .fixed(seconds) }
    fail("expected a path, or a time such as 08:00, found \(quotedName(text))", at: value)
    return nil
  }

  /// `HH:mm`, or `HH:mm:ss`.
  private static func secondOfDay(_ text: String) -> Int? {
    text.withUTF8Bytes { bytes in
      guard bytes.count == 5 || bytes.count == 8, bytes[2] == UInt8(ascii: ":"),
        let hour = ASCIIDigits.number(bytes, at: 0, count: 2), hour <= 23,
        let minute = ASCIIDigits.number(bytes, at: 3, count: 2), minute <= 59
      else { return nil }
      if bytes.count == 5 { return hour * 3_600 + minute * 60 }
      guard bytes[5] == UInt8(ascii: ":"), let second = ASCIIDigits.number(bytes, at: 6, count: 2), second <= 59 else {
        return nil
      }
      return hour * 3_600 + minute * 60 + second
    }
  }

  // MARK: Forms

  private mutating func form(_ value: LocatedValue) -> TimeForm? {
    guard let text = text(value, "unix, unix-ms, apple, rfc822 or a pattern such as dd/MM/yyyy") else { return nil }
    switch text {
    case "unix": return .unix
    case "unix-ms": return .unixMilliseconds
    case "apple": return .apple
    case "rfc822": return .rfc822
    default:
      let near = NearestName.of(text, among: ["unix", "unix-ms", "apple", "rfc822"])
      return pattern(text, value, .day, near.map { "; '\($0)'?" })
    }
  }

  private mutating func timeForm(_ value: LocatedValue) -> TimeForm? {
    guard let text = text(value, "a pattern such as HH:mm") else { return nil }
    return pattern(text, value, .time, nil)
  }

  private mutating func pattern(
    _ text: String, _ value: LocatedValue, _ purpose: TimePattern.Purpose, _ advice: String?
  ) -> TimeForm? {
    do {
      return .pattern(try TimePattern.parse(text, for: purpose))
    } catch {
      fail(TextDefect(error.offset, advice.map { "no form \(quotedName(text))\($0)" } ?? error.message), in: value)
      return nil
    }
  }

  // MARK: Durations and rules, which are checked here if they have no placeholders

  /// - Parameter hasTime: false if only weeks and days are allowed.
  mutating func duration(_ value: LocatedValue, _ known: KnownNames, hasTime: Bool) -> TextTemplate? {
    template(value, known) { Self.durationDefect($0, hasTime: hasTime) }
  }

  mutating func repetition(_ value: LocatedValue, _ known: KnownNames) -> TextTemplate? {
    let template = template(value, known, Self.ruleDefect)
    if let template, !template.hasHoles, let text = value.text, let rule = try? RecurrenceRule(text) {
      var steps = 0
      // Only a file says whether its items last whole days.
      if rule.givesNothing(countingIn: &steps), rule.ofDays.givesNothing(countingIn: &steps) {
        warn(DefinedProblem.ruleWithoutDays(text), at: value)
      }
    }
    return template
  }

  private mutating func template(
    _ value: LocatedValue, _ known: KnownNames, _ check: (String) -> TextDefect?
  ) -> TextTemplate? {
    let count = defects.count
    let template = template(value, known)
    guard defects.count == count, let text = value.text, template?.hasHoles == false else {
      return template
    }
    if let brace = text.utf8.firstIndex(of: UInt8(ascii: "{")) {
      fail(TextDefect(text.utf8.distance(from: text.utf8.startIndex, to: brace), "no brace belongs here"), in: value)
    } else if let defect = check(text) {
      fail(defect, in: value)
    }
    return template
  }

  /// The defect of a duration. One of weeks and days alone may be negative: the day before is "-P1D".
  private static func durationDefect(_ text: String, hasTime: Bool) -> TextDefect? {
    do {
      let duration = try CalendarDuration(text)
      if !hasTime, duration.seconds != 0 { return TextDefect(0, "expected weeks and days, such as P1W") }
      if hasTime, duration.days < 0 || duration.seconds < 0 {
        return TextDefect(0, "an item does not end before its start")
      }
      return nil
    } catch {
      return TextDefect(error.offset, error.message)
    }
  }

  private static func ruleDefect(_ text: String) -> TextDefect? {
    do {
      _ = try RecurrenceRule(text)
      return nil
    } catch {
      return TextDefect(error.offset, error.message)
    }
  }
}

extension TextTemplate {
  /// Whether it depends on an item.
  var hasHoles: Bool {
    parts.contains { part in
      if case .value = part { true } else { false }
    }
  }
}

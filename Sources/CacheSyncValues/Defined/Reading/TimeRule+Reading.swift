// When items are in force (definitions.md: time).
import CacheSyncSystem

extension Shape where Value == TimeRule {
  /// A time: paths, an object, or a list of both. The first of a list that finds a date counts.
  ///
  /// - Parameter fields: the names that a condition may use; nil for the file's own time, which has no `allDay`.
  static func time(_ known: KnownNames, _ allowance: ItemPath.Allowance, fields: KnownNames? = nil) -> Shape {
    let paths = Shape<[ItemPath]>.paths(allowance).map { TimeRule.at($0, nil) }
    let time = paths.or(.rule(known, allowance, fields)) { $0.kind == .object }.named("oneTime")
    let list = Shape<[TimeRule]>.list(of: time, empty: "expected at least one element")
      .with(#"{ "description": "The first that finds a date counts." }"#)
      .map { times in
        var first = times.first
        first?.otherwise = Array(times.dropFirst())
        return first
      }
    return time.or(list) { $0.elements?.contains { $0.kind == .object } ?? false }.named("time")
  }

  private static func rule(
    _ known: KnownNames, _ allowance: ItemPath.Allowance, _ fields: KnownNames?
  ) -> Shape {
    object(
      #"""
      { "oneOf": [{ "required": ["at"] }, { "required": ["day"] }],
        "if": { "required": ["at"] }, "then": { "properties": { "time": false, "timeAs": false, "plus": false } } }
      """#
    ) { member in
      if member["at"] != nil { member.refuse(["day", "time", "timeAs", "plus"]) { "'\($0)' does not go with 'at'" } }
      let at = member("at", .paths(allowance), is: .alternative)
      let day = member(
        "day",
        .given("a day such as 2026-11-21", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", allowance) { LocalDay($0) },
        is: .alternative)
      let form = member("as", .form, "unix, unix-ms, apple, rfc822, or a pattern such as dd/MM/yyyy HH:mm.")
      let clock = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
      let time = member(
        "time",
        .given("a time such as 08:00", pattern: clock, allowance) { WrittenTime.secondOfDay(.text($0), nil) })
      let timeForm = member("timeAs", .timeForm, "A pattern such as H.mm.")
      let plus = member("plus", .duration(known, hasTime: false), "Weeks and days, such as P1W.")
      let zone = member("timeZone", .paths(allowance), "Where the zone of this time is.") ?? []
      let allDay = member(
        "allDay", .allDay(fields, allowance), "true, where a flag is, or a condition, that makes it whole days.")
      if day != nil, member["timeAs"] != nil, member["time"] == nil {
        member.fail("'timeAs' needs 'time'", at: "timeAs")
      }
      if member["at"] == nil, member["day"] == nil { member.fail(missing: "at", ", or 'day'") }
      guard let place = day ?? at.map({ .paths($0) }) else { return nil }
      var rule = TimeRule(date: TimeRule.DayRule(place), isDay: day != nil)
      (rule.date.form, rule.date.time, rule.date.timeForm, rule.date.plus) = (form, time, timeForm, plus)
      (rule.timeZone, rule.allDay) = (zone, allDay ?? nil)
      return rule
    }
  }
}

extension Shape where Value == ItemRules.End {
  static func end(_ known: KnownNames, _ fields: KnownNames) -> Shape {
    Shape(JSONSchema(with: ["const": .string("next")])) { _, _ in .next }
      .or(Shape<TimeRule>.time(known, .item, fields: fields).map { .time($0) }) { $0.text != "next" }
  }
}

extension Shape where Value == TimeRule.AllDay? {
  /// True, the path of a flag, or conditions.
  fileprivate static func allDay(_ fields: KnownNames?, _ allowance: ItemPath.Allowance) -> Shape {
    let flag = Shape<Bool>.flag(expecting: "true, a path or a condition")
    let paths = Shape<[ItemPath]>.paths(allowance)
    let conditions = Shape<[Condition]>.conditions(fields ?? KnownNames("field", []))
    return Shape(in: { .any(of: [flag.schema($0), paths.schema($0), conditions.schema($0)]) }) { reader, value in
      if fields == nil {
        reader.fail("'allDay' belongs to the times of items", at: value)
        return nil
      }
      if value.kind == .object || value.elements?.first?.kind == .object {
        return conditions.read(reader, value).map { .condition($0) }
      }
      if value.kind == .string || value.kind == .array { return paths.read(reader, value).map { .flag($0) } }
      return flag.read(reader, value).map { $0 ? .always : nil }
    }
    .named("allDay")
  }
}

extension Shape {
  /// Paths, or a text that is written in the definition itself.
  fileprivate static func given<Fixed>(
    _ what: String, pattern: String, _ allowance: ItemPath.Allowance, _ parse: @escaping (String) -> Fixed?
  ) -> Shape where Value == TimeRule.Given<Fixed> {
    let fixed = Shape.text("a path, or \(what)") { parse($0).map { .fixed($0) } }
      .with(#"{ "pattern": "\#(pattern)" }"#)
    return Shape<[ItemPath]>.paths(allowance).map { .paths($0) }.or(fixed) { value in
      value.text.map { !ItemPath.begins($0) } ?? false
    }
  }
}

// MARK: Forms

extension Shape where Value == TimeForm {
  fileprivate static var form: Shape {
    let forms: [(String, TimeForm)] = [
      ("unix", .unix), ("unix-ms", .unixMilliseconds), ("apple", .apple), ("rfc822", .rfc822),
    ]
    let expected = "unix, unix-ms, apple, rfc822 or a pattern such as dd/MM/yyyy"
    return Shape<String>.text(expected).then { reader, value, text in
      if let form = forms.first(where: { $0.0 == text }) { return form.1 }
      let near = NearestName.of(text, among: forms.map(\.0)).map { "no form \(quotedName(text)); '\($0)'?" }
      return reader.parsed(value, near) { () throws(TextDefect) in .pattern(try TimePattern.parse(text, for: .day)) }
    }
  }

  fileprivate static var timeForm: Shape {
    Shape<String>.text("a pattern such as HH:mm").then { reader, value, text in
      reader.parsed(value) { () throws(TextDefect) in .pattern(try TimePattern.parse(text, for: .time)) }
    }
  }
}

// MARK: Durations and rules, which are checked here if they have no placeholders

extension Shape where Value == TextTemplate {
  /// - Parameter hasTime: false if only weeks and days are allowed.
  static func duration(_ known: KnownNames, hasTime: Bool) -> Shape {
    checkedTemplate(known) { text, _, _ throws(RecurrenceRule.Defect) in
      let duration = try CalendarDuration(text)
      if !hasTime, duration.seconds != 0 {
        throw RecurrenceRule.Defect(offset: 0, message: "expected weeks and days, such as P1W")
      }
      // One of weeks and days alone may be negative: the day before is "-P1D".
      if hasTime, duration.days < 0 || duration.seconds < 0 {
        throw RecurrenceRule.Defect(offset: 0, message: "an item does not end before its start")
      }
    }
  }

  static func repetition(_ known: KnownNames) -> Shape {
    checkedTemplate(known) { text, value, reader throws(RecurrenceRule.Defect) in
      let rule = try RecurrenceRule(text)
      var steps = 0
      // Only a file says whether its items last whole days.
      if rule.givesNothing(countingIn: &steps), rule.ofDays.givesNothing(countingIn: &steps) {
        reader.warn(DefinedProblem.ruleWithoutDays(text), at: value)
      }
    }
  }

  private static func checkedTemplate(
    _ known: KnownNames,
    _ check: @escaping (String, LocatedValue, DefinitionReader) throws(RecurrenceRule.Defect) -> Void
  ) -> Shape {
    Shape(in: Shape.template(known).schema) { reader, value in
      let count = reader.defects.count
      let template = Shape.template(known).read(reader, value)
      guard reader.defects.count == count, let text = value.text, template?.hasHoles == false else { return template }
      if let brace = Array(text.utf8).firstIndex(of: UInt8(ascii: "{")) {
        reader.fail(TextDefect(brace, "no brace belongs here"), in: value)
        return template
      }
      do throws(RecurrenceRule.Defect) {
        try check(text, value, reader)
      } catch {
        reader.fail(TextDefect(error.offset, error.message), in: value)
      }
      return template
    }
  }
}

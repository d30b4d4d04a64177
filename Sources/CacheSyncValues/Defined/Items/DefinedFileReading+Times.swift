extension DefinedFileReading {
  /// What a time is for.
  enum TimeUse {
    /// - repeats: whether the item repeats. It may then start before there are dates, as a birthday of 1871.
    case start(repeats: Bool)
    /// - isOfDays: whether the item lasts whole days.
    case end(isOfDays: Bool)
    /// When the file was written.
    case updated
  }

  /// The result of a rule for a time.
  enum TimeResult {
    case time(FoundTime)
    case absent(Lack)
    /// The time is invalid, and its defect is recorded.
    case defective
  }

  struct FoundTime {
    var time: DefinedItem.Time
    /// The calendar in which it is local.
    var frame: DefinedItem.Frame
    /// Where to report a defect of the time, if the file has it.
    var node: JSONTree.Index?
    /// The zone that the item names beside it.
    var zone: TimeZoneRules?
    /// Whether the rule makes the item last whole days.
    var isOfDays = false
    /// Whether the time is the day before the one that the file has, because an end at midnight is exclusive.
    var isDayBefore = false
  }

  /// Why no time has been found so far.
  private struct TimeSearch {
    var use: TimeUse
    /// The first value that is not a date.
    private(set) var failure: (node: JSONTree.Index, message: String, isOfDefinition: Bool)?
    var lack: Lack?

    /// - Parameter isOfDefinition: whether the definition is wrong, and so the file cannot be used.
    mutating func fail(_ node: JSONTree.Index, _ message: String, isOfDefinition: Bool = false) {
      if failure == nil { failure = (node, message, isOfDefinition) }
    }
  }

  /// The first of a rule's times that finds a date.
  mutating func time(_ rule: TimeRule, for use: TimeUse, of place: ItemPlace, _ fields: Fields) -> TimeResult {
    var search = TimeSearch(use: use)
    for rule in [rule] + rule.otherwise {
      guard let found = time(rule, of: place, fields, &search) else { continue }
      // One member may be listed with several notations, of which each finds what the others do not.
      if let failure = search.failure, failure.node != found.node {
        warn(at: failure.node, failure.message + ": the next one counts")
      }
      return .time(found)
    }
    guard let failure = search.failure else { return .absent(search.lack ?? .holder(place.node)) }
    if failure.isOfDefinition {
      fail(failure.node, failure.message)
    } else {
      failTime(failure.node, failure.message)
    }
    return .defective
  }

  private mutating func time(
    _ rule: TimeRule, of place: ItemPlace, _ fields: Fields, _ search: inout TimeSearch
  ) -> FoundTime? {
    switch rule.source {
    case .at(let paths, let form):
      guard let (node, source, written) = written(paths, form, of: place, &search) else { return nil }
      let isOfDays = isOfDays(rule, search.use, of: place, fields)
      let zone = zone(of: rule, beside: written, of: place)
      guard isOfDays else {
        let time = DefinedItem.Time(written)
        return FoundTime(time: time, frame: .of(zone, for: time), node: node)
      }
      let day = day(written, source, form, in: zone, isOfDays: true, search.use)
      return FoundTime(
        time: day.time(plus: 0, at: nil), frame: .cache, node: node, zone: zone, isOfDays: true,
        isDayBefore: day.isDayBefore)
    case .day(let dayRule): return time(dayRule, of: rule, of: place, fields, &search)
    }
  }

  private mutating func time(
    _ dayRule: TimeRule.DayRule, of rule: TimeRule, of place: ItemPlace, _ fields: Fields, _ search: inout TimeSearch
  ) -> FoundTime? {
    var node: JSONTree.Index?
    var source: WrittenTime.Source?
    let written: WrittenTime
    switch dayRule.day {
    case .fixed(let day): written = .local(day, secondOfDay: nil)
    case .paths(let paths):
      guard let found = self.written(paths, dayRule.form, isDay: true, of: place, &search) else { return nil }
      (node, source, written) = found
    }
    let isOfDays = isOfDays(rule, search.use, of: place, fields)
    let zone = zone(of: rule, beside: written, of: place)
    var second: Int?
    switch isOfDays ? nil : dayRule.time {
    case nil: break
    case .fixed(let fixed)?: second = fixed
    case .paths(let paths)?:
      // A missing time of day leaves a day without time.
      guard let found = find(paths, from: place).found else { break }
      let at = self.node(of: found, place)
      let source = self.source(found)
      if let source, source.isBlank { break }
      node = at
      second = source.flatMap { WrittenTime.secondOfDay($0, dayRule.timeForm) }
      if second == nil {
        search.fail(at, "expected \(WrittenTime.clockExpectation(dayRule.timeForm)), found \(description(found))")
        return nil
      }
    }
    var shift = 0
    if let plus = dayRule.plus, let duration = duration(plus, of: place, fields) {
      guard let duration, duration.seconds == 0 else {
        search.fail(
          self.node(of: plus, place, fields),
          "expected weeks and days to add, such as P1W, found \(quoted(plus, of: place, fields))")
        return nil
      }
      shift = duration.days
    }
    // With a time of day, the day does not end anything by itself.
    let day = day(
      written, source, dayRule.form, in: zone, isOfDays: isOfDays, second == nil ? search.use : .start(repeats: false))
    let time = day.time(plus: shift, at: second)
    return FoundTime(
      time: time, frame: isOfDays ? .cache : .of(zone, for: time), node: node, zone: zone, isOfDays: isOfDays,
      isDayBefore: day.isDayBefore)
  }

  /// The first date that paths find.
  ///
  /// - Parameter isDay: whether a day is wanted; for the message.
  private mutating func written(
    _ paths: [ItemPath], _ form: TimeForm?, isDay: Bool = false, of place: ItemPlace, _ search: inout TimeSearch
  ) -> (JSONTree.Index?, WrittenTime.Source?, WrittenTime)? {
    for path in paths {
      let result = find(path, from: place)
      guard let found = result.found else {
        search.lack.add(result.lack)
        continue
      }
      if case .node(let node) = found, tree.isNull(node) {
        search.lack.add(.null(node))
        continue
      }
      let node = self.node(of: found, place)
      let source = source(found)
      if let advice = source?.wrongEpochAdvice(form) {
        search.fail(node, advice, isOfDefinition: true)
        continue
      }
      let written = source.flatMap { WrittenTime($0, form) }
      if written?.isNoDate(for: search.use) ?? source?.isNoDate ?? false {
        countNoDate(node)
        search.lack.add(.null(node))
        continue
      }
      guard let source, let written else {
        let expected = isDay && form == nil ? "a day such as 2026-11-21, or a date" : WrittenTime.expectation(form)
        search.fail(node, "expected \(expected), found \(description(found))")
        continue
      }
      return (node, source, written)
    }
    return nil
  }

  // MARK: Days

  /// A day that a time means.
  private enum FoundDay {
    case day(LocalDay, isDayBefore: Bool)
    /// The cache's zone decides which one. See ``DefinedItem/Time/Shift``.
    case moment(Instant, zoneDay: Int?, isEnd: Bool)

    var isDayBefore: Bool { if case .day(_, true) = self { true } else { false } }

    func time(plus days: Int, at second: Int?) -> DefinedItem.Time {
      switch self {
      case .day(let day, _):
        let wall = WallTime(day.advanced(by: days), secondOfDay: second ?? 0)
        return DefinedItem.Time(.wall(wall), hasTime: second != nil)
      case .moment(let moment, let zoneDay, let isEnd):
        var time = DefinedItem.Time(.instant(moment), hasTime: second != nil)
        time.shift = DefinedItem.Time.Shift(days: days, secondOfDay: second ?? 0, isEnd: isEnd, zoneDay: zoneDay)
        return time
      }
    }
  }

  /// The day that a time means (``MeantDay``); for an end the last day.
  ///
  /// - Parameters:
  ///   - zone: the one that the item names.
  ///   - isOfDays: whether an end that is only a day is exclusive, as calendars write it.
  private func day(
    _ written: WrittenTime, _ source: WrittenTime.Source?, _ form: TimeForm?, in zone: TimeZoneRules?, isOfDays: Bool,
    _ use: TimeUse
  ) -> FoundDay {
    let isEnd = if case .end = use { true } else { false }
    func found(_ meant: MeantDay) -> FoundDay {
      .day(isEnd ? meant.last : meant.day, isDayBefore: isEnd && meant.last != meant.day)
    }
    switch written {
    case .local(let day, nil): return found(MeantDay(day, isOfDays ? .begin : .within))
    case .local(let day, let second?): return found(MeantDay(written: WallTime(day, secondOfDay: second)))
    case .instant(let moment):
      let calendar = (zone ?? session.zone).map { CivilCalendar($0) }
      let utc = CivilCalendar(.utc)
      let wall = source.flatMap { WrittenTime.wall($0, form) } ?? utc.wall(at: moment)
      if let meant = MeantDay(moment, writtenAs: wall, in: calendar) { return found(meant) }
      let distance = calendar.map { utc.day(of: moment).distance(to: $0.day(of: moment)) }
      return .moment(moment, zoneDay: distance, isEnd: isEnd)
    }
  }

  /// Whether an item lasts whole days.
  private mutating func isOfDays(_ rule: TimeRule, _ use: TimeUse, of place: ItemPlace, _ fields: Fields) -> Bool {
    if case .end(isOfDays: true) = use { return true }
    return rule.allDay.map { holds($0, of: place, fields) } ?? false
  }

  private mutating func holds(_ rule: TimeRule.AllDay, of place: ItemPlace, _ fields: Fields) -> Bool {
    switch rule {
    case .always: return true
    case .condition(let conditions):
      countSteps(conditions.steps, at: place.node)
      return conditions.hold { fields.value(of: $0) }
    case .flag(let paths):
      guard case .node(let node)? = find(paths, from: place).found else { return false }
      switch tree.kind(of: node) {
      case .bool: return tree.byte(of: node) == UInt8(ascii: "t")
      case .number: return tree.number(of: node) != 0
      case .string: return !["", "0", "false", "no"].contains(tree.text(of: node).lowercased())
      case .null, .invalid: return false
      case .array, .object: return true
      }
    }
  }

  // MARK: Zones

  /// The zone that an item names; nil if it names none. A text that is not a zone is ignored with a warning.
  private mutating func zone(of rule: TimeRule, beside time: WrittenTime, of place: ItemPlace) -> TimeZoneRules? {
    guard !rule.timeZone.isEmpty, case .node(let node)? = find(rule.timeZone, from: place).found else { return nil }
    if tree.kind(of: node) == .string {
      let name = tree.text(of: node)
      if WrittenTime.Source.text(name).isBlank { return nil }
      if let rules = rules(ofZone: name) { return rules }
    }
    let effect: String
    switch time {
    case .local(_, .some): effect = session.zone == nil ? "the cache's counts" : "the file's counts"
    case .local(_, nil), .instant: effect = "it is ignored"
    }
    warnOfZone(node, effect)
    return nil
  }

  mutating func warnOfZone(_ node: JSONTree.Index, _ effect: String) {
    let advice = tree.kind(of: node) == .string ? zones.advice(for: tree.text(of: node)) : ""
    warn(at: node, "\(tree.description(of: node)) is not a time zone\(advice): \(effect)")
  }

  // MARK: Exceptions

  /// The days and moments to leave out of an item. One that cannot be read is ignored with a warning. A moment means the
  /// same day as the start of an item that lasts whole days.
  ///
  /// - Parameters:
  ///   - areDays: whether the item lasts whole days.
  ///   - zone: the one that the item names beside its start.
  mutating func exceptions(
    _ path: ItemPath, of place: ItemPlace, areDays: Bool, in zone: TimeZoneRules?
  ) -> [DefinedItem.Time] {
    // The part of the path before its first `*` is like any other path. Items for which it finds the same node share
    // the rest.
    let fixed = path.selectors.prefix { $0 != .every }
    guard case .node(let base)? = find(ItemPath(path.root, Array(fixed)), from: place).found else { return [] }
    let zone = areDays ? zone : nil
    if let latestExcept, latestExcept.base == base, latestExcept.areDays == areDays, latestExcept.zone === zone {
      return latestExcept.times
    }
    let selectors = path.selectors.dropFirst(fixed.count)
    var times: [DefinedItem.Time] = []
    var search = Search(selectors)
    forEach(selectors, from: ItemPlace(node: base), &search) { reading, place in
      let node = place.node
      if reading.tree.isNull(node) { return }
      guard times.count < Self.mostItems else {
        return reading.stop(at: node, "more than 10,000 exceptions of one item")
      }
      guard reading.mayMakeValues(2, of: node) else { return }
      let source = reading.source(.node(node))
      if let written = source.flatMap({ WrittenTime($0, nil) }) {
        let day =
          areDays ? reading.day(written, source, nil, in: zone, isOfDays: true, .start(repeats: true)) : nil
        let time = day?.time(plus: 0, at: nil) ?? DefinedItem.Time(written)
        if time.shift != nil { reading.hasOpenException = true }
        times.append(time)
      } else {
        let found = reading.tree.description(of: node)
        reading.warn(at: node, "expected \(WrittenTime.expectation(nil)), found \(found): this exception is ignored")
      }
    }
    latestExcept = (base, areDays, zone, times)
    return times
  }

  // MARK: Texts

  /// The duration in a text. Nil if the text is empty, as for a field that is null; `.some(nil)` if the text is not a
  /// duration.
  mutating func duration(_ text: TextTemplate, of place: ItemPlace, _ fields: Fields) -> CalendarDuration?? {
    let rendered = self.text(text, of: place, fields)
    return rendered.isEmpty ? nil : .some(try? CalendarDuration(rendered))
  }

  mutating func text(_ text: TextTemplate, of place: ItemPlace, _ fields: Fields) -> String {
    countSteps(text.steps, at: place.node)
    if isStopped { return "" }
    return text.renderedText(words: definition.words, calendar: nil, today: nil) { name in
      value(named: name, of: place, fields)
    }
  }

  /// The text for a message, with the names in it that have no value.
  mutating func quoted(_ text: TextTemplate, of place: ItemPlace, _ fields: Fields) -> String {
    let missing = text.parts.compactMap { part -> String? in
      guard case .value(let name, _) = part, value(named: name.wrappedValue, of: place, fields) == .null else {
        return nil
      }
      return "{\(name.wrappedValue)}"
    }
    let quoted = JSONMessage.quoted(self.text(text, of: place, fields))
    if missing.isEmpty { return quoted }
    return "\(quoted), in which \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing"
  }

  /// The node of the first value in a text that comes from the file; otherwise that of the item.
  func node(of text: TextTemplate, _ place: ItemPlace, _ fields: Fields) -> JSONTree.Index {
    for case .value(let name, _) in text.parts {
      if let index = fieldPlaces[name.wrappedValue], fields.nodes.indices.contains(index),
        let node = fields.nodes[index]
      {
        return node
      }
    }
    return place.node
  }

  // MARK: Values

  /// The node at which to report a defect. A defect of a key is reported at its value.
  private func node(of found: Found, _ place: ItemPlace) -> JSONTree.Index {
    if case .node(let node) = found, node != place.key { node } else { place.node }
  }

  private func description(_ found: Found) -> String {
    switch found {
    case .node(let node): tree.description(of: node)
    case .number(let number): String(number)
    }
  }

  /// The source of a time; nil for anything but texts and numbers.
  private func source(_ found: Found) -> WrittenTime.Source? {
    switch found {
    case .number(let number): .number(Double(number), digits: String(number))
    case .node(let node):
      switch tree.kind(of: node) {
      case .string: .text(tree.text(of: node))
      case .number: .number(tree.number(of: node), digits: tree.digits(of: node))
      default: nil
      }
    }
  }
}

extension DefinedItem.Frame {
  /// The calendar of a time.
  ///
  /// - Parameter zone: the zone that the item names. It does not move a whole day.
  fileprivate static func of(_ zone: TimeZoneRules?, for time: DefinedItem.Time) -> DefinedItem.Frame {
    zone.map { time.hasTime ? .zone($0) : .cache } ?? .file
  }
}

extension DefinedItem.Time {
  /// The same time as a moment, if its zone is known; a day at its end.
  func resolved(in zone: TimeZoneRules?, isEnd: Bool) -> DefinedItem.Time {
    guard let zone, case .wall(let wall) = point else { return self }
    let calendar = CivilCalendar(zone)
    let moment = hasTime || !isEnd ? calendar.firstInstant(at: wall) : calendar.interval(of: wall.day).upperBound
    return DefinedItem.Time(.instant(moment), hasTime: true)
  }

  init(_ written: WrittenTime) {
    switch written {
    case .instant(let instant): self.init(.instant(instant), hasTime: true)
    case .local(let day, let secondOfDay):
      self.init(.wall(WallTime(day, secondOfDay: secondOfDay ?? 0)), hasTime: secondOfDay != nil)
    }
  }
}

extension TextTemplate {
  /// The steps that filling it takes, see ``DefinedFileReading/mostSteps``. A part takes as long as 16 steps of a path.
  var steps: Int { 16 * parts.count }
}

extension DefinedFileReading {
  /// The result of a rule for a time.
  enum TimeResult {
    /// A time, and the calendar in which it is local.
    ///
    /// - node: where to report a defect of the time, if the file has it.
    case time(DefinedItem.Time, DefinedItem.Frame, node: JSONTree.Index?)
    case absent(Lack)
    /// The time is invalid, and its defect is recorded.
    case defective
  }

  mutating func time(_ rule: TimeRule, of place: ItemPlace, _ fields: Fields) -> TimeResult {
    let isAllDay = rule.allDay.map { holds($0, of: place, fields) } ?? false
    return time(rule, of: place, fields, isAllDay: isAllDay)
  }

  /// - Parameter isAllDay: whether the date as it is written is a whole day.
  mutating func time(_ rule: TimeRule, of place: ItemPlace, _ fields: Fields, isAllDay: Bool) -> TimeResult {
    var frame = DefinedItem.Frame.cache
    if !isAllDay {
      guard let found = self.frame(rule.timeZone, of: place) else { return .defective }
      frame = found
    }
    switch rule.source {
    case .at(let paths, let form):
      let result = find(paths, from: place)
      guard let found = result.found else { return .absent(result.lack) }
      let node = self.node(of: found, place)
      guard let source = source(found), let written = WrittenTime(source, form) else {
        failTime(node, "expected \(WrittenTime.expectation(form)), found \(description(found))")
        return .defective
      }
      checkEpoch(source, form, at: node)
      if isAllDay, let wall = WrittenTime.wall(source, form) {
        return .time(DefinedItem.Time(.wall(WallTime(wall.day)), hasTime: false), .cache, node: node)
      }
      return .time(DefinedItem.Time(written), frame, node: node)
    case .day(let rule):
      return time(rule, of: place, fields, frame, isAllDay: isAllDay)
    }
  }

  private mutating func time(
    _ rule: TimeRule.DayRule, of place: ItemPlace, _ fields: Fields, _ frame: DefinedItem.Frame, isAllDay: Bool
  ) -> TimeResult {
    var day: WrittenTime?
    var node: JSONTree.Index?
    switch rule.day {
    case .fixed(let fixed): day = .local(fixed, secondOfDay: nil)
    case .paths(let paths):
      let result = find(paths, from: place)
      guard let found = result.found else { return .absent(result.lack) }
      let at = self.node(of: found, place)
      node = at
      let source = source(found)
      day = source.flatMap { WrittenTime($0, rule.form) }
      if let source, day != nil { checkEpoch(source, rule.form, at: at) }
      if isAllDay, let wall = source.flatMap({ WrittenTime.wall($0, rule.form) }) {
        day = .local(wall.day, secondOfDay: nil)
      }
      if day == nil {
        let expected = rule.form == nil ? "a day such as 2026-11-21, or a date" : WrittenTime.expectation(rule.form)
        failTime(at, "expected \(expected), found \(description(found))")
      }
    }
    var second: Int?
    var isGood = day != nil
    switch isAllDay ? nil : rule.time {
    case nil: break
    case .fixed(let fixed)?: second = fixed
    case .paths(let paths)?:
      // A missing time of day leaves a day without time.
      guard let found = find(paths, from: place).found else { break }
      let at = self.node(of: found, place)
      node = at
      second = source(found).flatMap { WrittenTime.secondOfDay($0, rule.timeForm) }
      if second == nil {
        failTime(at, "expected \(WrittenTime.clockExpectation(rule.timeForm)), found \(description(found))")
        isGood = false
      }
    }
    var shift = 0
    if let plus = rule.plus, let duration = duration(plus, of: place, fields) {
      if let duration, duration.seconds == 0 {
        shift = duration.days
      } else {
        failTime(self.node(of: plus, place, fields), "expected weeks and days to add, such as P1W")
        isGood = false
      }
    }
    guard isGood, let day else { return .defective }
    let secondOfDay = min(max(second ?? 0, 0), 86_399)
    switch day {
    case .local(let day, _):
      let wall = WallTime(day.advanced(by: shift), secondOfDay: secondOfDay)
      return .time(DefinedItem.Time(.wall(wall), hasTime: second != nil), frame, node: node)
    case .instant(let instant):
      var time = DefinedItem.Time(.instant(instant), hasTime: second != nil)
      time.shift = DefinedItem.Time.Shift(days: shift, secondOfDay: secondOfDay)
      return .time(time, frame, node: node)
    }
  }

  /// The end of an item that is in force for whole days. As calendars write it, an end at midnight is exclusive: the
  /// day before is the last.
  mutating func allDayEnd(
    _ rule: TimeRule, after start: DefinedItem.Time, of place: ItemPlace, _ fields: Fields
  ) -> TimeResult {
    let end: (day: LocalDay, isMidnight: Bool, node: JSONTree.Index?)
    switch rule.source {
    case .at(let paths, let form):
      let result = find(paths, from: place)
      guard let found = result.found else { return .absent(result.lack) }
      let node = self.node(of: found, place)
      guard let source = source(found), let wall = WrittenTime.wall(source, form) else {
        failTime(node, "expected \(WrittenTime.expectation(form)), found \(description(found))")
        return .defective
      }
      checkEpoch(source, form, at: node)
      end = (wall.day, (wall.secondOfDay ?? 0) == 0, node)
    case .day:
      guard case .time(let time, _, let node) = time(rule, of: place, fields, isAllDay: true) else { return .defective }
      guard case .wall(let wall) = time.point else { return .defective }
      end = (wall.day, true, node)
    }
    guard case .wall(let first) = start.point else { return .defective }
    let last = end.isMidnight ? end.day.advanced(by: -1) : end.day
    if end.day < first.day { failTime(end.node ?? place.node, "the end is before the start") }
    let wall = WallTime(max(first.day, last))
    return .time(DefinedItem.Time(.wall(wall), hasTime: false), .cache, node: end.node)
  }

  /// Whether a rule makes an item last whole days.
  private mutating func holds(_ rule: TimeRule.AllDay, of place: ItemPlace, _ fields: Fields) -> Bool {
    switch rule {
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

  /// The zone that an item names. Nil after a defect.
  private mutating func frame(_ paths: [ItemPath], of place: ItemPlace) -> DefinedItem.Frame? {
    guard !paths.isEmpty, case .node(let node)? = find(paths, from: place).found else { return .file }
    let name = tree.kind(of: node) == .string ? tree.text(of: node) : nil
    if name == "" { return .file }
    guard let name, let rules = rules(ofZone: name) else {
      failTime(node, "expected a time zone such as Europe/Berlin, found \(tree.description(of: node))")
      return nil
    }
    return .zone(rules)
  }

  /// Records a number that probably counts from 1970 where dates count from 2001. The definition is wrong then, so this
  /// rejects the file.
  private mutating func checkEpoch(_ source: WrittenTime.Source, _ form: TimeForm?, at node: JSONTree.Index) {
    guard form == nil, case .number(let number, let digits) = source, number >= WrongEpoch.firstSeconds else { return }
    fail(node, WrongEpoch.advice(number, written: digits ?? "\(number)"))
  }

  /// The days and moments to leave out of an item.
  mutating func exceptions(_ path: ItemPath, of place: ItemPlace) -> [DefinedItem.Time] {
    // The part of the path before its first `*` is like any other path. Items for which it finds the same node share
    // the rest.
    let fixed = path.selectors.prefix { $0 != .every }
    guard case .node(let base)? = find(ItemPath(path.root, Array(fixed)), from: place).found else { return [] }
    if let latestExcept, latestExcept.base == base { return latestExcept.times }
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
      if let written = reading.source(.node(node)).flatMap({ WrittenTime($0, nil) }) {
        times.append(DefinedItem.Time(written))
      } else {
        reading.failTime(node, "expected \(WrittenTime.expectation(nil)), found \(reading.tree.description(of: node))")
      }
    }
    latestExcept = (base, times)
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

extension DefinedItem.Time {
  /// The same time as a moment, if its zone is known; a day at its end.
  func resolved(in frame: DefinedItem.Frame, isEnd: Bool) -> DefinedItem.Time {
    guard case .zone(let rules) = frame, case .wall(let wall) = point else { return self }
    let calendar = CivilCalendar(rules)
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

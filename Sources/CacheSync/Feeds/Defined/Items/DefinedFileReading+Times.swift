extension DefinedFileReading {
  /// The result of a rule for a time.
  enum TimeResult {
    /// - node: where to report a defect of the time, if the file has it.
    case time(DefinedItem.Time, node: JSONTree.Index?)
    case absent(Lack)
    /// The time is invalid, and its defect is recorded.
    case defective
  }

  mutating func time(_ rule: TimeRule, of place: ItemPlace, _ fields: Fields) -> TimeResult {
    switch rule {
    case .at(let paths, let form):
      let result = find(paths, from: place)
      guard let found = result.found else { return .absent(result.lack) }
      let node = self.node(of: found, place)
      guard let written = source(found).flatMap({ WrittenTime($0, form) }) else {
        fail(node, "expected \(WrittenTime.expectation(form)), found \(description(found))")
        return .defective
      }
      return .time(DefinedItem.Time(written), node: node)
    case .day(let rule):
      return time(rule, of: place, fields)
    }
  }

  private mutating func time(_ rule: TimeRule.DayRule, of place: ItemPlace, _ fields: Fields) -> TimeResult {
    var day: WrittenTime?
    var node: JSONTree.Index?
    switch rule.day {
    case .fixed(let fixed): day = .local(fixed, secondOfDay: nil)
    case .paths(let paths):
      let result = find(paths, from: place)
      guard let found = result.found else { return .absent(result.lack) }
      let at = self.node(of: found, place)
      node = at
      day = source(found).flatMap { WrittenTime($0, rule.form) }
      if day == nil {
        let expected = rule.form == nil ? "a day such as 2026-11-21, or a date" : WrittenTime.expectation(rule.form)
        fail(at, "expected \(expected), found \(description(found))")
      }
    }
    var second: Int?
    var isGood = day != nil
    switch rule.time {
    case nil: break
    case .fixed(let fixed)?: second = fixed
    case .paths(let paths)?:
      // A missing time of day leaves a day without time.
      guard let found = find(paths, from: place).found else { break }
      let at = self.node(of: found, place)
      node = at
      second = source(found).flatMap { WrittenTime.secondOfDay($0, rule.timeForm) }
      if second == nil {
        fail(at, "expected \(WrittenTime.clockExpectation(rule.timeForm)), found \(description(found))")
        isGood = false
      }
    }
    var shift = 0
    if let plus = rule.plus, let duration = duration(plus, of: place, fields) {
      if let duration, duration.seconds == 0 {
        shift = duration.days
      } else {
        fail(self.node(of: plus, place, fields), "expected weeks and days to add, such as P1W")
        isGood = false
      }
    }
    guard isGood, let day else { return .defective }
    let secondOfDay = min(max(second ?? 0, 0), 86_399)
    switch day {
    case .local(let day, _):
      let wall = WallTime(day.advanced(by: shift), secondOfDay: secondOfDay)
      return .time(DefinedItem.Time(.wall(wall), hasTime: second != nil), node: node)
    case .instant(let instant):
      var time = DefinedItem.Time(.instant(instant), hasTime: second != nil)
      time.shift = DefinedItem.Time.Shift(days: shift, secondOfDay: secondOfDay)
      return .time(time, node: node)
    }
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
        reading.fail(node, "expected \(WrittenTime.expectation(nil)), found \(reading.tree.description(of: node))")
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

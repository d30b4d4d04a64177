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
    /// The first value that is not a date. If the definition is wrong, the file cannot be used.
    private(set) var failure: (node: JSONTree.Index, message: String, isOfDefinition: Bool)?
    var lack: Lack?

    mutating func fail(_ node: JSONTree.Index, _ message: String, isOfDefinition: Bool = false) {
      if failure == nil { failure = (node, message, isOfDefinition) }
    }
  }

  /// The first of a rule's times that finds a date.
  mutating func time(_ rule: TimeRule, for use: TimeUse, of item: OpenItem) -> TimeResult {
    var search = TimeSearch(use: use)
    for rule in [rule] + rule.otherwise {
      guard let found = time(rule, of: item, &search) else { continue }
      // One member may be listed with several notations, of which each finds what the others do not.
      if let failure = search.failure, failure.node != found.node {
        warn(at: failure.node, failure.message + ": the next one counts")
      }
      return .time(found)
    }
    guard let failure = search.failure else { return .absent(search.lack ?? .holder(item.place.node)) }
    switch use {
    case _ where failure.isOfDefinition: fail(failure.node, failure.message)
    case .updated: warn(at: failure.node, failure.message + ": it is ignored")
    // It leaves out the item that has the time.
    case .start, .end: itemDefect = itemDefect ?? defect(at: failure.node, failure.message)
    }
    return .defective
  }

  private mutating func time(_ rule: TimeRule, of item: OpenItem, _ search: inout TimeSearch) -> FoundTime? {
    let place = item.place
    var node: JSONTree.Index?
    var source: WrittenTime.Source?
    let written: WrittenTime
    switch rule.date.day {
    case .fixed(let day): written = .local(day, secondOfDay: nil)
    case .paths(let paths):
      guard let found = self.written(paths, rule, of: place, &search) else { return nil }
      (node, source, written) = found
    }
    let isOfDays = isOfDays(rule, search.use, of: item)
    let zone = zone(of: rule, beside: written, of: place)
    guard isOfDays || rule.isDay else {
      let time = DefinedItem.Time(written)
      return FoundTime(time: time, frame: .of(zone, for: time), node: node)
    }
    var (second, shift) = (nil as Int?, 0)
    switch isOfDays ? nil : rule.date.time {
    case nil: break
    case .fixed(let fixed)?: second = fixed
    case .paths(let paths)?:
      // A missing time of day leaves a day without time.
      guard let found = try? find(paths, from: place) else { break }
      let source = self.source(found)
      if let source, source.isBlank { break }
      let at = self.node(of: found, place)
      node = at
      let isEndOfDay = rule.date.timeForm == nil && source?.isEndOfDay ?? false
      shift = isEndOfDay ? 1 : 0
      second = isEndOfDay ? 0 : source.flatMap { WrittenTime.secondOfDay($0, rule.date.timeForm) }
      if second == nil {
        let form = rule.date.timeForm
        let expected = form == nil ? "a time of day such as 09:30" : WrittenTime.expectation(form)
        search.fail(at, "expected \(expected), found \(description(found))")
        return nil
      }
    }
    if let plus = rule.date.plus, let duration = duration(plus, of: item) {
      guard let duration, duration.seconds == 0 else {
        let expected = "expected weeks and days to add, such as P1W"
        search.fail(self.node(of: plus, item), "\(expected), found \(quoted(plus, of: item))")
        return nil
      }
      shift += duration.days
    }
    // With a time of day, the day does not end anything by itself.
    let (time, isDayBefore) = day(
      written, source, rule.date.form, in: zone, isOfDays: isOfDays,
      second == nil ? search.use : .start(repeats: false),
      plus: shift, at: second)
    return FoundTime(
      time: time, frame: isOfDays ? .cache : .of(zone, for: time), node: node, zone: zone, isOfDays: isOfDays,
      isDayBefore: isDayBefore)
  }

  /// The first date that paths find.
  private mutating func written(
    _ paths: [ItemPath], _ rule: TimeRule, of place: ItemPlace, _ search: inout TimeSearch
  ) -> (JSONTree.Index?, WrittenTime.Source?, WrittenTime)? {
    for path in paths {
      let found: Found
      do throws(Lack) {
        found = try find(CollectionOfOne(path), from: place)
      } catch {
        search.lack.add(error)
        continue
      }
      let node = self.node(of: found, place)
      let source = source(found)
      if let advice = source?.wrongEpochAdvice(rule.date.form) {
        search.fail(node, advice, isOfDefinition: true)
        continue
      }
      let written = source.flatMap { WrittenTime($0, rule.date.form) }
      if written?.isNoDate(for: search.use) ?? source?.isNoDate ?? false {
        noDates.insert(node)
        search.lack.add(.null(node))
        continue
      }
      guard let source, let written else {
        let form = rule.date.form
        let expected =
          rule.isDay && form == nil ? "a day such as 2026-11-21, or a date" : WrittenTime.expectation(form)
        search.fail(node, "expected \(expected), found \(description(found))")
        continue
      }
      return (node, source, written)
    }
    return nil
  }

  // MARK: Days

  /// The day that a time means (``MeantDay``), for an end the last day, as a time of the item.
  ///
  /// - Parameters:
  ///   - zone: the one that the item names.
  ///   - isOfDays: whether an end that is only a day is exclusive, as calendars write it.
  /// - Returns: the time; and whether it is the day before the one that the file has, because an end at midnight is
  ///   exclusive.
  private func day(
    _ written: WrittenTime, _ source: WrittenTime.Source?, _ form: TimeForm?, in zone: TimeZoneRules?, isOfDays: Bool,
    _ use: TimeUse, plus days: Int = 0, at second: Int? = nil
  ) -> (time: DefinedItem.Time, isDayBefore: Bool) {
    let isEnd = if case .end = use { true } else { false }
    let meant: MeantDay
    switch written {
    case .local(let day, nil): meant = MeantDay(day, isOfDays ? .begin : .within)
    case .local(let day, let second?): meant = MeantDay(written: WallTime(day, secondOfDay: second))
    case .instant(let moment):
      let calendar = (zone ?? session.zone).map { CivilCalendar($0) }
      let utc = CivilCalendar(.utc)
      let wall = source.flatMap { WrittenTime.wall($0, form) } ?? utc.wall(at: moment)
      guard let known = MeantDay(moment, writtenAs: wall, in: calendar) else {
        let distance = calendar.map { utc.day(of: moment).distance(to: $0.day(of: moment)) }
        var time = DefinedItem.Time(.instant(moment), hasTime: second != nil)
        time.shift = DefinedItem.Time.Shift(days: days, secondOfDay: second ?? 0, isEnd: isEnd, zoneDay: distance)
        return (time, false)
      }
      meant = known
    }
    let day = isEnd ? meant.last : meant.day
    let wall = WallTime(day.advanced(by: days), secondOfDay: second ?? 0)
    return (DefinedItem.Time(.wall(wall), hasTime: second != nil), day != meant.day)
  }

  /// Whether an item lasts whole days.
  private mutating func isOfDays(_ rule: TimeRule, _ use: TimeUse, of item: OpenItem) -> Bool {
    if case .end(isOfDays: true) = use { return true }
    switch rule.allDay {
    case nil: return false
    case .always?: return true
    case .condition(let conditions)?:
      countSteps(conditions.steps, at: item.place.node)
      return conditions.hold { item.value(of: $0) }
    case .flag(let paths)?:
      guard case .node(let node)? = try? find(paths, from: item.place) else { return false }
      switch tree.kind(of: node) {
      case .bool: return tree.byte(of: node) == UInt8(ascii: "t")
      case .number: return tree.number(of: node) != 0
      case .string: return !["", "0", "false", "no"].contains(tree.text(of: node).lowercased())
      case .null, .invalid: return false
      case .array, .object: return true
      }
    }
  }

  /// The zone that an item names; nil if it names none.
  private mutating func zone(of rule: TimeRule, beside time: WrittenTime, of place: ItemPlace) -> TimeZoneRules? {
    guard !rule.timeZone.isEmpty, case .node(let node)? = try? find(rule.timeZone, from: place) else { return nil }
    guard case .local(_, .some) = time else { return zone(at: node, otherwise: "it is ignored") }
    return zone(at: node, otherwise: session.zone == nil ? "the cache's counts" : "the file's counts")
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
    guard case .node(let base)? = try? find(ItemPath(path.root, Array(fixed)), from: place) else { return [] }
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
        let time =
          areDays
          ? reading.day(written, source, nil, in: zone, isOfDays: true, .start(repeats: true)).time
          : DefinedItem.Time(written)
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
  mutating func duration(_ text: TextTemplate, of item: OpenItem) -> CalendarDuration?? {
    let rendered = self.text(text, of: item)
    return rendered.isEmpty ? nil : .some(try? CalendarDuration(rendered))
  }

  mutating func text(_ text: TextTemplate, of item: OpenItem) -> String {
    countSteps(text.steps, at: item.place.node)
    if isStopped { return "" }
    return text.renderedText(words: definition.words, calendar: nil, today: nil) {
      item.item.value(named: $0, fieldPlaces)
    }
  }

  /// The text for a message, with the names in it that have no value.
  mutating func quoted(_ text: TextTemplate, of item: OpenItem) -> String {
    var missing: [String] = []
    for case .value(let name, _) in text.parts where item.item.value(named: name.wrappedValue, fieldPlaces) == .null {
      missing.append("{\(name)}")
    }
    let quoted = JSONMessage.quoted(self.text(text, of: item))
    if missing.isEmpty { return quoted }
    return "\(quoted), in which \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing"
  }

  /// The node of the first value in a text that comes from the file; otherwise that of the item.
  func node(of text: TextTemplate, _ item: OpenItem) -> JSONTree.Index {
    for case .value(let name, _) in text.parts {
      guard let index = fieldPlaces[name.wrappedValue], item.nodes.indices.contains(index) else { continue }
      if let node = item.nodes[index] { return node }
    }
    return item.place.node
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
  /// The same time as a moment, if its zone is known.
  func resolved(in zone: TimeZoneRules?) -> DefinedItem.Time {
    guard let zone, case .wall = point else { return self }
    return DefinedItem.Time(.instant(preciseInstant(in: CivilCalendar(zone))), hasTime: true)
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

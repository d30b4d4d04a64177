extension DefinedFileReading {
  /// Reads the whole file. The session is usable only if there are no defects.
  mutating func readSession() {
    readZone()
    readWrittenTime()
    let places = itemPlaces()
    var hasReadable = places.isEmpty
    // Where each item of the session is, and what it is called.
    var origins: [(node: JSONTree.Index, name: String)] = []
    for place in places where !isStopped {
      var open = open(place)
      countSteps(definition.items.condition.steps, at: place.node)
      if isStopped { break }
      let isKept = definition.items.condition.hold { open.value(of: $0) }
      open.item.id = id(of: open)
      if let id = open.item.id.map({ RecordID($0) }) {
        // Ids whose last item so far was dropped.
        if isKept { session.droppedIDs.remove(id) } else { session.droppedIDs.insert(id) }
      }
      guard isKept else {
        hasReadable = true
        continue
      }
      itemName = definition.items.name(of: open.item.values)
      readTimes(of: &open)
      if let defect = itemDefect {
        if isNew(defect) { leftOut.append((defect, itemName)) }
        itemDefect = nil
      } else {
        hasReadable = true
        session.items.append(open.item)
        origins.append((place.node, itemName))
      }
    }
    for (defect, name) in leftOut {
      if hasReadable {
        let message = defect.message + ": this item is left out"
        warnings.append(JSONDefect(offset: defect.offset, message: message, place: defect.place).named(name))
      } else {
        // No item of the file can be read, so the definition does not fit it.
        defects.insert(at: defect.offset, defect.place) { defect.message }
      }
    }
    if let first = noDates.min() {
      let message = noDates.count == 1 ? "this date means none" : "\(noDates.count) dates mean none, the first one here"
      warnings.append(defect(at: first, message))
    }
    session.isOpen =
      definition.items.idUsesStart || session.updated?.shift != nil || hasOpenException
      || session.items.contains { $0.start?.shift != nil || $0.hasOpenEnd }
    warnOfReplaced(origins)
  }

  /// Warns of the items that do not count because a later one of the file has their id.
  private mutating func warnOfReplaced(_ origins: [(node: JSONTree.Index, name: String)]) {
    // Items that start at one moment do so in every zone.
    let items =
      definition.items.idUsesStart ? definition.settled(session, in: CivilCalendar(.utc)).items : session.items
    var later: [RecordID: JSONTree.Index] = [:]
    for (item, origin) in zip(items, origins).reversed() {
      guard let id = item.id, let node = later.updateValue(origin.node, forKey: RecordID(id)),
        node != origin.node
      else { continue }
      let message = "a later item has the same id \(JSONMessage.quoted(id)): this item is left out"
      warnings.append(defect(at: origin.node, message).named(origin.name))
    }
  }

  private mutating func readZone() {
    switch definition.timeZone {
    case nil: break
    case .named(let name)?:
      do throws(TimeZoneError) {
        session.zone = try zones.rules(named: name.wrappedValue)
      } catch {
        fail(JSONTree.root, error.description)
      }
    case .path(let path)?:
      do throws(Lack) {
        guard case .node(let node) = try find(CollectionOfOne(path), from: .document) else { return }
        session.zone = zone(at: node, otherwise: "the cache's counts")
      } catch {
        guard case .member = error else { return }
        var defect = defect(of: error, expecting: "a time zone")
        defect.message += ": the cache's counts"
        warn(defect)
      }
    }
  }

  /// The zone that a file names; nil if there is a blank text, or, with a warning, something that is not a zone. The
  /// times with an offset are still right then.
  ///
  /// - Parameter effect: what counts instead.
  mutating func zone(at node: JSONTree.Index, otherwise effect: String) -> TimeZoneRules? {
    let name = tree.kind(of: node) == .string ? tree.text(of: node) : nil
    if let name {
      if WrittenTime.Source.text(name).isBlank { return nil }
      if let rules = rules(ofZone: name) { return rules }
    }
    let advice = name.map { zones.advice(for: $0) } ?? ""
    warn(at: node, "\(tree.description(of: node)) is not a time zone\(advice): \(effect)")
    return nil
  }

  private mutating func readWrittenTime() {
    guard let rule = definition.updated,
      case .time(let found) = time(rule, for: .updated, of: OpenItem(place: .document))
    else { return }
    let updated = found.time.resolved(in: found.frame.zone)
    session.updated = updated
    // A day more or less makes no difference to a clock that is wrong.
    guard let times, let days = times.daysAhead(of: updated.preciseInstant(in: CivilCalendar(.utc))) else { return }
    session.updated = DefinedItem.Time(.instant(times.modified), hasTime: true)
    warn(at: found.node ?? JSONTree.root, FileTimes.warning("updated", daysAhead: days))
  }

  /// Nil without a template and for an empty text. Also nil if it uses the start: ``FeedDefinition/settled(_:in:)``
  /// then makes it.
  private mutating func id(of item: OpenItem) -> String? {
    guard let template = definition.items.id else { return nil }
    guard !definition.items.idUsesStart else {
      // The id is made later, but its steps count here.
      countSteps(template.steps, at: item.place.node)
      return nil
    }
    let id = text(template, of: item)
    return id.isEmpty ? nil : id
  }

  private mutating func readTimes(of open: inout OpenItem) {
    guard let rule = definition.items.start else { return }
    let repetition = definition.items.repeats.map { text($0, of: open) } ?? ""
    var zone: TimeZoneRules?
    switch time(rule, for: .start(repeats: !repetition.isEmpty), of: open) {
    case .time(let start):
      zone = start.zone
      open.item.start = start.time.inWholeSeconds
      open.item.frame = start.frame
      open.item.end = end(of: open, isOfDays: start.isOfDays)
    case .absent(let lack): itemDefect = defect(of: lack, expecting: "the item's start")
    case .defective: break
    }
    // An item that is left out needs no other warning.
    if itemDefect != nil { return }
    if let template = definition.items.repeats, !repetition.isEmpty { readRule(repetition, template, of: &open) }
    if let path = definition.items.except {
      open.item.except = exceptions(path, of: open.place, areDays: open.item.isAllDay, in: zone)
    }
  }

  /// An end that cannot be read, or is before the start, is ignored with a warning.
  private mutating func end(of item: OpenItem, isOfDays: Bool) -> DefinedItem.End {
    switch definition.items.end {
    case .next?: return .next
    case .time(let rule)?:
      switch time(rule, for: .end(isOfDays: isOfDays), of: item) {
      case .time(let end):
        if let known = self.end(end, of: item.item) { return .time(known) }
        warn(at: end.node ?? item.place.node, "the end is before the start: it is ignored")
        return .unstated
      case .absent: break
      case .defective:
        if var defect = itemDefect {
          defect.message += ": this end is ignored"
          warn(defect)
          itemDefect = nil
        }
        return .unstated
      }
    case nil: break
    }
    guard let template = definition.items.lasts, let duration = duration(template, of: item) else { return .unstated }
    guard let duration, duration.days >= 0, duration.seconds >= 0 else {
      let expected = "expected how long it lasts, such as PT1H30M or P7D"
      warn(at: node(of: template, item), "\(expected), found \(quoted(template, of: item)): it is ignored")
      return .unstated
    }
    return .lasts(days: duration.days, seconds: duration.seconds)
  }

  /// The end of an item in its calendar; nil if it is before the start.
  private func end(_ found: FoundTime, of item: DefinedItem) -> DefinedItem.Time? {
    guard let start = item.start else { return found.time }
    var end = found.time
    if end.hasTime, found.frame != item.frame {
      end = end.resolved(in: found.frame.zone ?? session.zone)
    }
    end = end.inWholeSeconds
    if case .wall(let last) = end.point, case .wall(let first) = start.point, !end.hasTime {
      // An end at the midnight with which the first day begins does not end before that day.
      let first = first.day
      if last.day < first, !(found.isDayBefore && last.day == first.advanced(by: -1)) { return nil }
      return DefinedItem.Time(.wall(WallTime(max(first, last.day))), hasTime: false)
    }
    return end.isBefore(start, in: item.frame.zone ?? session.zone) ? nil : end
  }

  private mutating func readRule(_ text: String, _ template: TextTemplate, of open: inout OpenItem) {
    let node = node(of: template, open)
    let known = repetitions[text]
    do throws(RecurrenceRule.Defect) {
      var emptyParts = known?.emptyParts ?? []
      let repetition =
        if let known { known.rule } else { DefinedItem.Repetition(try RecurrenceRule(text, leavingOut: &emptyParts)) }
      repetitions[text] = (repetition, emptyParts)
      open.item.repetition = repetition
      if !emptyParts.isEmpty {
        warn(at: node, "\(emptyParts.joined(separator: ", ")) of the rule has an empty entry, which is ignored")
      }
      // A rule without `{…}` has its warning in the definition.
      let rule = open.item.isAllDay ? repetition.rule.ofDays : repetition.rule
      if known == nil, template.hasHoles, ruleSteps < Self.mostRuleSteps, rule.givesNothing(countingIn: &ruleSteps) {
        warn(at: node, DefinedProblem.ruleWithoutDays(text))
      }
    } catch {
      let rule = "the rule \(quoted(template, of: open))"
      if error.isOtherCalendar {
        warn(at: node, "\(rule) is ignored, so the item comes once: \(error.message)")
      } else {
        itemDefect = defect(at: node, "\(rule), byte \(error.offset + 1): \(error.message)")
      }
    }
  }
}

extension ItemRules {
  /// Whether ids use the start, which needs a zone.
  var idUsesStart: Bool {
    id?.parts.contains { if case .value("start", _) = $0 { true } else { false } } ?? false
  }
}

extension [Condition] {
  /// The steps that testing them takes, see ``DefinedFileReading/mostSteps``. A comparison takes as long as a few steps
  /// of a path.
  var steps: Int { 4 * reduce(0) { $0 + $1.comparisonCount } }
}

extension Condition {
  fileprivate var comparisonCount: Int {
    switch self {
    case .any(let conditions): conditions.reduce(1) { $0 + $1.comparisonCount }
    case .test(_, .in, .list(let values)): values.count + 1
    case .test: 1
    }
  }
}

extension DefinedItem.Frame {
  /// The zone that the item names.
  fileprivate var zone: TimeZoneRules? { if case .zone(let rules) = self { rules } else { nil } }
}

extension DefinedItem {
  fileprivate var hasOpenEnd: Bool { if case .time(let end) = end { end.shift != nil } else { false } }
}

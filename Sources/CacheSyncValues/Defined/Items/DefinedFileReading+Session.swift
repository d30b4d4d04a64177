extension DefinedFileReading {
  /// Reads the whole file. The session is usable only if there are no defects.
  mutating func readSession() {
    readZone()
    readWrittenTime()
    let places = itemPlaces()
    // Ids whose last item so far was dropped.
    var dropped: Set<RecordID> = []
    var hasReadable = places.isEmpty
    // Where each item of the session is, and what it is called.
    var origins: [(node: JSONTree.Index, name: String?)] = []
    for place in places where !isStopped {
      let fields = fields(of: place)
      countSteps(conditionSteps, at: place.node)
      if isStopped { break }
      let isKept = definition.items.condition.hold { fields.value(of: $0) }
      let id = self.id(of: place, fields)
      if let id {
        if isKept { dropped.remove(RecordID(id)) } else { dropped.insert(RecordID(id)) }
      }
      guard isKept else {
        hasReadable = true
        continue
      }
      isReadingItem = true
      let name = definition.items.name(of: fields.values)
      itemName = name.isEmpty ? nil : name
      let item = item(at: place, fields, id: id)
      isReadingItem = false
      if let defect = itemDefect {
        leaveOut(defect)
        itemDefect = nil
      } else {
        hasReadable = true
        session.items.append(item)
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
      warnings.append(JSONDefect(offset: tree.offset(of: first), message: message, place: .value))
    }
    session.droppedIDs = dropped
    session.isOpen =
      idUsesStart
      || session.items.contains { $0.start?.shift != nil || $0.hasOpenEnd } || session.updated?.shift != nil
      || hasOpenException
    warnOfReplaced(origins)
  }

  /// Warns of the items that do not count because a later one of the file has their id.
  private mutating func warnOfReplaced(_ origins: [(node: JSONTree.Index, name: String?)]) {
    // Items that start at one moment do so in every zone.
    let items = idUsesStart ? definition.settled(session, in: CivilCalendar(.utc)).items : session.items
    var later: [RecordID: JSONTree.Index] = [:]
    for (item, origin) in zip(items, origins).reversed() {
      guard let id = item.id, let node = later.updateValue(origin.node, forKey: RecordID(id)),
        node != origin.node
      else { continue }
      let message = "a later item has the same id \(JSONMessage.quoted(id)): this item is left out"
      warnings.append(
        JSONDefect(offset: tree.offset(of: origin.node), message: message, place: .value).named(origin.name))
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
      // What is not a zone is ignored, so that the times with an offset are still right.
      let result = find([path], from: .document)
      guard case .node(let node)? = result.found else {
        if case .member = result.lack {
          var defect = defect(of: result.lack, expecting: "a time zone")
          defect.message += ": the cache's counts"
          warn(defect)
        }
        return
      }
      if tree.kind(of: node) == .string {
        let name = tree.text(of: node)
        if WrittenTime.Source.text(name).isBlank { return }
        session.zone = rules(ofZone: name)
      }
      if session.zone == nil { warnOfZone(node, "the cache's counts") }
    }
  }

  private mutating func readWrittenTime() {
    guard let rule = definition.updated else { return }
    guard case .time(let found) = time(rule, for: .updated, of: .document, Fields()) else { return }
    let updated = found.time.resolved(in: found.frame.zone, isEnd: false)
    session.updated = updated
    let moment =
      switch updated.point {
      case .instant(let instant): instant
      // A day more or less makes no difference to a clock that is wrong.
      case .wall(let wall): CivilCalendar(.utc).firstInstant(at: wall)
      }
    guard let times, let days = times.daysAhead(of: moment) else { return }
    session.updated = DefinedItem.Time(.instant(times.modified), hasTime: true)
    warn(at: found.node ?? JSONTree.root, FileTimes.warning("updated", daysAhead: days))
  }

  /// Nil without a template and for an empty text. Also nil if it uses the start: ``FeedDefinition/settled(_:in:)``
  /// then makes it.
  private mutating func id(of place: ItemPlace, _ fields: Fields) -> String? {
    guard let template = definition.items.id else { return nil }
    guard !idUsesStart else {
      // The id is made later, but its steps count here.
      countSteps(template.steps, at: place.node)
      return nil
    }
    let id = text(template, of: place, fields)
    return id.isEmpty ? nil : id
  }

  private mutating func item(at place: ItemPlace, _ fields: Fields, id: String?) -> DefinedItem {
    var item = DefinedItem()
    item.id = id
    item.values = fields.values
    item.key = place.key.map { tree.text(of: $0) }
    item.index = place.index
    item.siblingCount = place.count
    guard let rule = definition.items.start else { return item }
    let repetition = definition.items.repeats.map { text($0, of: place, fields) } ?? ""
    var zone: TimeZoneRules?
    switch time(rule, for: .start(repeats: !repetition.isEmpty), of: place, fields) {
    case .time(let start):
      zone = start.zone
      item.start = start.time.inWholeSeconds
      item.frame = start.frame
      item.end = end(of: item, isOfDays: start.isOfDays, place, fields)
    case .absent(let lack): failTime(lack, expecting: "the item's start")
    case .defective: break
    }
    // An item that is left out needs no other warning.
    if itemDefect == nil { readRecurrence(repetition, of: &item, in: zone, place, fields) }
    return item
  }

  /// An end that cannot be read, or is before the start, is ignored with a warning.
  private mutating func end(
    of item: DefinedItem, isOfDays: Bool, _ place: ItemPlace, _ fields: Fields
  ) -> DefinedItem.End {
    switch definition.items.end {
    case .next?: return .next
    case .time(let rule)?:
      switch time(rule, for: .end(isOfDays: isOfDays), of: place, fields) {
      case .time(let end):
        if let known = self.end(end, of: item) { return .time(known) }
        warn(at: end.node ?? place.node, "the end is before the start: it is ignored")
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
    guard let template = definition.items.lasts, let duration = duration(template, of: place, fields) else {
      return .unstated
    }
    guard let duration, duration.days >= 0, duration.seconds >= 0 else {
      let found = quoted(template, of: place, fields)
      let message = "expected how long it lasts, such as PT1H30M or P7D, found \(found): it is ignored"
      warn(at: node(of: template, place, fields), message)
      return .unstated
    }
    return .lasts(days: duration.days, seconds: duration.seconds)
  }

  /// The end of an item in its calendar; nil if it is before the start.
  private func end(_ found: FoundTime, of item: DefinedItem) -> DefinedItem.Time? {
    guard let start = item.start else { return found.time }
    var end = found.time
    if end.hasTime, found.frame != item.frame {
      end = end.resolved(in: found.frame.zone ?? session.zone, isEnd: true)
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

  private mutating func readRecurrence(
    _ text: String, of item: inout DefinedItem, in zone: TimeZoneRules?, _ place: ItemPlace, _ fields: Fields
  ) {
    if let template = definition.items.repeats {
      if let known = repetitions[text] {
        item.repetition = known.rule
        warn(ofEmpty: known.emptyParts, at: node(of: template, place, fields))
      } else if !text.isEmpty {
        do throws(RecurrenceRule.Defect) {
          var emptyParts: [String] = []
          let rule = try RecurrenceRule(text, leavingOut: &emptyParts)
          let repetition = DefinedItem.Repetition(rule)
          repetitions[text] = (repetition, emptyParts)
          item.repetition = repetition
          warn(ofEmpty: emptyParts, at: node(of: template, place, fields))
          // A rule without `{…}` has its warning in the definition.
          if template.hasHoles, ruleSteps < Self.mostRuleSteps,
            (item.isAllDay ? rule.ofDays : rule).givesNothing(countingIn: &ruleSteps)
          {
            warn(at: node(of: template, place, fields), DefinedProblem.ruleWithoutDays(text))
          }
        } catch {
          let rule = "the rule \(quoted(template, of: place, fields))"
          if error.isOtherCalendar {
            warn(
              at: node(of: template, place, fields), "\(rule) is ignored, so the item comes once: \(error.message)")
          } else {
            failTime(node(of: template, place, fields), "\(rule), byte \(error.offset + 1): \(error.message)")
          }
        }
      }
    }
    if let path = definition.items.except {
      item.except = exceptions(path, of: place, areDays: item.isAllDay, in: zone)
    }
  }

  private mutating func warn(ofEmpty parts: [String], at node: JSONTree.Index) {
    if parts.isEmpty { return }
    warn(at: node, "\(parts.joined(separator: ", ")) of the rule has an empty entry, which is ignored")
  }
}

extension ItemRules {
  /// Whether ids use the start, which needs a zone.
  var idUsesStart: Bool {
    id?.parts.contains { if case .value("start", _) = $0 { true } else { false } } ?? false
  }

  /// The steps that the conditions take for each item, see ``DefinedFileReading/mostSteps``. A comparison takes as long
  /// as a few steps of a path.
  var conditionSteps: Int { condition.steps }
}

extension [Condition] {
  /// The steps that testing them takes.
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

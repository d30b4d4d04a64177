extension DefinedFileReading {
  /// Reads the whole file. The session is usable only if there are no defects.
  mutating func readSession() {
    readZone()
    readWrittenTime()
    let places = itemPlaces()
    // Ids whose last item so far was dropped.
    var dropped: Set<RecordID> = []
    var hasReadable = places.isEmpty
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
      let item = item(at: place, fields, id: id)
      isReadingItem = false
      if let defect = itemDefect {
        leaveOut(defect)
        itemDefect = nil
      } else {
        hasReadable = true
        session.items.append(item)
      }
    }
    for defect in leftOut {
      if hasReadable {
        warnings.append(
          JSONDefect(offset: defect.offset, message: defect.message + ": this item is left out", place: defect.place))
      } else {
        // No item of the file can be read, so the definition does not fit it.
        defects.insert(at: defect.offset, defect.place) { defect.message }
      }
    }
    session.droppedIDs = dropped
    session.isOpen =
      idUsesStart
      || session.items.contains { $0.start?.shift != nil || $0.hasOpenEnd } || session.updated?.shift != nil
    if let zone = session.zone, session.isOpen, !session.usesCacheZone {
      session = definition.settled(session, in: CivilCalendar(zone))
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
      let result = find([path], from: .document)
      guard case .node(let node)? = result.found, tree.kind(of: node) == .string else {
        if case .node(let node)? = result.found {
          return fail(.holder(node), expecting: "a time zone such as Europe/Berlin")
        }
        return fail(result.lack, expecting: "a time zone such as Europe/Berlin")
      }
      let name = tree.text(of: node)
      session.zone = rules(ofZone: name)
      if session.zone == nil { fail(node, TimeZoneError(name: name, reason: .unknown).description) }
    }
  }

  private mutating func readWrittenTime() {
    guard let rule = definition.updated else { return }
    guard case .time(let time, let frame, _) = time(rule, of: .document, Fields()) else { return }
    session.updated = time.resolved(in: frame, isEnd: false)
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
    switch time(rule, of: place, fields) {
    case .time(let start, let frame, _):
      item.start = start.inWholeSeconds
      item.frame = frame
    case .absent(let lack): failTime(lack, expecting: "the item's start")
    case .defective: break
    }
    item.end = end(of: item, place, fields)
    readRecurrence(of: &item, place, fields)
    return item
  }

  private mutating func end(of item: DefinedItem, _ place: ItemPlace, _ fields: Fields) -> DefinedItem.End {
    switch definition.items.end {
    case .next?: return .next
    case .time(let rule)?:
      let isAllDay = item.frame == .cache
      let result =
        if isAllDay, let start = item.start {
          allDayEnd(rule, after: start, of: place, fields)
        } else {
          time(rule, of: place, fields)
        }
      switch result {
      case .time(let time, let frame, let node):
        let end = (frame == item.frame ? time : time.resolved(in: frame, isEnd: true)).inWholeSeconds
        let zone = if case .zone(let own) = item.frame { own } else { session.zone }
        if !isAllDay, let start = item.start, end.isBefore(start, in: zone) {
          failTime(node ?? place.node, "the end is before the start")
        }
        return .time(end)
      case .absent: break
      case .defective: return .unstated
      }
    case nil: break
    }
    guard let template = definition.items.lasts, let duration = duration(template, of: place, fields) else {
      return .unstated
    }
    guard let duration, duration.days >= 0, duration.seconds >= 0 else {
      let found = JSONMessage.quoted(text(template, of: place, fields))
      failTime(node(of: template, place, fields), "expected how long it lasts, such as PT1H30M or P7D, found \(found)")
      return .unstated
    }
    return .lasts(days: duration.days, seconds: duration.seconds)
  }

  private mutating func readRecurrence(of item: inout DefinedItem, _ place: ItemPlace, _ fields: Fields) {
    if let template = definition.items.repeats {
      let text = self.text(template, of: place, fields)
      if let known = repetitions[text] {
        item.repetition = known
      } else if !text.isEmpty {
        do throws(RecurrenceRule.Defect) {
          let rule = try RecurrenceRule(text)
          let repetition = DefinedItem.Repetition(rule)
          repetitions[text] = repetition
          item.repetition = repetition
          // A rule without `{…}` has its warning in the definition.
          if template.hasHoles, ruleSteps < Self.mostRuleSteps, rule.givesNothing(countingIn: &ruleSteps) {
            let node = node(of: template, place, fields)
            warnings.append(
              JSONDefect(
                offset: tree.offset(of: node), message: DefinedProblem.ruleWithoutDays(text), place: .value))
          }
        } catch {
          failTime(
            node(of: template, place, fields),
            "the rule \(JSONMessage.quoted(text)), byte \(error.offset + 1): \(error.message)")
        }
      }
    }
    if let path = definition.items.except { item.except = exceptions(path, of: place) }
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

extension DefinedItem {
  fileprivate var hasOpenEnd: Bool { if case .time(let end) = end { end.shift != nil } else { false } }
}

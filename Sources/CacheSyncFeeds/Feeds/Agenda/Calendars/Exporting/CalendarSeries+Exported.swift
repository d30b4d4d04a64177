import CacheSyncSystem

extension CalendarSeries {
  /// The event, or the series with its changed occurrences, as its file has them (calendars.md). What does not show is
  /// left out, or becomes an exception.
  ///
  /// - Parameters:
  ///   - ownID: the id if the file has no such UID.
  ///   - me: the addresses of the person; what they declined is left out.
  /// - Returns: nil if the file was not read for that, or if programs would not show the same occurrences.
  func exported(
    as ownID: String, in calendar: CivilCalendar, without me: Set<ExactText>, limits: CalendarLimits = .init()
  ) -> [ExportedComponent]? {
    func isHidden(_ entry: CalendarEntry) -> Bool { entry.isCancelled || entry.isDeclined(by: me) }
    let master = master.flatMap { isHidden($0) ? nil : $0 }
    let shown = overrides.filter { !isHidden($0) }
    // A part of a series cannot be left out as an occurrence can.
    if !ranges.isEmpty, master == nil || ranges.contains(where: isHidden) { return nil }
    // Programs disagree about a change of what does not repeat.
    if let master, !master.repeats, !overrides.isEmpty { return nil }
    guard let details = (master ?? shown.first)?.details else { return nil }
    let uid = details.uid.flatMap { isSameText($0, id) ? $0 : nil }

    var components: [ExportedComponent] = []
    let changes = shown.compactMap { override in
      override.original.map { (entry: override, original: $0, second: $0.second(in: calendar)) }
    }
    if let master, let details = master.details {
      var properties: [ExportedComponent.Property] = []
      if master.repeats {
        var series = master.series(calendar)
        let hidden = overrides.filter(isHidden)
        series.exceptions.insert(
          seconds: hidden.compactMap { $0.original?.second(in: calendar) }, days: overrides.compactMap(\.originalDay))
        guard
          let written = master.recurrence(of: series, details, except: Set(changes.map(\.second)), in: calendar, limits)
        else {
          return nil
        }
        properties = written
      }
      components.append(master.component(details, properties, in: calendar))
    }
    for (entry, original, second) in changes {
      guard let details = entry.details else { return nil }
      let zone = self.master?.start.zone ?? original.zone
      let named =
        switch zone {
        case .day: CalendarMoment(original.wall.day)
        case .floating, .known: CalendarMoment(second: second, in: zone.rules(calendar))
        }
      let name = entry.changesLater ? "RECURRENCE-ID;RANGE=THISANDFUTURE" : "RECURRENCE-ID"
      components.append(entry.component(details, [.date(name, named)], in: calendar))
    }
    for index in components.indices { (components[index].id, components[index].uid) = (ownID, uid) }
    return components
  }
}

extension CalendarEntry {
  /// RRULE, RDATE and EXDATE; nil if programs would not read the same from them.
  ///
  /// - Parameter changed: the original starts of changed occurrences, which no exception may name.
  func recurrence(
    of series: Series, _ details: CalendarDetails, except changed: Set<Int64>, in calendar: CivilCalendar,
    _ limits: CalendarLimits
  ) -> [ExportedComponent.Property]? {
    // Programs read rules of hours for days in many ways, and always show the start.
    // libical 3.0 does not show an additional date that has a length of its own.
    let isReadAlike =
      series.isStartSure && (!start.isDay || details.rules.allSatisfy { $0.frequency >= .daily })
      && series.dates.allSatisfy { $0.length == nil }
    guard isReadAlike, let excluded = series.excluded(mostSteps: limits.steps) else { return nil }
    let clock = series.clock
    let rules = start.zone.rules(calendar)
    func moment(_ original: Series.Original) -> CalendarMoment {
      start.isDay ? CalendarMoment(original.wall.day) : CalendarMoment(second: original.second, in: rules)
    }
    var properties = details.rules.map { rule -> ExportedComponent.Property in
      // The time of a series of times is in UTC (RFC 5545, 3.3.10).
      let last: Int64? =
        switch rule.end {
        case .never, .count: nil
        case .untilDay(let day):
          start.isDay ? WallTime(day).seconds : clock.second(atWall: WallTime(day).advanced(byDays: 1)) - 1
        case .untilWall(let wall): start.isDay ? wall.seconds : clock.second(atWall: wall)
        case .untilInstant(let moment): moment.seconds
        }
      let until = last.map { CalendarMoment(second: $0, in: .utc) }
      let text = until.map { start.isDay ? CalendarMoment($0.wall.day).digits : $0.digits }
      return .plain("RRULE", rule.text(until: text ?? ""))
    }
    // In UTC, because libical 3.0 takes them for that.
    func date(_ original: Series.Original) -> ExportedComponent.Property {
      .date("RDATE", start.isDay ? moment(original) : CalendarMoment(second: original.second, in: .utc))
    }
    // Not all programs show a start that no rule gives.
    if !details.rules.contains(where: { $0.gives(series.start.wall) }) { properties.append(date(series.start)) }
    properties += series.dates.map { date($0.original) }
    return properties + excluded.filter { !changed.contains($0.second) }.map { .date("EXDATE", moment($0)) }
  }

  /// - Parameter properties: those that say how it repeats, or what it changes.
  fileprivate func component(
    _ details: CalendarDetails, _ properties: [ExportedComponent.Property], in calendar: CivilCalendar
  ) -> ExportedComponent {
    let (second, end) = span(calendar)
    let first = Instant(seconds: second).clamped
    var component = ExportedComponent(
      form: .event, id: "", order: first, stamp: written.map { Instant(seconds: $0).clamped } ?? first,
      properties: [.escaped("SUMMARY", title)])
    if let location { component.properties.append(.escaped("LOCATION", location)) }
    component.properties.append(.date("DTSTART", start.placed(in: calendar)))
    let length = length(calendar)
    switch length {
    case .days(let days):
      component.properties.append(.date("DTEND", CalendarMoment(start.wall.day.advanced(by: days))))
    case .lasting(let duration) where end > second:
      component.properties.append(.plain("DURATION", duration.description))
    case .wall, .lasting:
      // A first start that clocks skip has no length, but those after it do.
      if case .at(let moment) = self.end, end > second || length.longestSeconds > 0 {
        component.properties.append(.date("DTEND", moment.placed(in: calendar)))
      }
    }
    component.properties += properties + details.properties
    if let status = details.status { component.properties.append(.plain("STATUS", status)) }
    if !details.categories.isEmpty { component.properties.append(.list("CATEGORIES", details.categories)) }
    component.alarms = details.alarms.compactMap { $0.properties(titled: title) }
    return component
  }
}

extension RecurrenceRule {
  /// Whether a series by this rule has its own start as an occurrence of the rule.
  fileprivate func gives(_ start: WallTime) -> Bool {
    var occurrences = occurrences(from: start, notAfter: start)
    return occurrences.next() == start
  }
}

extension CalendarMoment {
  /// A time without a zone in the cache's; any other date does not change.
  func placed(in calendar: CivilCalendar) -> CalendarMoment { placed(in: .known(calendar.rules)) }
}

extension CalendarMoment.Zone {
  /// The zone's rules; those of the cache if it has none of its own.
  func rules(_ calendar: CivilCalendar) -> TimeZoneRules {
    if case .known(let rules) = self { rules } else { calendar.rules }
  }
}

extension ExportedComponent.Property {
  static func date(_ name: String, _ moment: CalendarMoment) -> Self {
    var zone: (TimeZoneRules, Int64)?
    if case .known(let rules) = moment.zone, let second = moment.knownSecond { zone = (rules, second) }
    return .zoned(name, ExportedDate(wall: moment.wall, isDay: moment.isDay, zone: zone))
  }
}

extension RecordID {
  /// The id, and that of the series of which it may be an occurrence: `UID` of `UID#20261123`.
  var ofSeries: [RecordID] {
    [self] + (text.lastIndex(of: "#").map { [RecordID(String(text[..<$0]))] } ?? [])
  }
}

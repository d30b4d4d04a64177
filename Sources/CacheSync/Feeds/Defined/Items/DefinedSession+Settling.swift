extension FeedDefinition {
  /// Resolves what depends on the cache's zone: days that are given as moments, and ids that use the start.
  ///
  /// A session is read once, and settled again when the cache's zone changes.
  ///
  /// - Parameter calendar: the cache's calendar. Local times are in the file's zone if the file names one.
  package func settled(_ session: DefinedSession, in calendar: CivilCalendar) -> DefinedSession {
    guard session.isOpen else { return session }
    let calendars = ItemCalendars(of: session, cache: calendar)
    var settled = session
    let fieldPlaces = TextMap(zip(items.fields.map(\.name), items.fields.indices).map { ($0, $1) })
    settled.updated = session.updated?.settled(in: calendars.file)
    for index in settled.items.indices {
      let own = calendars.of(session.items[index])
      settled.items[index].start = session.items[index].start?.settled(in: own)
      if case .time(let end) = session.items[index].end { settled.items[index].end = .time(end.settled(in: own)) }
      if let template = items.id, items.idUsesStart {
        settled.items[index].id = id(template, of: settled.items[index], fieldPlaces, calendars)
      }
    }
    return settled
  }

  private func id(
    _ template: TextTemplate, of item: DefinedItem, _ fieldPlaces: TextMap<Int>, _ calendars: ItemCalendars
  ) -> String? {
    let id = template.renderedText(words: words, calendar: calendars.cache, today: nil) { name in
      if let index = fieldPlaces[name] {
        return item.values.indices.contains(index) ? item.values[index] : .null
      }
      return switch name {
      case "start": item.start.map { .instant($0.moment(in: calendars.of(item))) } ?? .null
      case "key": item.key.map(ItemValue.text) ?? .null
      case "index": .number(Double(item.index))
      case "count": .number(Double(item.siblingCount))
      default: .null
      }
    }
    return id.isEmpty ? nil : id
  }
}

extension DefinedItem.Time {
  /// Starts and ends count in whole seconds.
  var inWholeSeconds: DefinedItem.Time {
    guard case .instant(let instant) = point else { return self }
    var time = self
    time.point = .instant(Instant(seconds: instant.seconds))
    return time
  }

  fileprivate func settled(in calendar: CivilCalendar) -> DefinedItem.Time {
    guard let shift, case .instant(let instant) = point else { return self }
    let day = calendar.day(of: instant).advanced(by: shift.days)
    return DefinedItem.Time(.wall(WallTime(day, secondOfDay: shift.secondOfDay)), hasTime: hasTime)
  }

  /// Whether this end is before a start. False if that depends on the cache's zone, which is not known here.
  func isBefore(_ start: DefinedItem.Time, in zone: TimeZoneRules?) -> Bool {
    guard let zone else {
      switch (point, start.point) {
      case (.wall(let end), .wall(let start)): return hasTime ? end < start : end.day < start.day
      case (.instant(let end), .instant(let start)) where shift == nil && self.shift == nil: return end < start
      default: return false
      }
    }
    let calendar = CivilCalendar(zone)
    let (end, start) = (settled(in: calendar), start.settled(in: calendar).moment(in: calendar))
    if !end.hasTime, case .wall(let wall) = end.point { return calendar.interval(of: wall.day).upperBound <= start }
    return end.moment(in: calendar) < start
  }

  /// The moment itself, or the first moment at which the wall clock shows the time.
  fileprivate func moment(in calendar: CivilCalendar) -> Instant {
    switch point {
    case .instant(let instant): return instant
    case .wall(let wall): return calendar.firstInstant(at: wall)
    }
  }
}

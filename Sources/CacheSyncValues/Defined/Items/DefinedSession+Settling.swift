extension FeedDefinition {
  /// Resolves what depends on the cache's zone: days that are given as moments (``MeantDay``), and ids that use the
  /// start.
  ///
  /// A session is read once, and settled again when the cache's zone changes.
  ///
  /// - Parameter calendar: the cache's calendar. Local times are in the file's zone if the file names one.
  package func settled(_ session: DefinedSession, in calendar: CivilCalendar) -> DefinedSession {
    guard session.isOpen else { return session }
    let calendars = ItemCalendars(of: session, cache: calendar)
    var settled = session
    let fieldPlaces = items.fieldPlaces
    settled.updated = session.updated?.settled(in: calendar).time
    // Items often share a list of exceptions, which may be long.
    var latest = (read: [DefinedItem.Time](), settled: [DefinedItem.Time]())
    for index in settled.items.indices {
      let item = session.items[index]
      let start = item.start?.settled(in: calendar)
      settled.items[index].start = start?.time
      if !item.except.isEmpty {
        if item.except != latest.read { latest = (item.except, item.except.map { $0.settled(in: calendar).time }) }
        settled.items[index].except = latest.settled
      }
      if case .time(let end) = item.end { settled.items[index].end = .time(end.settled(in: calendar).time) }
      if let start, start.isMidnight, !start.time.hasTime, item.frame == .file, session.zone != nil {
        // A midnight of the cache's zone is a day of that zone, whatever zone the file names.
        settled.items[index].frame = .cache
        if case .time(let end) = settled.items[index].end, end.hasTime {
          settled.items[index].end = .time(
            DefinedItem.Time(.instant(end.preciseInstant(in: calendars.file)), hasTime: true))
        }
      }
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
      guard name == "start", let start = item.start else { return item.value(named: name, fieldPlaces) }
      return .instant(start.preciseInstant(in: calendars.of(item)))
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

  /// - Returns: the time, and whether it was a moment that is a midnight of the cache's zone.
  fileprivate func settled(in cache: CivilCalendar) -> (time: DefinedItem.Time, isMidnight: Bool) {
    guard let shift, case .instant(let instant) = point else { return (self, false) }
    let meant = MeantDay(instant, in: cache, otherwise: shift.zoneDay(of: instant))
    let day = (shift.isEnd ? meant.last : meant.day).advanced(by: Int(shift.days))
    let wall = WallTime(day, secondOfDay: Int(shift.secondOfDay))
    return (DefinedItem.Time(.wall(wall), hasTime: hasTime), meant.part != .within)
  }

  /// Whether this end is before a start. False if that depends on the cache's zone, which is not known here.
  func isBefore(_ start: DefinedItem.Time, in zone: TimeZoneRules?) -> Bool {
    if shift != nil || start.shift != nil { return false }
    guard let zone else {
      switch (point, start.point) {
      case (.wall(let end), .wall(let start)): return hasTime ? end < start : end.day < start.day
      case (.instant(let end), .instant(let start)): return end < start
      default: return false
      }
    }
    let calendar = CivilCalendar(zone)
    let start = start.preciseInstant(in: calendar)
    if !hasTime, case .wall(let wall) = point { return calendar.interval(of: wall.day).upperBound <= start }
    return preciseInstant(in: calendar) < start
  }

  /// The moment itself, or the first moment at which the wall clock shows the time.
  func preciseInstant(in calendar: CivilCalendar) -> Instant {
    switch point {
    case .instant(let instant): return instant
    case .wall(let wall): return calendar.firstInstant(at: wall)
    }
  }
}

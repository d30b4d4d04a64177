extension CalendarEntry {
  /// The entry's own series, without the entries that change occurrences.
  func series(_ calendar: CivilCalendar) -> Series {
    let (second, end) = span(calendar)
    var series = Series(
      clock: start.zone.clock(calendar), start: Series.Original(wall: start.wall, second: second), end: end,
      isStartSure: !endsBeforeStart(calendar), length: length(calendar), rules: rules,
      dates: extras.map { date($0, calendar) }, exceptions: exceptions)
    series.exceptions.local = calendar.rules
    return series
  }

  /// Whether every rule ends before the start. Programs write that if a series was cut off before its first occurrence.
  private func endsBeforeStart(_ calendar: CivilCalendar) -> Bool {
    !rules.isEmpty
      && rules.allSatisfy { rule in
        switch rule.end {
        case .never, .count: false
        case .untilDay(let day): day < start.wall.day
        case .untilWall(let wall): wall < start.wall
        case .untilInstant(let moment): moment.seconds < start.second(in: calendar)
        }
      }
  }

  /// A day in a series of times has the time of DTSTART; a time in a series of days is its day. A length of the other
  /// kind is then ignored.
  private func date(_ extra: Extra, _ calendar: CivilCalendar) -> (original: Series.Original, length: OccurrenceLength?)
  {
    var wall = extra.start.isDay ? extra.start.wall : extra.start.wall(in: start.zone, calendar)
    if extra.start.isDay == start.isDay {
      let length = extra.end.map { Self.length(from: extra.start, to: $0, calendar) }
      return (Series.Original(wall: wall, second: extra.start.second(in: calendar)), length)
    }
    wall = WallTime(wall.day, secondOfDay: start.wall.secondOfDay)
    return (Series.Original(wall: wall, second: start.zone.clock(calendar).second(atWall: wall)), nil)
  }
}

extension SeriesExceptions {
  /// Leaves out occurrences that start at these moments, and on these days.
  mutating func insert(_ moments: [CalendarMoment]) {
    let times = moments.filter { !$0.isDay }
    insert(
      seconds: times.compactMap(\.knownSecond), walls: times.filter { $0.knownSecond == nil }.map(\.wall),
      days: moments.filter(\.isDay).map(\.wall.day))
  }
}

extension RecurrenceRule {
  /// The rule for a series of days. It ends with a day, because programs also write the last day as a time.
  var ofCalendarDays: RecurrenceRule {
    var rule = ofDays
    guard case .untilInstant(let moment) = end else { return rule }
    rule.end = .untilDay(TimeZoneRules.utc.wall(atSecond: moment.seconds).day)
    return rule
  }
}

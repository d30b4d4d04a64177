/// One VEVENT or VTODO, as written in its file: an event, a series, or the change of an occurrence.
package struct CalendarEntry: Sendable {
  /// The end of the event.
  package enum End: Sendable {
    /// Neither DTEND nor DURATION: a day lasts that day, anything else has no length.
    case none
    case at(CalendarMoment)
    /// Days on the wall clock, then exact seconds.
    case lasting(CalendarDuration)
  }

  /// One value of RDATE.
  package struct Extra: Sendable {
    package var start: CalendarMoment
    /// A PERIOD's own end.
    package var end: End?

    /// Places times without a zone in a zone.
    func placed(in zone: CalendarMoment.Zone) -> Extra {
      var extra = self
      extra.start = start.placed(in: zone)
      if case .at(let moment) = end { extra.end = .at(moment.placed(in: zone)) }
      return extra
    }
  }

  /// The version of a VEVENT. The newer one has the greater SEQUENCE, then the greater DTSTAMP.
  package struct Version: Comparable, Sendable {
    package var sequence = 0
    /// Seconds since 1970; without DTSTAMP the version is older than any other.
    package var stamp = Int64.min

    package static func < (a: Version, b: Version) -> Bool {
      a.sequence == b.sequence ? a.stamp < b.stamp : a.sequence < b.sequence
    }
  }

  let component: CalendarComponent
  /// RANGE=THISANDFUTURE: it also changes the later occurrences. (Here it takes no memory.)
  package var changesLater = false
  /// The number among the components of its kind in the file, from 0.
  package var index: Int
  /// The line to report if a limit is exceeded: that of the first RRULE or RDATE, or else of the event's beginning.
  package var line: Int
  package var property: String?
  package var title = ""
  package var location: String?
  package var start: CalendarMoment
  package var end = End.none
  package var isCancelled = false
  package var version = Version()
  /// CREATED and LAST-MODIFIED, in seconds since 1970; `.min`: none.
  package var created = Int64.min
  package var modified = Int64.min
  /// The addresses of the attendees who declined, in lower case.
  package var declined: [ExactText] = []
  package var rules: [RecurrenceRule] = []
  package var extras: [Extra] = []
  /// EXDATE. A day leaves out all occurrences of that day.
  package var exceptions = SeriesExceptions()
  /// RECURRENCE-ID: the occurrence that this entry replaces.
  package var original: CalendarMoment?
  /// If RECURRENCE-ID is a day in a series of times: it names all occurrences of that day.
  package var originalDay: LocalDay?
  /// The zone of a RECURRENCE-ID without one if there is no series: X-WR-TIMEZONE, or else the zone of DTSTART.
  package var zoneOfSeries = CalendarMoment.Zone.floating
  /// One, if the file was read for that. (As a list, an entry without it takes 8 bytes.)
  private var keptDetails: [CalendarDetails] = []

  init(_ component: CalendarComponent, index: Int, line: Int, start: CalendarMoment) {
    self.component = component
    self.index = index
    self.line = line
    self.start = start
  }

  /// `/VEVENT/2/RRULE`
  var pointer: String { "/\(component.rawValue)/\(index)" + (property.map { "/" + $0 } ?? "") }

  /// What only an exported calendar has of it; nil: not kept.
  var details: CalendarDetails? {
    get { keptDetails.first }
    set { keptDetails = newValue.map { [$0] } ?? [] }
  }

  var repeats: Bool { !rules.isEmpty || !extras.isEmpty }

  /// When it was last written, by its own words, in seconds since 1970: LAST-MODIFIED, else DTSTAMP; nil: it does not
  /// say.
  var written: Int64? { [modified, version.stamp].first { $0 >= 0 } }

  /// Whether one of these people declined.
  func isDeclined(by me: Set<ExactText>) -> Bool { !declined.isEmpty && declined.contains(where: me.contains) }

  func length(_ calendar: CivilCalendar) -> OccurrenceLength { Self.length(from: start, to: end, calendar) }

  static func length(from start: CalendarMoment, to end: End, _ calendar: CivilCalendar) -> OccurrenceLength {
    switch end {
    case .none:
      return start.isDay ? .days(1) : .wall(seconds: 0)
    case .at(let end):
      let distance = end.wall(in: start.zone, calendar).seconds - start.wall.seconds
      return start.isDay ? .days(max(1, Int(distance / Gregorian.secondsPerDay))) : .wall(seconds: max(0, distance))
    case .lasting(let duration):
      guard start.isDay else { return .lasting(duration) }
      // A day with PT24H violates RFC 5545, but programs write it.
      let day = Int(Gregorian.secondsPerDay)
      return .days(max(1, duration.days + (duration.seconds + day - 1) / day))
    }
  }

  /// The entry's own start and end, in seconds since 1970.
  func span(_ calendar: CivilCalendar) -> (start: Int64, end: Int64) {
    let second = start.second(in: calendar)
    if case .at(let end) = end, !start.isDay { return (second, max(second, end.second(in: calendar))) }
    return (second, length(calendar).end(after: start.wall, second: second, by: start.zone.clock(calendar)))
  }
}

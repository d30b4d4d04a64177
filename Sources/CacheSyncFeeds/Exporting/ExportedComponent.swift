/// An event or a to-do of an exported calendar (calendars.md).
package struct ExportedComponent: Sendable {
  /// A property with its value, in the types of RFC 5545.
  package enum Property: Sendable {
    /// TEXT.
    case escaped(String, String)
    /// TEXT, several.
    case list(String, [String])
    case day(String, LocalDay)
    case moment(String, Instant)
    /// A day, or a time that keeps its zone. The name may have parameters.
    case zoned(String, ExportedDate)
    /// A word that needs no escaping.
    case plain(String, String)
  }

  package var form: CalendarComponent
  /// The id within the feed: its record's, with the start of an occurrence.
  package var id: String
  /// The UID, as a calendar has it; nil: one is made from the id.
  var uid: String?
  /// What orders it: the start of an event, the due date of a to-do; nil: last.
  package var order: Instant?
  /// When its own record was last written, never a file's time: so one edit changes one component.
  package var stamp: Instant
  /// In the order in which they are written.
  package var properties: [Property]
  /// VALARMs.
  var alarms: [[Property]] = []

  /// An event; without an end if it has no length.
  ///
  /// - Parameter isOfDays: whether it lasts whole days, so that it has dates instead of times.
  static func event(
    _ id: String, title: String, location: String? = nil, from start: Instant, to end: Instant, isOfDays: Bool,
    stamp: Instant?, in calendar: CivilCalendar
  ) -> ExportedComponent {
    var properties: [Property] = [.escaped("SUMMARY", title)]
    if let location, !location.isEmpty { properties.append(.escaped("LOCATION", location)) }
    if isOfDays {
      properties += [.day("DTSTART", calendar.day(of: start)), .day("DTEND", calendar.day(of: end))]
    } else {
      properties.append(.moment("DTSTART", start))
      if end > start { properties.append(.moment("DTEND", end)) }
    }
    return ExportedComponent(form: .event, id: id, order: start, stamp: stamp ?? start, properties: properties)
  }
}

/// The days that an exported calendar of events covers, and how many events it may have.
enum ExportedDays {
  static let before = 31
  static let after = 365
  private static let mostEvents = 5_000

  static func window(around moment: Moment) -> Range<Instant> {
    let first = moment.calendar.start(of: moment.day.advanced(by: -before))
    return first..<max(first, moment.calendar.interval(of: moment.day.advanced(by: after)).upperBound)
  }

  /// The events nearest to today, at most as many as fit.
  ///
  /// - Parameter isFirst: whether an event counts after those nearer to today; each is asked once, in that order.
  static func nearest<Event>(
    _ events: [Event], to moment: Moment, where isFirst: (Event) -> Bool = { _ in true },
    _ times: (Event) -> (start: Instant, end: Instant)
  ) -> [Event] {
    let today = moment.calendar.interval(of: moment.day)
    func distance(_ event: Event) -> Int64 {
      let (start, end) = times(event)
      let before = today.lowerBound.microseconds - end.microseconds
      return max(0, start.microseconds - today.upperBound.microseconds, before)
    }
    let distances = events.map(distance)
    let order = events.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    var found: [Event] = []
    for index in order where found.count < mostEvents && isFirst(events[index]) { found.append(events[index]) }
    return found
  }
}

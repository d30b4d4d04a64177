extension EventKinds {
  static let calendarView: KindView = { entry in
    switch entry.family {
    case .systemSmall: small(entry)
    case .systemMedium: medium(entry)
    case .systemLarge: large(entry)
    default: month(entry)
    }
  }

  static let nextEventView: KindView = { entry in
    if entry.family == .accessoryRectangular { return rectangular(entry) }
    guard let next = entry["event"], next != .null else { return .text(entry["text"].words) }
    return row(next, entry)
  }

  private static func month(_ entry: ViewInput) -> ViewNode {
    let events = entry.list("events").map { row($0, entry) }
    let month = ViewNode.line(.icon("calendar", "📅"), .text(entry["month"].words))
    return .vertical(
      [month] + (events.isEmpty ? [.text("No upcoming events")] : events) + ViewNode.more(entry["more"]))
  }

  private static func row(_ event: JSONValue, _ entry: ViewInput) -> ViewNode {
    let place = event["location"]?.string.map { "@ " + $0 } ?? .missing
    return .row(nil, .label(span(event, entry)), .text(event["title"].words), .text(place, .soft))
      .onTap(ViewNode.Action(linkOf: event))
  }

  /// "14:00–15:30". The date is added if it is not today, and that of the end if it is on another day. For whole days
  /// "all day", with the date if it is not today, or the days if there are several.
  private static func span(_ event: JSONValue, _ entry: ViewInput) -> String {
    guard let start = event["startTime"]?.instant, let end = event["endTime"]?.instant else { return .missing }
    if let days = days(of: event, entry) {
      let isDateShown = days.first == days.last && days.first != entry.calendar.day(of: entry.moment)
      return (isDateShown ? entry.date(days.first) + ", " : "") + words(for: days, entry)
    }
    let calendar = entry.calendar
    let isOneDay = calendar.wallTime(of: start).day == calendar.wallTime(of: end).day
    if end == start { return entry.time(start) }
    return "\(entry.time(start))–\(isOneDay ? entry.clock(end) : entry.time(end))"
  }

  /// The first and the last day of an event of whole days; nil if it has times.
  static func days(of event: JSONValue, _ entry: ViewInput) -> (first: LocalDay, last: LocalDay)? {
    guard event["allDay"] == .bool(true), let start = event["startTime"]?.instant, let end = event["endTime"]?.instant
    else { return nil }
    let first = entry.calendar.day(of: start)
    return (first, max(first, entry.calendar.day(of: Instant(microseconds: end.microseconds - 1))))
  }

  /// "all day", or "Sat 21 Nov–Sun 6 Dec".
  static func words(for days: (first: LocalDay, last: LocalDay), _ entry: ViewInput) -> String {
    days.first == days.last ? "all day" : "\(entry.date(days.first))–\(entry.date(days.last))"
  }
}

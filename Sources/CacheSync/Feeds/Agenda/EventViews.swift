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

  /// "14:00–15:30", with the date of what is not today, and of the end when it is another day's.
  private static func span(_ event: JSONValue, _ entry: ViewInput) -> String {
    guard let start = event["startTime"]?.instant, let end = event["endTime"]?.instant else { return .missing }
    let calendar = entry.calendar
    let isOneDay = calendar.wallTime(of: start).day == calendar.wallTime(of: end).day
    if end == start { return entry.time(start) }
    return "\(entry.time(start))–\(isOneDay ? entry.clock(end) : entry.time(end))"
  }
}

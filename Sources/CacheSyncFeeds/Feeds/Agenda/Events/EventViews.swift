extension EventKinds {
  static let calendarView = ViewNode.byFamily(
    [.systemSmall: small, .systemMedium: medium, .systemLarge: large], other: month)

  static let nextEventView: KindView = { entry in
    if entry.family == .accessoryRectangular { return rectangular(entry) }
    guard let next = entry["event"], next != .null, entry["now"] == .null || !isAllDay(next) else {
      return .text(entry["text"].words)
    }
    return row(Shown(content: next), entry)
  }

  /// An event of a list, and whether it is under way.
  struct Shown {
    var content: JSONValue
    var isUnderWay = false
  }

  /// The events under way and then the next ones, each once.
  static func shown(_ entry: ViewInput) -> [Shown] {
    let now = entry.list("now")
    let next = entry.list("events").filter { event in !now.contains { $0["id"] == event["id"] } }
    return now.map { Shown(content: $0, isUnderWay: true) } + next.map { Shown(content: $0) }
  }

  static func isAllDay(_ event: JSONValue?) -> Bool { event?["allDay"] == .bool(true) }

  /// When an event with times ends, with the date if that is not today; nil: its end is open.
  static func end(ofTimed event: JSONValue, _ entry: ViewInput) -> String? {
    isAllDay(event) ? nil : event["endTime"]?.instant.flatMap { $0.isAfterDates ? nil : entry.time($0) }
  }

  private static func month(_ entry: ViewInput) -> ViewNode {
    let events = shown(entry).map { row($0, entry) }
    let month = ViewNode.line(.icon("calendar", "📅"), .text(entry["month"].words))
    return .vertical(
      [month] + (events.isEmpty ? [.text(entry.phrase(.noUpcomingEvents))] : events) + entry.more(entry["more"]))
  }

  private static func row(_ shown: Shown, _ entry: ViewInput) -> ViewNode {
    let event = shown.content
    let place = event["location"]?.string.map { "@ " + $0 } ?? .missing
    let until = shown.isUnderWay ? end(ofTimed: event, entry).map { entry.phrase(.nowUntil, [.time: $0]) } : nil
    return .row(nil, .label(until ?? span(event, entry)), .text(event["title"].words), .text(place, .soft))
      .onTap(ViewNode.Action(linkOf: event))
  }

  /// "14:00–15:30". The date is added if it is not today, and that of the end if it is on another day. For whole days
  /// "all day", with the date if it is not today, or the days if there are several.
  private static func span(_ event: JSONValue, _ entry: ViewInput) -> String {
    guard let start = event["startTime"]?.instant, let end = event["endTime"]?.instant else { return .missing }
    if let days = days(of: event, entry) {
      let isToday = days.first == days.last && days.first == entry.calendar.day(of: entry.moment)
      return isToday ? entry.phrase(.allDay) : words(for: days, entry)
    }
    let calendar = entry.calendar
    let isOneDay = calendar.wallTime(of: start).day == calendar.wallTime(of: end).day
    if end == start || end.isAfterDates { return entry.time(start) }
    return "\(entry.time(start))–\(isOneDay ? entry.clock(end) : entry.time(end))"
  }

  /// The first and the last day of an event of whole days; nil if it has times.
  static func days(of event: JSONValue, _ entry: ViewInput) -> (first: LocalDay, last: LocalDay)? {
    guard event["allDay"] == .bool(true), let start = event["startTime"]?.instant, let end = event["endTime"]?.instant
    else { return nil }
    let first = entry.calendar.day(of: start)
    return (first, max(first, entry.calendar.day(of: Instant(microseconds: end.microseconds - 1))))
  }

  /// "today, all day", or "Sat 21 Nov–Sun 6 Dec".
  static func words(for days: (first: LocalDay, last: LocalDay), _ entry: ViewInput) -> String {
    days.first == days.last
      ? entry.phrase(.allDayOn, [.date: entry.date(days.first)])
      : "\(entry.date(days.first))–\(entry.date(days.last))"
  }
}

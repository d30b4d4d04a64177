// What the widgets of events show.
extension EventKinds {
  private static let nothing = ViewNode.nothing("calendar", "📅", "No upcoming events")

  // MARK: The calendar

  static func small(_ entry: ViewInput) -> ViewNode {
    guard let event = entry.list("events").first else { return nothing }
    return .vertical(
      // Not a heading with the badge of a stale view next to it, because there is no room for that.
      .row(calendar(.purple, side: 20), .word("Calendar", .ink, .headline).growing()),
      .spacer,
      .vertical(
        [
          .text(event["title"].words).twoLines(),
          .label(moment(of: event, entry), .purple, .caption),
        ] + place(of: event).map { $0.optional(1) }, gap: 4
      ).onTap(ViewNode.Action(linkOf: event)),
      gap: 4)
  }

  static func medium(_ entry: ViewInput) -> ViewNode {
    months(entry, atMost: 2, gap: 8) { [.label(span(of: $0, entry), .soft, .caption)] }
  }

  static func large(_ entry: ViewInput) -> ViewNode {
    months(entry, atMost: 5, gap: 16) { event in
      [.horizontal([.label(span(of: event, entry), .soft, .caption)] + place(of: event).map { $0.growing() })]
    }
  }

  /// The month and its next events, each with its day and further details.
  private static func months(
    _ entry: ViewInput, atMost limit: Int, gap: Double, details: (JSONValue) -> [ViewNode]
  ) -> ViewNode {
    let events = entry.list("events")
    guard !events.isEmpty else { return nothing }
    return .vertical(
      .horizontal(calendar(.purple, side: 20), .text(entry["month"].words, .ink, .headline).growing()),
      .list(of: events, atMost: limit, more: entry["more"], gap: gap) { event in
        .row(badge(of: event, entry), .vertical([.text(event["title"].words)] + details(event), gap: 0).growing())
          .onTap(ViewNode.Action(linkOf: event))
      },
      gap: gap)
  }

  /// The day on which an event starts.
  private static func badge(of event: JSONValue, _ entry: ViewInput) -> ViewNode {
    let day = event["startTime"]?.instant.map { entry.calendar.day(of: $0) }
    return .centred(
      .label(day.map { String($0.monthName.prefix(3)) } ?? .missing, .purple, .micro),
      .label(day.map { "\($0.day)" } ?? .missing, .purple, .headline), gap: 0
    ).on(.tinted(.purple))
  }

  // MARK: The next event

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    guard let event = entry["event"], event != .null else {
      return .row(calendar(.soft, side: 24), .word("No upcoming events", .ink, .headline).twoLines().growing())
    }
    // In a horizontal stack of one node, the lines are centred vertically.
    return .horizontal(
      .vertical(
        [
          .label(moment(of: event, entry), .purple, .caption),
          .text(event["title"].words, .ink, .headline).twoLines(),
        ] + place(of: event).map { $0.optional(1) }, gap: 4
      ).growing()
    ).onTap(ViewNode.Action(linkOf: event))
  }

  // MARK: Parts

  private static func calendar(_ tint: ViewNode.Tint, side: Double) -> ViewNode {
    .icon("calendar", "📅", tint, side: side)
  }

  private static func place(of event: JSONValue) -> [ViewNode] {
    event["location"]?.string.map { [.text(Optional(.string($0)).words, .soft, .caption)] } ?? []
  }

  /// The day and the time at which an event starts: "today 18:00", "today, all day", or its days if there are several.
  private static func moment(of event: JSONValue, _ entry: ViewInput) -> String {
    guard let start = event["startTime"]?.instant else { return .missing }
    if let days = days(of: event, entry) {
      return days.last > days.first ? words(for: days, entry) : "\(entry.date(days.first)), \(words(for: days, entry))"
    }
    return "\(entry.date(entry.calendar.day(of: start))) \(entry.clock(start))"
  }

  /// "14:00–15:30"; for an event that ends on another day, only the start; for whole days "all day", or the days.
  private static func span(of event: JSONValue, _ entry: ViewInput) -> String {
    guard let start = event["startTime"]?.instant else { return .missing }
    if let days = days(of: event, entry) { return words(for: days, entry) }
    guard let end = event["endTime"]?.instant, end != start,
      entry.calendar.day(of: start) == entry.calendar.day(of: end)
    else { return entry.clock(start) }
    return "\(entry.clock(start))–\(entry.clock(end))"
  }
}

// What the widgets of events show.
extension EventKinds {
  // MARK: The calendar

  /// The day, and the event under way or the next one.
  static func small(_ entry: ViewInput) -> ViewNode {
    guard let event = shown(entry).first else {
      return .vertical(date(entry), .spacer, .word(entry.phrase(.noUpcomingEvents), .soft, .caption).twoLines(), gap: 4)
    }
    return .vertical(
      date(entry), .spacer,
      .vertical(
        .text(event.content["title"].words), .label(when(event, entry), .purple, .caption).twoLines(), gap: 2
      ).onTap(ViewNode.Action(linkOf: event.content)),
      gap: 4)
  }

  /// The day, and three events beside it.
  static func medium(_ entry: ViewInput) -> ViewNode {
    let day = ViewNode.vertical(
      .label(entry["weekday"].words, .purple, .headline), .label(entry["day"].whole, .ink, .display),
      .label(entry["month"].words, .soft, .caption), gap: 0)
    return .horizontal(day, events(entry, atMost: 3, gap: 8).growing(), gap: 16)
  }

  /// The month, and two events below it.
  static func large(_ entry: ViewInput) -> ViewNode {
    .vertical(
      .horizontal(
        .text(entry["month"].words, .ink, .headline).growing(), .label(entry["weekday"].words, .purple, .headline)),
      grid(entry).growing(), .divider, events(entry, atMost: 2, gap: 6), gap: 8)
  }

  private static func date(_ entry: ViewInput) -> ViewNode {
    .vertical(
      .label(entry["weekday"].words, .purple, .headline), .label(entry["day"].whole, .ink, .display), gap: 0)
  }

  /// The events under way and the next ones, each once.
  private static func events(_ entry: ViewInput, atMost limit: Int, gap: Double) -> ViewNode {
    let events = shown(entry)
    guard !events.isEmpty else { return .word(entry.phrase(.noUpcomingEvents), .soft) }
    return .list(of: events, atMost: entry.atMost(limit), more: entry["more"], gap: gap) { event in
      .vertical(
        .text(event.content["title"].words),
        .horizontal(
          [.label(when(event, entry), event.isUnderWay ? .purple : .soft, .caption).twoLines()]
            + place(of: event.content).map { $0.growing() }), gap: 0
      ).onTap(ViewNode.Action(linkOf: event.content))
    }
  }

  // MARK: The month

  /// The weeks of the month, with today in a filled circle and up to three dots below a day with events.
  private static func grid(_ entry: ViewInput) -> ViewNode {
    let weeks = entry["weeks"] ?? .null
    guard let first = weeks["first"]?.string.flatMap({ LocalDay($0) }),
      let today = entry["date"]?.string.flatMap({ LocalDay($0) })
    else { return .spacer }
    let names = entry.list("weekdays").prefix(7).map { name in
      ViewNode(.stack(.centred, [.label(Optional(name).words, .soft, .micro)])).growing()
    }
    let rows = (weeks["counts"]?.array ?? []).prefix(6).enumerated().map { row, counts in
      let days = (counts.array ?? []).prefix(7).enumerated().map { column, count in
        day(first.advanced(by: 7 * row + column), count: count.int ?? 0, today: today)
      }
      return ViewNode.horizontal(days, gap: 0).growing()
    }
    return .vertical([.horizontal(names, gap: 0), .vertical(rows, gap: 0).growing()], gap: 4)
  }

  private static let mostDots = 3

  private static func day(_ day: LocalDay, count: Int, today: LocalDay) -> ViewNode {
    let isInMonth = day.month == today.month && day.year == today.year
    var number = ViewNode.label("\(day.day)", isInMonth ? .ink : .soft, isInMonth ? .caption : .micro)
    if day == today { number = number.on(.disc(.purple)) }
    let dot = ViewNode.icon("circle.fill", "•", isInMonth ? .purple : .soft, side: 4).asValue()
    let dots = count > 0 ? [ViewNode.horizontal(Array(repeating: dot, count: min(count, mostDots)), gap: 2)] : []
    // The space below aligns the numbers of a row.
    return ViewNode(.stack(.centred, [number] + dots + [.spacer])).gap(5).growing()
  }

  // MARK: The next event

  static func rectangular(_ entry: ViewInput) -> ViewNode {
    if let now = entry["now"], now != .null, entry["event"] == .null || isAllDay(entry["event"]) {
      return rectangular(Shown(content: now, isUnderWay: true), entry)
    }
    guard let event = entry["event"], event != .null else {
      return .row(
        calendar(.soft, side: 24), .word(entry.phrase(.noUpcomingEvents), .ink, .headline).twoLines().growing())
    }
    return rectangular(Shown(content: event), entry)
  }

  private static func rectangular(_ event: Shown, _ entry: ViewInput) -> ViewNode {
    // In a horizontal stack of one node, the lines are centred vertically.
    .horizontal(
      .vertical(
        [
          .label(when(event, entry), .purple, .caption),
          .text(event.content["title"].words, .ink, .headline).twoLines(),
        ] + place(of: event.content).map { $0.optional(1) }, gap: 4
      ).growing()
    ).onTap(ViewNode.Action(linkOf: event.content))
  }

  // MARK: Parts

  private static func calendar(_ tint: ViewNode.Tint, side: Double) -> ViewNode {
    .icon("calendar", "📅", tint, side: side)
  }

  private static func place(of event: JSONValue) -> [ViewNode] {
    event["location"]?.string.map { [.text($0.isEmpty ? .missing : $0, .soft, .caption)] } ?? []
  }

  /// The day and the time at which an event starts: "today 18:00", "today, all day", or its days if there are several;
  /// "now, until 11:30" for one with times that is under way.
  private static func when(_ event: Shown, _ entry: ViewInput) -> String {
    let content = event.content
    if event.isUnderWay, let end = end(ofTimed: content, entry) { return entry.phrase(.nowUntil, [.time: end]) }
    guard let start = content["startTime"]?.instant else { return .missing }
    if let days = days(of: content, entry) { return words(for: days, entry) }
    return "\(entry.date(entry.calendar.day(of: start))) \(entry.clock(start))"
  }
}

import CacheSyncSystem

/// The snapshots of events (feeds.md: tasks and events).
enum EventKinds {
  static let all = [calendar, nextEvent]

  /// kinds.md: kinds: "at most 48 entries".
  private static let maximumEntries = 48

  private static let calendar = kind(
    "calendar", displayName: .calendarKindName, summary: .calendarKindSummary,
    widgetKind: "CalendarWidget", families: ["systemSmall", "systemMedium", "systemLarge"], view: calendarView,
    onlyFirst: false
  ) { json, moment, upcoming, months in
    let (day, dates) = (moment.day, moment.language.formats)
    json.member("date", day)
    json.member("day", day.day)
    let shown = upcoming?.first ?? []
    json.array("events") { json in for event in shown { write(event, upcoming, to: &json) } }
    json.member("month", dates.text(dates.month, day))
    json.member("more", (upcoming?.count ?? 0) - shown.count)
    json.array("now") { json in
      for event in upcoming?.underWay.prefix(mostUnderWay) ?? [] { write(event, upcoming, to: &json) }
    }
    json.member("weekday", dates.weekdays[day.weekday.rawValue])
    let grid = months.grid(around: day, firstWeekday: moment.shownFirstWeekday)
    json.member("weekdays", (0..<7).map { dates.columnWeekdays[grid.first.advanced(by: $0).weekday.rawValue] })
    json.object("weeks") { json in
      json.array("counts") { json in for week in grid.counts { json.value(.array(week.map(JSONValue.integer))) } }
      json.member("first", grid.first)
    }
  }

  /// How many events under way readers show.
  private static let mostUnderWay = 2

  private static let nextEvent = kind(
    "next-event", displayName: .nextEventKindName, summary: .nextEventKindSummary,
    widgetKind: "NextEventWidget", families: ["accessoryRectangular"], view: nextEventView, onlyFirst: true
  ) { json, moment, upcoming, _ in
    let event = upcoming?.next
    let current = upcoming?.underWay.first { !$0.isAllDay }
    json.key("event")
    if let event { write(event, upcoming, to: &json) } else { json.null() }
    json.key("now")
    if let current { write(current, upcoming, to: &json) } else { json.null() }
    json.member("text", text(next: event, current, moment))
  }

  private static func text(next: StoredEvent?, _ current: StoredEvent?, _ moment: Moment) -> String {
    if let next, !next.isAllDay { return next.title }
    guard let current else { return next?.title ?? moment.language(.noUpcomingEvents) }
    let (calendar, dates, end) = (moment.calendar, moment.language.formats, current.end)
    let day = calendar.day(of: end)
    let time =
      day == moment.day
      ? moment.clock(end) : moment.locale.dateAndTime(dates.text(dates.weekdayAndDay, day), end, in: calendar)
    return moment.language(.eventUntil, [.title: current.title, .time: time])
  }

  private static func write(_ event: StoredEvent, _ upcoming: UpcomingEvents?, to json: inout JSONWriter) {
    json.object { json in
      if event.isAllDay { json.member("allDay", true) }
      json.member("deepLink", "cafe://event/" + PercentEncoding.segment(event.id.text))
      json.member("endTime", event.end)
      if upcoming?.isShared(event.id) ?? false {
        json.member("file", event.origin.path.description)
      }
      json.member("id", event.id)
      json.member("location", event.location)
      json.member("startTime", event.start)
      json.member("title", event.title)
    }
  }

  private static func kind(
    _ name: KindName, displayName: Phrase, summary: Phrase, widgetKind: String, families: [String],
    view: @escaping KindView, onlyFirst: Bool,
    members: @escaping @Sendable (inout JSONWriter, Moment, UpcomingEvents?, EventMonths) -> Void
  ) -> Kind {
    Kind(
      name, displayName: .phrase(displayName), summary: .phrase(summary), widgetKind: widgetKind, families: families,
      link: DeepLink.calendar().description, feeds: [EventsFeed.name],
      reach: .sevenDays, maximumEntries: maximumEntries, view: view,
      boundaries: { feeds, moment, range in
        guard let events = feeds[EventsFeed.self], !events.files.isEmpty else { return [] }
        return UpcomingEvents.boundaries(events, moment, range, onlyFirst: onlyFirst)
      }
    ) { feeds, moment, projection in
      let events = feeds[EventsFeed.self]
      let upcoming = events.map { UpcomingEvents($0, at: moment) }
      if let files = events?.files, !files.isEmpty {
        // The events of all files are one list, as in ``TaskKinds``.
        projection.sources.insert(all: files.paths, of: EventsFeed.name)
        projection.shows(files.newestWritten)
        projection.showsUnusable = files.showsUnusable
      } else {
        projection.state = .empty
      }
      let months = projection.cache(EventMonths.self, feeds, moment)
      projection.json.object { json in members(&json, moment, upcoming, months) }
    }
  }
}

/// The snapshots of events (feeds.md: tasks and events).
enum EventKinds {
  static let all = [calendar, nextEvent]

  /// kinds.md: kinds: "at most 48 entries".
  private static let maximumEntries = 48

  private static let calendar = kind(
    "calendar", displayName: "Calendar", summary: "View this month's events",
    widgetKind: "CalendarWidget", families: ["systemSmall", "systemMedium", "systemLarge"],
    view: calendarView,
    onlyFirst: false
  ) { json, moment, upcoming in
    json.member("date", moment.day)
    let shown = upcoming?.first ?? []
    json.member("events", array: { json in for event in shown { write(event, to: &json) } })
    json.member("month", "\(moment.day.monthName) \(moment.day.year)")
    json.member("more", (upcoming?.count ?? 0) - shown.count)
  }

  private static let nextEvent = kind(
    "next-event", displayName: "Next Event", summary: "See what comes next.",
    widgetKind: "NextEventWidget", families: ["accessoryRectangular"], view: nextEventView,
    onlyFirst: true
  ) { json, _, upcoming in
    let event = upcoming?.next
    json.key("event")
    if let event { write(event, to: &json) } else { json.null() }
    json.member("text", event?.title ?? "No upcoming events")
  }

  private static func write(_ event: StoredEvent, to json: inout JSONWriter) {
    json.object { json in
      if event.isAllDay { json.member("allDay", true) }
      json.member("deepLink", "cafe://event/" + PercentEncoding.segment(event.id.text))
      json.member("endTime", event.end)
      json.member("id", event.id)
      json.member("location", event.location)
      json.member("startTime", event.start)
      json.member("title", event.title)
    }
  }

  private static func kind(
    _ name: KindName, displayName: String, summary: String, widgetKind: String, families: [String],
    view: @escaping KindView, onlyFirst: Bool,
    members: @escaping @Sendable (inout JSONWriter, Moment, UpcomingEvents?) -> Void
  ) -> Kind {
    Kind(
      name, displayName: displayName, summary: summary, widgetKind: widgetKind, families: families,
      deepLink: .calendar(), feeds: [EventsFeed.name],
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
      projection.json.object { json in members(&json, moment, upcoming) }
    }
  }
}

extension EventsFeed {
  /// The events from 31 days before today to 365 after (calendars.md).
  package static let calendar: FeedCalendar? = { feeds, moment in
    guard let feed = feeds[EventsFeed.self] else { return [] }
    let events = feed.events(in: ExportedDays.window(around: moment), moment.calendar)
    return ExportedDays.nearest(events, to: moment) { ($0.start, $0.end) }.map { event in
      .event(
        feed.isShared(event.id) ? event.key.exported : event.id.text, title: event.title, location: event.location,
        from: event.start, to: event.end,
        isOfDays: event.isAllDay, stamp: event.stamp.map { Instant(seconds: $0).clamped }, in: moment.calendar)
    }
  }
}

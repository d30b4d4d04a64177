extension EventsFeed {
  /// The events from 31 days before today to 365 after; series of calendars as their files have them (calendars.md).
  package static let calendar: FeedCalendar? = { feeds, moment in
    guard let feed = feeds[EventsFeed.self] else { return [] }
    let calendars = feed.calendars
    let known = calendars.series
    // Empty: it is exported occurrence by occurrence.
    var components: [RecordKey: [ExportedComponent]] = [:]
    func series(of event: StoredEvent) -> RecordKey? {
      let keys = event.id.ofSeries.map { RecordKey(id: $0, path: event.origin.path) }
      guard let key = keys.first(where: { known[$0] != nil }) else { return nil }
      if components[key] == nil {
        let ownID = feed.isShared(key.id) ? key.exported : key.id.text
        components[key] = known[key]?.exported(as: ownID, in: moment.calendar, without: calendars.me) ?? []
      }
      return components[key]?.isEmpty == false ? key : nil
    }
    var seen: Set<RecordKey> = []
    let events = ExportedDays.nearest(
      feed.events(in: ExportedDays.window(around: moment), moment.calendar), to: moment,
      where: { series(of: $0).map { seen.insert($0).inserted } ?? true }
    ) { ($0.start, $0.end) }
    return events.flatMap { event in
      series(of: event).flatMap { components[$0] } ?? [
        .event(
          feed.isShared(event.id) ? event.key.exported : event.id.text, title: event.title, location: event.location,
          from: event.start, to: event.end,
          isOfDays: event.isAllDay, stamp: event.stamp.map { Instant(seconds: $0).clamped }, in: moment.calendar)
      ]
    }
  }
}

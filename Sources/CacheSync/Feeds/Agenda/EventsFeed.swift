/// A calendar: events to come, and events by day (FEEDS: tasks and events).
package final class EventsFeed: BuiltInFeed {
  package static let name: FeedName = "events"

  package static let claims = CacheLayout.Claims(directories: ["events"], files: ["cachedEvents.json"])

  package static let kinds = EventKinds.all

  package static let links = DeepLink.Form.events

  private(set) var files = DatedFiles()
  private var union = RecordUnion<StoredEvent>()
  /// All events by start, in the order of ``StoredEvent``.
  private(set) var ordered = SortedList<StoredEvent>()
  /// The zone of the days below; nil before the first file.
  private var calendar: CivilCalendar?
  private var spans = DaySpans()

  package init() {}

  package static func decode(_ json: inout JSONReader) -> RecordList<StoredEvent>? { .decode(&json) }

  package func put(_ session: RecordList<StoredEvent>, from file: SessionFile, in calendar: CivilCalendar) {
    if self.calendar != calendar { rebuild(in: calendar) }
    let date = files.put(file, written: session.lastUpdate)
    apply(union.put(session.records, from: file.path, dated: date), calendar)
  }

  package func remove(_ path: CachePath) {
    files.remove(path)
    // Without a calendar there was no file.
    if let calendar { apply(union.remove(path), calendar) }
  }

  package func mark(_ path: CachePath, unusable: Bool) { files.mark(path, unusable: unusable) }

  package func rebuild(in calendar: CivilCalendar) {
    self.calendar = calendar
    spans = DaySpans()
    for event in union.records {
      let days = Self.days(of: event, calendar)
      spans.insert(event.id, from: days.lowerBound, through: days.upperBound)
    }
  }

  private func apply(_ changes: [RecordUnion<StoredEvent>.Change], _ calendar: CivilCalendar) {
    for change in changes {
      if let event = change.before {
        ordered.remove(event)
        let days = Self.days(of: event, calendar)
        spans.remove(event.id, from: days.lowerBound, through: days.upperBound)
      }
      if let event = change.after {
        ordered.insert(event)
        let days = Self.days(of: event, calendar)
        spans.insert(event.id, from: days.lowerBound, through: days.upperBound)
      }
    }
  }

  /// The days that an event overlaps. One that ends at midnight has nothing of the day that begins there; one without
  /// length is on the day of its start.
  private static func days(of event: StoredEvent, _ calendar: CivilCalendar) -> ClosedRange<LocalDay> {
    let first = calendar.day(of: event.start)
    guard event.end > event.start else { return first...first }
    return first...max(first, calendar.day(of: Instant(microseconds: event.end.microseconds - 1)))
  }

  /// The moments in a range at which events start, ascending, each with the ids of those that do.
  func starts(in range: Range<Instant>) -> [(start: Instant, ids: [RecordID])] {
    var starts: [(start: Instant, ids: [RecordID])] = []
    let events = ordered.elements(
      from: ordered.position { $0.start < range.lowerBound }, to: ordered.position { $0.start < range.upperBound })
    for event in events {
      if starts.last?.start == event.start {
        starts[starts.count - 1].ids.append(event.id)
      } else {
        starts.append((event.start, [event.id]))
      }
    }
    return starts
  }

  /// When the next event after a moment starts.
  func firstStart(after moment: Instant) -> Instant? {
    var coming = ordered.elements(from: ordered.position { $0.start <= moment })
    return coming.next()?.start
  }

  /// `{ ids }`: those that overlap the day, by start, then id.
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    let events = spans.covering(moment.day).compactMap { union[$0] }
      .sorted { $0.start == $1.start ? $0.id < $1.id : $0.start < $1.start }
    guard !events.isEmpty else { return false }
    json.member(
      "ids",
      array: { json in
        for event in events {
          if let integer = event.id.integer { json.integer(integer) } else { json.string(event.id.text) }
        }
      })
    return true
  }
}

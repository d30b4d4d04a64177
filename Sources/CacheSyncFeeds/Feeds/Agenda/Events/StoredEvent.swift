/// An event of a calendar (feeds.md: tasks and events), in the order in which readers show events: by start, end, title,
/// id and file.
package struct StoredEvent: Identifiable, Sendable {
  /// In a calendar the UID. For an occurrence it includes the original start: `UID#20261123T080000Z`, or `UID#20261123` if
  /// that is a day.
  package var id: RecordID
  package var title: String
  package var start: Instant
  /// Never before the start.
  package var end: Instant
  package var location: String?
  /// Whether it lasts from the first instant of one day to that of another. It stays upcoming until it ends.
  package var isAllDay = false
  /// When its calendar last wrote it (LAST-MODIFIED, else DTSTAMP), in seconds since 1970; nil: it does not say.
  package var stamp: Int64?
  package var origin = RecordOrigin()
}

extension StoredEvent: Comparable {
  package static func < (a: StoredEvent, b: StoredEvent) -> Bool {
    if a.start != b.start { return a.start < b.start }
    if a.end != b.end { return a.end < b.end }
    return isSameText(a.title, b.title) ? a.key < b.key : isOrdered(a.title, before: b.title)
  }

  /// Whether two events have the same position in the order; other fields do not count.
  package static func == (a: StoredEvent, b: StoredEvent) -> Bool {
    a.start == b.start && a.end == b.end && isSameText(a.title, b.title) && a.key == b.key
  }
}

extension StoredEvent {
  init(_ event: EventsSession.Event) {
    self.init(
      id: event.id, title: event.title, start: event.startTime, end: event.endTime ?? event.startTime,
      location: event.location)
    origin = event.origin
  }
}

extension StoredEvent: UnionRecord {
  func mark(in calendar: CivilCalendar) -> RecordMark { .text(title) }
}

/// An event of a calendar (FEEDS: tasks and events), in the order in which readers show events: by start, end, title and id.
package struct StoredEvent: Identifiable, Sendable {
  package var id: RecordID
  package var title: String
  package var start: Instant
  /// Never before the start.
  package var end: Instant
  package var location: String?
  /// Whether it lasts from the first instant of a day to that of another. It stays upcoming until it ends.
  package var isAllDay = false
}

extension StoredEvent: Comparable {
  package static func < (a: StoredEvent, b: StoredEvent) -> Bool {
    if a.start != b.start { return a.start < b.start }
    if a.end != b.end { return a.end < b.end }
    return isSameText(a.title, b.title) ? a.id < b.id : isOrdered(a.title, before: b.title)
  }

  /// The same place in the order; other fields do not count.
  package static func == (a: StoredEvent, b: StoredEvent) -> Bool {
    a.start == b.start && a.end == b.end && isSameText(a.title, b.title) && a.id == b.id
  }
}

extension StoredEvent {
  private enum Key: String, JSONKey {
    case id, title, startTime, endTime, location
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredEvent? {
    var event = StoredEvent(id: RecordID(0), title: "", start: .referenceDate, end: .referenceDate)
    var start: Instant?
    var end: Instant?
    var endOffset = 0
    let isObject = json.object(Key.self, required: [.id, .title, .startTime, .endTime]) { json, key in
      switch key {
      case .id: event.id = json.recordID() ?? event.id
      case .title: event.title = json.string() ?? ""
      case .startTime: start = json.date()
      case .endTime:
        endOffset = json.valueOffset
        end = json.date()
      case .location: event.location = json.string()
      }
    }
    if let start, let end {
      if end < start { json.fail("endTime is before startTime", at: endOffset) }
      (event.start, event.end) = (start, end)
    }
    return isObject ? event : nil
  }
}

extension RecordList<StoredEvent> {
  private enum Key: String, JSONKey {
    case events, lastUpdate
    static let table = JSONKeyTable<Key>()
  }

  /// Reads `[ event ]` or `{ events: [ event ], lastUpdate?: date }`.
  static func decode(_ json: inout JSONReader) -> RecordList? {
    decode(&json, under: Key.events) { StoredEvent.decode(&$0) }
  }
}

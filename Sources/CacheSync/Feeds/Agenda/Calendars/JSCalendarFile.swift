/// A JSCalendar document (RFC 8984): an `Event`, or a `Group` of them, as the series that a calendar gives.
///
/// It is a session file like others: a defect rejects all of it.
package enum JSCalendarFile {
  private enum Key: String, JSONKey {
    case type = "@type"
    case entries
    static let table = JSONKeyTable<Key>()
  }

  /// Whether the document that begins here says that it is one. Nothing is consumed.
  package static func isNext(_ json: inout JSONReader) -> Bool {
    guard json.next == .object else { return false }
    let type = json.lookingAhead(documentType)
    return type == "Event" || type == "Group"
  }

  private static func documentType(_ json: inout JSONReader) -> String? {
    var type: String?
    _ = json.object(Key.self, optional: [.type]) { json, _ in if json.next == .string { type = json.string() } }
    return type
  }

  /// Reads the document.
  package static func decode(_ json: inout JSONReader, path: CachePath, zones: CalendarZones) -> CalendarFile? {
    var drafts: [CalendarSeries.Draft] = []
    var places: [RecordID: Int] = [:]
    var index = 0
    func take(_ json: inout JSONReader) {
      // Tasks of a group, and what later versions bring, are none of this.
      guard json.next == .object, json.lookingAhead(documentType) == "Event" else { return json.skipValue() }
      let offset = json.valueOffset
      guard let event = JSCalendarEvent.decode(&json, zones: zones) else { return }
      if index == CalendarLimits().events { json.fail("more than \(index) events", at: offset) }
      let id = event.uid.isEmpty ? "\(path):\(index)" : event.uid
      let place = places[RecordID(id)] ?? drafts.count
      if place == drafts.count {
        places[RecordID(id)] = place
        drafts.append(CalendarSeries.Draft(id: id))
      }
      for entry in event.entries(index: index) { drafts[place].add(entry) }
      index += 1
    }
    if json.lookingAhead(documentType) == "Group" {
      let isObject = json.object(Key.self, required: [.entries], optional: [.entries]) { json, _ in
        _ = json.array { take(&$0) }
      }
      guard isObject else { return nil }
    } else {
      take(&json)
    }
    return CalendarFile(series: drafts.compactMap { CalendarSeries($0, path: path) })
  }
}

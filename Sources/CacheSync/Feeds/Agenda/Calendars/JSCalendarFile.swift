/// A JSCalendar document (RFC 8984): an `Event`, or a `Group` of them, as the series that a calendar gives.
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

  /// Reads the document. A bad event is a problem and takes its whole UID with it; the others count.
  ///
  /// - Parameter path: of the file; events without UID have their id from it.
  package static func decode(
    _ json: inout JSONReader, path: CachePath, zones: CalendarZones, limits: CalendarLimits = .init()
  ) -> CalendarFile? {
    let isGroup = json.lookingAhead(documentType) == "Group"
    var found = JSCalendarEvents(place: isGroup ? .element : .document, zones: zones, limits: limits)
    if isGroup {
      var index = 0
      let isObject = json.object(Key.self, required: [.entries], optional: [.entries]) { json, _ in
        _ = json.array { json in
          // Tasks of a group, and what later versions bring, are none of this.
          if json.next == .object, json.lookingAhead(documentType) == "Event" { found.take(&json, index: index) }
          index += 1
        }
      }
      guard isObject else { return nil }
    } else {
      found.take(&json, index: 0)
    }
    return found.file(json, path: path)
  }
}

/// The events of one document while it is read.
private struct JSCalendarEvents {
  let place: CalendarEntry.Place
  let zones: CalendarZones
  let limits: CalendarLimits
  private var count = 0
  private var events: [(index: Int, event: JSCalendarEvent)] = []
  /// Of the events that are left out.
  private var defects: [JSONDefect] = []
  private var badUIDs: Set<RecordID> = []

  init(place: CalendarEntry.Place, zones: CalendarZones, limits: CalendarLimits) {
    self.place = place
    self.zones = zones
    self.limits = limits
  }

  /// - Parameter index: which entry of the group, from 0.
  mutating func take(_ json: inout JSONReader, index: Int) {
    let offset = json.valueOffset
    let (event, found) = json.readingApart { JSCalendarEvent.decode(&$0, zones: zones) }
    var defect = found
    let isTooMany = count >= limits.events
    if isTooMany {
      let message =
        "more than \(limits.events) events: this one and those after it are left out, with all of their UIDs"
      defect = count == limits.events ? JSONDefect(offset: offset, message: message, place: .value) : nil
    }
    count += 1
    if let defect { defects.append(defect) }
    if !isTooMany, defect == nil {
      events.append((index, event))
    } else if !event.uid.isEmpty {
      badUIDs.insert(RecordID(event.uid))
    }
  }

  consuming func file(_ json: borrowing JSONReader, path: CachePath) -> CalendarFile {
    let problems = zip(defects, json.places(of: defects)).map { defect, place in
      CalendarDefect(line: place.line, column: place.column, pointer: place.pointer, defect.message)
    }
    var drafts: [CalendarSeries.Draft] = []
    var numbers: [RecordID: Int] = [:]
    for (index, event, rulesPlace) in eventsWithPlaces(json) {
      if badUIDs.contains(RecordID(event.uid)) { continue }
      let id = event.uid.isEmpty ? "\(path):\(index)" : event.uid
      let number = numbers[RecordID(id)] ?? drafts.count
      if number == drafts.count {
        numbers[RecordID(id)] = number
        drafts.append(CalendarSeries.Draft(id: id))
      }
      for entry in event.entries(index: index, place, rulesPlace: rulesPlace) { drafts[number].add(entry) }
    }
    return CalendarFile(series: drafts.compactMap { CalendarSeries($0, path: path) }, problems: problems)
  }

  /// The good events, each with the place of its rules.
  private func eventsWithPlaces(
    _ json: borrowing JSONReader
  ) -> [(index: Int, event: JSCalendarEvent, rulesPlace: JSONPlace?)] {
    let rules = events.compactMap { _, event in
      event.rulesOffset.map { JSONDefect(offset: $0, message: "", place: .value) }
    }
    var places = json.places(of: rules)[...]
    return events.map { index, event in (index, event, event.rulesOffset == nil ? nil : places.popFirst()) }
  }
}

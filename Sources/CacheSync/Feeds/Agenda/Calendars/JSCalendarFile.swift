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
  private var events: [(index: Int, offset: Int, event: JSCalendarEvent)] = []
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
    let (event, found) = json.readingApart { JSCalendarEvent.decode(&$0, zones: zones, limits) }
    var defect = found
    let isTooMany = count >= limits.events
    if isTooMany {
      let message =
        "more than \(limits.events) events: this one and those after it are left out, with all of their UIDs"
      defect = count == limits.events ? JSONDefect(offset: offset, message: message, place: .value) : nil
    }
    count += 1
    if let defect { defects.append(defect) } else { defects += event.warnings }
    if !isTooMany, defect == nil {
      events.append((index, offset, event))
    } else if !isTooMany, event.isOverride {
      // Only the occurrence that it names is left out.
      if let removal = event.removal { events.append((index, offset, removal)) }
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
    for (index, event, begin, rules) in eventsWithPlaces(json) {
      if badUIDs.contains(RecordID(event.uid)) { continue }
      let id = event.uid.isEmpty ? "\(path):\(index)" : event.uid
      let number = numbers[RecordID(id)] ?? drafts.count
      if number == drafts.count {
        numbers[RecordID(id)] = number
        drafts.append(CalendarSeries.Draft(id: id))
      }
      for entry in event.entries(index: index, place, begin, rules) {
        drafts[number].add(entry, isOverride: entry.original != nil)
      }
    }
    let (series, warnings, steps) = CalendarSeries.all(drafts, path: path, limits)
    return CalendarFile(
      series: series,
      problems: (problems + warnings).sorted { ($0.line, $0.column) < ($1.line, $1.column) }, steps: steps)
  }

  /// The good events, each with its place and that of its rules.
  private func eventsWithPlaces(
    _ json: borrowing JSONReader
  ) -> [(index: Int, event: JSCalendarEvent, begin: JSONPlace, rules: JSONPlace?)] {
    let offsets = events.flatMap { [$0.offset] + [$0.event.rulesOffset].compactMap(\.self) }
    var places = json.places(of: offsets.map { JSONDefect(offset: $0, message: "", place: .value) })[...]
    return events.compactMap { index, _, event in
      guard let begin = places.popFirst() else { return nil }
      return (index, event, begin, event.rulesOffset == nil ? nil : places.popFirst())
    }
  }
}

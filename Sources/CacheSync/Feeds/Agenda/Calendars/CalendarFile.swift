/// What one calendar says (OWNFEEDS: calendars): its events and series, and what is wrong with those that are left out.
package struct CalendarFile: Sendable {
  package var series: [CalendarSeries] = []
  /// In the order of lines.
  package var problems: [CalendarDefect] = []

  /// The problems as warnings of the file.
  var warnings: [JSONDefect] {
    var list = JSONWarningList()
    for problem in problems { list.append(JSONDefect(problem)) }
    return list.all
  }

  /// Reads a calendar. A bad VEVENT is a problem and takes its whole UID with it; the others count.
  ///
  /// - Parameter path: of the file; events without UID have their id from it.
  /// - Throws: why the file is unusable: it is no VCALENDAR, is cut off, or is not UTF-8.
  package static func read(
    _ document: UnsafeBufferPointer<UInt8>, path: CachePath, zones: CalendarZones, limits: CalendarLimits = .init()
  ) throws(CalendarDefect) -> CalendarFile {
    var reader = CalendarFileReader(document, path: path, zones: zones, limits: limits)
    try ContentLines.read(document) { line throws(CalendarDefect) in try reader.take(line) }
    return try reader.finish()
  }
}

private struct CalendarFileReader {
  private enum Place {
    case outside
    case calendar
    case event
    /// A component of which nothing is looked at, up to its END.
    case other([UInt8])
  }

  private let path: CachePath
  private let limits: CalendarLimits
  private var zones: FileZones
  private var place = Place.outside
  /// The VCALENDAR's X-WR-TIMEZONE.
  private var zone: TimeZoneRules?
  private var lastLine = 1
  private var hasCalendar = false
  private var event: CalendarEntryReader?
  /// A component inside an event, such as an alarm.
  private var inner: [UInt8]?
  private var eventCount = 0

  private var series: [CalendarSeries.Draft] = []
  /// The place in `series` by UID.
  private var places: [RecordID: Int] = [:]
  private var problems: [CalendarDefect] = []

  init(_ document: UnsafeBufferPointer<UInt8>, path: CachePath, zones: CalendarZones, limits: CalendarLimits) {
    self.path = path
    self.limits = limits
    self.zones = FileZones(document, zones)
  }

  mutating func take(_ line: ContentLine) throws(CalendarDefect) {
    lastLine = line.number
    let name = line.name
    if name.isWord("BEGIN"), let component = line.value?.trimmed {
      try begin(component, line)
    } else if name.isWord("END"), let component = line.value?.trimmed {
      end(component)
    } else {
      switch place {
      case .outside:
        if !hasCalendar { throw CalendarDefect(line: line.number, "no calendar: it must begin with BEGIN:VCALENDAR") }
      case .calendar:
        if zone == nil, name.isWord("X-WR-TIMEZONE") { readZone(line) }
      case .event:
        if inner == nil { event?.take(line, &zones, zone: zone) }
      case .other: break
      }
    }
  }

  private mutating func begin(_ component: UnsafeBufferPointer<UInt8>, _ line: ContentLine) throws(CalendarDefect) {
    if component.isWord("VCALENDAR") {
      if case .outside = place {
      } else {
        throw CalendarDefect(line: line.number, "the calendar before is cut off: no END:VCALENDAR")
      }
      (place, zone, hasCalendar) = (.calendar, nil, true)
      return
    }
    if case .outside = place {
      if !hasCalendar { throw CalendarDefect(line: line.number, "no calendar: it must begin with BEGIN:VCALENDAR") }
      return
    }
    // Events are never inside anything else: what came before has lost its END.
    if component.isWord("VEVENT") {
      cutOffEvent()
      event = CalendarEntryReader(index: eventCount, line: line.number)
      if eventCount == limits.events {
        problems.append(
          CalendarDefect(
            line: line.number, pointer: "/VEVENT/\(eventCount)",
            "more than \(limits.events) events: this one and those after it are left out, with all of their UIDs"))
      }
      if eventCount >= limits.events { event?.fail("") }
      eventCount += 1
      place = .event
      inner = nil
      return
    }
    switch place {
    case .event: if inner == nil { inner = Array(component) }
    case .calendar: place = .other(Array(component))
    case .outside, .other: break
    }
  }

  private mutating func end(_ component: UnsafeBufferPointer<UInt8>) {
    if component.isWord("VCALENDAR") {
      cutOffEvent()
      place = .outside
      return
    }
    switch place {
    case .event:
      if component.isWord("VEVENT") {
        finishEvent()
        place = .calendar
      } else if let name = inner, component.elementsEqual(name) {
        inner = nil
      }
    case .other(let name): if component.elementsEqual(name) { place = .calendar }
    case .outside, .calendar: break
    }
  }

  private mutating func readZone(_ line: ContentLine) {
    guard let value = line.value?.trimmed, !value.isEmpty else { return }
    zone = zones.rules(named: value.unescapedText)
    if zone == nil {
      problems.append(
        CalendarDefect(
          line: line.number, pointer: "/X-WR-TIMEZONE",
          "unknown time zone \(JSONMessage.quoted(value)): times without zone count in the cache's"))
    }
  }

  /// An event that the next component or the calendar's end shows to have no END.
  private mutating func cutOffEvent() {
    event?.fail("no END:VEVENT")
    finishEvent()
  }

  private mutating func finishEvent() {
    guard var event else { return }
    self.event = nil
    inner = nil
    let entry = event.finish(zone: zone)
    if let defect = event.defect, event.index < limits.events { problems.append(defect) }
    if let uid = event.uid {
      let place = places[RecordID(uid)] ?? series.count
      if place == series.count {
        places[RecordID(uid)] = place
        series.append(CalendarSeries.Draft(id: uid))
      }
      series[place].add(entry)
    } else if let entry {
      var draft = CalendarSeries.Draft(id: "\(path):\(event.index)")
      draft.add(entry)
      series.append(draft)
    }
  }

  consuming func finish() throws(CalendarDefect) -> CalendarFile {
    guard hasCalendar else {
      throw CalendarDefect(line: lastLine, "no calendar: it must begin with BEGIN:VCALENDAR")
    }
    guard case .outside = place else {
      throw CalendarDefect(line: lastLine, "the calendar is cut off: no END:VCALENDAR")
    }
    // One more event than is read is found before the defects of those before it.
    problems.sort { $0.line < $1.line }
    return CalendarFile(series: series.compactMap { CalendarSeries($0, path: path) }, problems: problems)
  }
}

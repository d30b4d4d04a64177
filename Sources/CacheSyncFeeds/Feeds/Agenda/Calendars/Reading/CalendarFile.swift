package import CacheSyncSystem

/// The content of one calendar (definitions.md section 6): its events and series, its to-dos, and the problems of those
/// that are left out.
package struct CalendarFile: Sendable {
  package var series: [CalendarSeries] = []
  /// The tasks to show, in the file's order.
  package var toDos: [CalendarToDo] = []
  /// Of every UID with a VTODO that can be read.
  package var toDoVersions: [CalendarToDo.Version] = []
  /// The VTODOs of each id, if the limits keep details.
  var toDoSeries: [RecordID: ToDoSeries] = [:]
  /// Whether it has a VEVENT, even a bad one.
  package var hasEvents = false
  /// Whether it has a VTODO, even a bad one.
  package var hasToDos = false
  /// In the order of lines; at most ``CalendarProblems/capacity`` of each component.
  package var problems: [CalendarDefect] = []
  /// How many more of each component there are.
  var furtherProblems: [CalendarComponent?: Int] = [:]
  /// The work of following rules while reading; see ``RecurrenceRule/Occurrences/steps``.
  package var steps = 0

  /// The problems as warnings of the file. Those of events and of to-dos are limited separately, so that neither hides
  /// the others.
  package var warnings: [JSONDefect] {
    Dictionary(grouping: problems, by: \.component).flatMap { component, problems in
      var list = JSONWarningList()
      for problem in problems { list.append(JSONDefect(problem)) }
      list.count(furtherProblems[component] ?? 0)
      return list.all.enumerated().map { (line: problems[$0].line, pointer: problems[$0].pointer, warning: $1) }
    }.sorted { ($0.line, $0.pointer) < ($1.line, $1.pointer) }.map(\.warning)
  }

  /// Reads a calendar. A bad VEVENT is a problem, and the others still count. A bad one without RECURRENCE-ID leaves out
  /// its whole UID; one with RECURRENCE-ID leaves out only the occurrence that it names.
  ///
  /// - Parameter path: the file's path; events without UID get their id from it.
  /// - Throws: why the file is unusable: it is not a VCALENDAR, it is cut off, or it is not UTF-8.
  package static func read(
    _ document: UnsafeBufferPointer<UInt8>, path: CachePath, zones: CalendarZones, limits: CalendarLimits = .init()
  ) throws(CalendarDefect) -> CalendarFile {
    var reader = CalendarFileReader(document, path: path, zones: zones, limits: limits)
    try ContentLines.read(document) { line throws(CalendarDefect) in try reader.read(line) }
    return try reader.finish()
  }
}

private struct CalendarFileReader {
  private enum Place {
    case outside
    case calendar
    /// In an event or a to-do.
    case entry
    /// A component that is skipped up to its END.
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
  private var entry: CalendarEntryReader?
  /// A component inside it, such as an alarm.
  private var inner: [UInt8]?
  private static let alarm = Array("VALARM".utf8)
  private var eventCount = 0
  private var toDoCount = 0
  private var toDos = ToDoCollecting()
  /// How many events `series` contains.
  private var entryCount = 0
  /// The line of the first event beyond the limit.
  private var firstExcess: Int?

  private var series: [CalendarSeries.Draft] = []
  /// The index in `series` by UID.
  private var places: [RecordID: Int] = [:]
  private var problems = CalendarProblems()
  /// The dates that mean that there is none.
  private var noDates: [CalendarDefect] = []

  init(_ document: UnsafeBufferPointer<UInt8>, path: CachePath, zones: CalendarZones, limits: CalendarLimits) {
    self.path = path
    self.limits = limits
    self.zones = FileZones(document, zones, limits)
  }

  mutating func read(_ line: ContentLine) throws(CalendarDefect) {
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
        if name.isWord("CALSCALE") { readScale(line) }
      case .entry:
        if let inner {
          if inner.elementsEqual(Self.alarm) { entry?.readAlarm(line) }
          break
        }
        // Times without zone are the cache's in a to-do.
        let zone = entry?.component == .event ? zone : nil
        entry?.read(line, &zones, zone: zone)
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
      zones.beginCalendar(line)
      return
    }
    if case .outside = place {
      if !hasCalendar { throw CalendarDefect(line: line.number, "no calendar: it must begin with BEGIN:VCALENDAR") }
      return
    }
    // Events and to-dos are never inside anything else, so the previous component has lost its END.
    switch CalendarComponent(component) {
    case .event:
      beginEntry(.event, index: eventCount, line)
      if eventCount == limits.events { firstExcess = line.number }
      eventCount += 1
      return
    case .toDo:
      beginEntry(.toDo, index: toDoCount, line)
      if toDoCount == limits.events {
        warn(
          line, "/VTODO/\(toDoCount)", of: .toDo,
          "more than \(toDoCount) to-dos: this one and those after it are left out")
      }
      toDoCount += 1
      return
    case nil: break
    }
    switch place {
    case .entry:
      guard inner == nil else { break }
      inner = Array(component)
      if component.elementsEqual(Self.alarm) { entry?.beginAlarm() }
    case .calendar: place = .other(Array(component))
    case .outside, .other: break
    }
  }

  private mutating func beginEntry(_ component: CalendarComponent, index: Int, _ line: ContentLine) {
    cutOffEntry()
    entry = CalendarEntryReader(component, index: index, line: line.number, limits: limits)
    place = .entry
    inner = nil
  }

  private mutating func end(_ component: UnsafeBufferPointer<UInt8>) {
    if component.isWord("VCALENDAR") {
      cutOffEntry()
      place = .outside
      return
    }
    switch place {
    case .entry:
      if let entry, CalendarComponent(component) == entry.component {
        finishEntry()
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
    switch zones.zone(named: value.unescapedText) {
    case .rules(let rules): zone = rules
    case .bad(let defect):
      warn(
        line, "/X-WR-TIMEZONE", of: .event,
        "the file's time zone \(JSONMessage.quoted(value)) cannot be used: \(defect.message) (line \(defect.line)): "
          + "times without zone count in the cache's")
    case .unknown(let advice):
      warn(
        line, "/X-WR-TIMEZONE", of: .event,
        "unknown time zone \(JSONMessage.quoted(value))\(advice): times without zone count in the cache's")
    }
  }

  private mutating func readScale(_ line: ContentLine) {
    guard let value = line.value?.trimmed, !value.isWord("GREGORIAN") else { return }
    warn(line, "/CALSCALE", "CALSCALE \(JSONMessage.quoted(value)) is ignored: dates are read as Gregorian")
  }

  private mutating func warn(
    _ line: ContentLine, _ pointer: String, of component: CalendarComponent? = nil, _ message: String
  ) {
    problems.append(CalendarDefect(line: line.number, pointer: pointer, component: component, message))
  }

  /// Records that an event or a to-do has no END, because the next component or the calendar's end follows.
  private mutating func cutOffEntry() {
    let name = entry?.component.rawValue ?? ""
    entry?.fail("no END:\(name)")
    finishEntry()
  }

  private mutating func report(_ reader: CalendarEntryReader) {
    problems.append(reader.problems)
    noDates += reader.noDates
  }

  private mutating func finishEntry() {
    guard var reader = entry else { return }
    self.entry = nil
    inner = nil
    if reader.component == .toDo {
      let toDo = reader.finishToDo(path: path)
      report(reader)
      if reader.index < limits.events { toDos.add(toDo, uid: reader.seriesID, isOverride: reader.isOverride) }
      return
    }
    let entry = reader.finish(zone: zone)
    report(reader)
    if let id = reader.seriesID {
      let place = places[RecordID(id)] ?? series.count
      if place == series.count {
        places[RecordID(id)] = place
        series.append(CalendarSeries.Draft(id: id))
      }
      series[place].add(entry, isOverride: reader.isOverride)
    } else if let entry, reader.defect == nil {
      var draft = CalendarSeries.Draft(id: "\(path):\(reader.index)")
      draft.add(entry, isOverride: reader.isOverride)
      series.append(draft)
    }
    entryCount += 1
    // Not for each event, because choosing takes long.
    if entryCount >= 2 * limits.events { leaveOutPast() }
  }

  /// Leaves out the UIDs that end first, so that at most the limit of events remains. Events around today and later
  /// stay, whichever day that is.
  private mutating func leaveOutPast() {
    entryCount = CalendarSeries.Draft.leaveOutPast(of: &series, limits)
    places = [:]
    for (place, draft) in series.enumerated() { places[RecordID(draft.id)] = place }
  }

  consuming func finish() throws(CalendarDefect) -> CalendarFile {
    guard hasCalendar else {
      throw CalendarDefect(line: lastLine, "no calendar: it must begin with BEGIN:VCALENDAR")
    }
    guard case .outside = place else {
      throw CalendarDefect(line: lastLine, "the calendar is cut off: no END:VCALENDAR")
    }
    if let firstExcess {
      let message =
        "\(eventCount) events, and at most \(limits.events) count: those that end first are left out, with all of their UIDs"
      let pointer = "/VEVENT/\(limits.events)"
      problems.append(CalendarDefect(line: firstExcess, pointer: pointer, component: .event, message))
      leaveOutPast()
    }
    var (series, warnings, steps) = CalendarSeries.all(series, path: path, limits)
    let tasks = toDos.finish(limits, steps: &steps)
    problems.append(warnings + toDos.warnings + zones.warnings)
    if var first = noDates.first {
      if noDates.count > 1 { first.message = "\(noDates.count) dates mean that there is none, the first is here" }
      problems.append(first)
    }
    // An event's problems are found at its end, or together with its UID.
    return CalendarFile(
      series: series, toDos: tasks, toDoVersions: toDos.versions, toDoSeries: limits.keepsDetails ? toDos.byID : [:],
      hasEvents: eventCount > 0, hasToDos: toDoCount > 0,
      problems: problems.first.sorted { $0.line < $1.line }, furtherProblems: problems.further,
      steps: steps + limits.stepsOfZones - zones.stepsLeft)
  }
}

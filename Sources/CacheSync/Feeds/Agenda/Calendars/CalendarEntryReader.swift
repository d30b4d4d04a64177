import CacheSyncSystem

extension CalendarComponent {
  private static let names = allCases.map { (bytes: Array($0.rawValue.utf8), component: $0) }

  /// The component with a name, in upper or lower case.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let named = Self.names.first(where: { name.isWord($0.bytes) }) else { return nil }
    self = named.component
  }

  var noun: String {
    switch self {
    case .event: "event"
    case .toDo: "to-do"
    }
  }

  /// The feed that it counts for.
  var feed: FeedName {
    switch self {
    case .event: EventsFeed.name
    case .toDo: TasksFeed.name
    }
  }
}

/// Reads the lines of one VEVENT or VTODO. Its first defect makes it bad. The reader still reads the properties that
/// identify it: UID, RECURRENCE-ID and version.
struct CalendarEntryReader {
  let component: CalendarComponent
  /// The number among the components of its kind in the file, from 0, and the line of its BEGIN.
  let index: Int
  let line: Int
  private(set) var uid: String?
  private(set) var defect: CalendarDefect?
  /// What is ignored in it, each kind of problem once.
  private(set) var warnings: [CalendarDefect] = []
  private var warned: Set<String> = []
  /// The first defect of each property that a to-do may turn out not to need.
  private var deferred: [Property: CalendarDefect] = [:]
  /// Whether it has a RECURRENCE-ID, even a broken one.
  private(set) var isOverride = false

  private let limits: CalendarLimits
  private var start: CalendarMoment?
  private var dtend: CalendarMoment?
  private var duration: CalendarDuration?
  /// The place of DTEND or DURATION.
  private var end: (line: Int, property: Property)?
  private var entry: CalendarEntry
  private var toDo = ToDoFields()
  private var exclusions: [CalendarMoment] = []
  private var hasSummary = false
  private var hasLocation = false
  private var hasSequence = false
  private var hasStatus = false

  init(_ component: CalendarComponent, index: Int, line: Int, limits: CalendarLimits) {
    self.component = component
    self.index = index
    self.line = line
    self.limits = limits
    entry = CalendarEntry(component, index: index, line: line, start: CalendarMoment(.first))
  }

  /// Records that the component is bad, unless it already is.
  mutating func fail(_ message: String) { fail(message, line: nil, property: nil) }

  private mutating func fail(_ message: String, line: Int?, property: Property?) {
    guard defect == nil else { return }
    defect = CalendarDefect(line: line ?? self.line, pointer: pointer(property), component: component, message)
  }

  /// Records that something is ignored, with one warning for each message.
  private mutating func warn(_ message: String, line: ContentLine, property: Property) {
    guard warned.insert(message).inserted else { return }
    warnings.append(CalendarDefect(line: line.number, pointer: pointer(property), component: component, message))
  }

  private func pointer(_ property: Property?) -> String {
    "/\(component.rawValue)/\(index)" + (property.map { "/\($0.rawValue)" } ?? "")
  }

  /// Reads a line. A property that no one needs is ignored.
  ///
  /// - Parameter zone: X-WR-TIMEZONE.
  mutating func read(_ line: ContentLine, _ zones: inout FileZones, zone: TimeZoneRules?) {
    guard let property = Property(line.name, of: component) else { return }
    if property == .original { isOverride = true }
    // The rest of a bad component is not needed.
    if defect != nil, !property.isIdentity { return }
    do throws(CalendarDefect) {
      guard let value = line.value else {
        throw CalendarDefect(line: line.number, "no ':' after \(property.rawValue)")
      }
      try readValue(value, of: property, line, &zones, zone)
    } catch {
      if property.hasStandIn { return }
      if component == .toDo, property.isSometimesNeeded {
        deferred[property] = deferred[property] ?? error
      } else {
        fail(error.message, line: line.number, property: property)
      }
    }
  }

  /// The properties that are read; the others may be broken.
  private enum Property: String, CaseIterable {
    case start = "DTSTART"
    case end = "DTEND"
    case summary = "SUMMARY"
    case uid = "UID"
    case stamp = "DTSTAMP"
    case location = "LOCATION"
    case rule = "RRULE"
    case sequence = "SEQUENCE"
    case status = "STATUS"
    case exclusions = "EXDATE"
    case duration = "DURATION"
    case original = "RECURRENCE-ID"
    case extras = "RDATE"
    case exceptions = "EXRULE"
    // Of to-dos.
    case due = "DUE"
    case completed = "COMPLETED"
    case percent = "PERCENT-COMPLETE"
    case created = "CREATED"
    case modified = "LAST-MODIFIED"
    case categories = "CATEGORIES"
    case description = "DESCRIPTION"

    /// Whether a broken one counts as missing.
    var hasStandIn: Bool {
      switch self {
      case .stamp, .created, .modified, .categories, .description: true
      default: false
      }
    }

    /// Whether other properties decide if a to-do needs it.
    var isSometimesNeeded: Bool {
      switch self {
      case .completed, .percent, .duration, .rule, .extras, .exclusions: true
      default: false
      }
    }

    /// The components in which it is read; nil: all.
    private var component: CalendarComponent? {
      switch self {
      case .end, .location, .sequence: .event
      case .due, .completed, .percent, .created, .modified, .categories, .description: .toDo
      default: nil
      }
    }

    /// Whether it is read even if the component is bad.
    var isIdentity: Bool {
      switch self {
      case .uid, .original, .sequence, .stamp: true
      default: false
      }
    }

    private typealias Names = [(bytes: [UInt8], property: Property)]
    private static let ofEvents = names(of: .event)
    private static let ofToDos = names(of: .toDo)

    private static func names(of component: CalendarComponent) -> Names {
      allCases.filter { $0.component.map { $0 == component } ?? true }
        .map { (bytes: Array($0.rawValue.utf8), property: $0) }
    }

    /// In upper or lower case.
    init?(_ name: UnsafeBufferPointer<UInt8>, of component: CalendarComponent) {
      let names = component == .event ? Self.ofEvents : Self.ofToDos
      let entry = names.first { $0.bytes.count == name.count && name.isWord($0.bytes) }
      guard let entry else { return nil }
      self = entry.property
    }
  }

  private mutating func readValue(
    _ value: UnsafeBufferPointer<UInt8>, of property: Property, _ line: ContentLine, _ zones: inout FileZones,
    _ zone: TimeZoneRules?
  ) throws(CalendarDefect) {
    let trimmed = value.trimmed
    switch property {
    case .uid:
      let text = trimmed.unescapedText
      if let uid, !isSameText(uid, text) { throw CalendarDefect(line: line.number, "a second UID: write one") }
      if !text.isEmpty { uid = text }
    case .start:
      if start != nil { throw CalendarDefect(line: line.number, "a second DTSTART: write one") }
      var dates = dates(property, line, zone)
      start = try dates.moment(trimmed, &zones)
    case .end:
      if dtend != nil { throw CalendarDefect(line: line.number, "a second DTEND: write one") }
      var dates = dates(property, line, zone)
      dtend = try dates.moment(trimmed, &zones)
      end = (line.number, property)
    case .duration:
      if duration != nil { throw CalendarDefect(line: line.number, "a second DURATION: write one") }
      duration = try CalendarText.length(trimmed, line)
      if dtend == nil { end = (line.number, property) }
    case .original:
      if entry.original != nil { throw CalendarDefect(line: line.number, "a second RECURRENCE-ID: write one") }
      // Without a zone the date is in that of the series.
      var dates = dates(property, line, nil)
      entry.original = try dates.moment(trimmed, &zones)
      toDo.originalText = String(decoding: trimmed, as: UTF8.self)
      guard let range = line.parameter("RANGE") else { break }
      entry.changesLater = range.isWord("THISANDFUTURE")
      if component == .toDo, entry.changesLater {
        warn(
          "RANGE=THISANDFUTURE is ignored: a to-do with RECURRENCE-ID changes its occurrence alone", line: line,
          property: property)
        break
      }
      if !entry.changesLater {
        warn(
          "RANGE=\(JSONMessage.quoted(range)) is ignored: only THISANDFUTURE is known", line: line, property: property)
      }
    case .rule:
      record(line, property)
      if entry.rules.count == limits.rules {
        throw CalendarDefect(
          line: line.number,
          "more than \(limits.rules) rules in one \(component.noun): write one, and other dates as RDATE")
      }
      entry.rules.append(try CalendarText.rule(trimmed, line))
    case .extras:
      record(line, property)
      // Without a zone the dates are in that of the series, like those of EXDATE.
      var dates = dates(property, line, nil)
      for item in CalendarText.items(trimmed) { entry.extras.append(try dates.extra(item, &zones)) }
    case .exclusions:
      // Without a zone the dates are in that of the series.
      var dates = dates(property, line, nil)
      for item in CalendarText.items(trimmed) { exclusions.append(try dates.moment(item, &zones)) }
    case .exceptions:
      warn("EXRULE is ignored: take the dates out with EXDATE", line: line, property: property)
    case .sequence where !hasSequence:
      hasSequence = true
      entry.version.sequence = try CalendarText.integer(trimmed, line)
    case .stamp where entry.version.stamp == .min:
      // Always in UTC (RFC 5545, 3.8.7.2), even if a program forgets the Z. It only decides which of two files counts,
      // so a broken one is treated as missing.
      if let time = try? CalendarText.time(trimmed, line) { entry.version.stamp = time.wall.seconds }
    case .status where !hasStatus && !trimmed.isEmpty:
      hasStatus = true
      entry.isCancelled = trimmed.isWord("CANCELLED")
      toDo.isCompletedByStatus = trimmed.isWord("COMPLETED")
    case .due:
      if toDo.task.due != nil { throw CalendarDefect(line: line.number, "a second DUE: write one") }
      var dates = dates(property, line, zone)
      toDo.task.due = try dates.moment(trimmed, &zones)
    case .completed where toDo.task.completedAt == nil:
      var dates = dates(property, line, zone)
      toDo.task.completedAt = try dates.moment(trimmed, &zones).since1970
    case .percent where toDo.percent == nil:
      toDo.percent = try CalendarText.integer(trimmed, line)
    case .description where limits.keepsDescriptions && toDo.task.description == nil:
      toDo.task.description = value.unescapedText
    case .created where toDo.task.createdAt == nil:
      toDo.task.createdAt = try CalendarDates.moment(of: line, trimmed, &zones).since1970
    case .modified where toDo.task.lastModified == nil:
      toDo.task.lastModified = try CalendarDates.moment(of: line, trimmed, &zones).since1970
    case .categories: toDo.task.add(labels: value, &toDo.labels)
    case .summary where !hasSummary:
      hasSummary = true
      entry.title = value.unescapedText
    case .location where !hasLocation:
      hasLocation = true
      let text = value.unescapedText
      entry.location = text.isEmpty ? nil : text
    case .sequence, .stamp, .status, .summary, .location: break
    case .completed, .percent, .created, .modified, .description: break
    }
  }

  private mutating func record(_ line: ContentLine, _ property: Property) {
    guard entry.property == nil else { return }
    (entry.line, entry.property) = (line.number, property.rawValue)
  }

  /// - Parameter zone: for times without one.
  private mutating func dates(_ property: Property, _ line: ContentLine, _ zone: TimeZoneRules?) -> CalendarDates {
    let dates = CalendarDates(line, zone: zone)
    if let kind = dates.unknownKind(isPeriodKnown: property == .extras) {
      warn(
        "VALUE=\(JSONMessage.quoted(kind)) is ignored: only DATE and DATE-TIME are known", line: line,
        property: property)
    }
    return dates
  }

  /// Returns the entry after all lines were read. A bad override leaves out the occurrence that it names.
  ///
  /// - Parameter zone: X-WR-TIMEZONE.
  /// - Returns: nil if it is bad and not an override of a known occurrence.
  mutating func finish(zone: TimeZoneRules?) -> CalendarEntry? {
    if start == nil { fail("no DTSTART", line: nil, property: .start) }
    if let start, let dtend, let end {
      if dtend.isDay != start.isDay {
        fail("DTSTART is \(Self.kind(start)), DTEND \(Self.kind(dtend))", line: end.line, property: end.property)
      } else if dtend.isCertainlyBefore(start) {
        fail("DTEND is before DTSTART", line: end.line, property: end.property)
      }
    }
    guard defect == nil, var start else { return withoutOccurrence(zone) }
    if let dtend { entry.end = .at(dtend) } else if let duration { entry.end = .lasting(duration) }
    // Programs that write all dates in UTC give the zone of the wall clock in X-WR-TIMEZONE.
    if let zone, entry.repeats, case .known(let rules) = start.zone, rules === TimeZoneRules.utc,
      let second = start.knownSecond
    {
      start = CalendarMoment(second: second, in: zone)
    }
    entry.start = start
    if start.isDay { entry.rules = entry.rules.map(\.endingWithDay) }
    entry.zoneOfSeries = zone.map { .known($0) } ?? start.zone
    entry.exceptions.insert(exclusions.map { $0.placed(in: start.zone) })
    entry.extras = entry.extras.map { $0.placed(in: start.zone) }
    return entry
  }

  /// Returns the to-do after all lines were read; nil if it is bad.
  ///
  /// - Parameter path: the file's, for a to-do without UID.
  mutating func finishToDo(path: CachePath) -> WrittenToDo? {
    var task = toDo.task
    task.isCompleted = hasStatus ? toDo.isCompletedByStatus : task.completedAt != nil || toDo.percent == 100
    for property in neededProperties(of: task) {
      if let defect = deferred[property] { fail(defect.message, line: defect.line, property: property) }
    }
    guard defect == nil else { return nil }
    task.id = uid.map { uid in toDo.originalText.map { "\(uid)#\($0)" } ?? uid } ?? "\(path):\(index)"
    task.title = entry.title.allSatisfy(\.isWhitespace) ? "Untitled" : entry.title
    task.start = start
    if task.due == nil, let start, let duration {
      // A day and P1D: due that day.
      task.due =
        if case .days(let days) = CalendarEntry.length(from: start, to: .lasting(duration), CivilCalendar(.utc)) {
          start.advanced(days: days - 1, seconds: 0)
        } else {
          start.advanced(days: duration.days, seconds: duration.seconds)
        }
    }
    if entry.version.stamp >= 0 { task.stamp = CalendarMoment(second: entry.version.stamp, in: .utc) }
    task.createdAt = task.createdAt ?? task.stamp
    entry.start = start ?? task.due ?? entry.start
    if entry.start.isDay { entry.rules = entry.rules.map(\.endingWithDay) }
    entry.zoneOfSeries = entry.start.zone
    entry.exceptions.insert(exclusions.map { $0.placed(in: entry.start.zone).floating(in: entry.start.zone) })
    entry.extras = entry.extras.map { $0.placed(in: entry.start.zone) }
    return WrittenToDo(task: task, entry: entry, isDated: start != nil || task.due != nil)
  }

  /// The properties of ``Property/isSometimesNeeded`` that this to-do needs.
  private func neededProperties(of task: CalendarToDo) -> [Property] {
    if entry.isCancelled { return [] }
    var needed: [Property] = []
    if !hasStatus || task.isCompleted { needed.append(.completed) }
    if !hasStatus, task.completedAt == nil { needed.append(.percent) }
    if task.due == nil, start != nil { needed.append(.duration) }
    if !task.isCompleted {
      needed += [.rule, .extras]
      if entry.repeats { needed.append(.exclusions) }
    }
    return needed
  }

  private func withoutOccurrence(_ zone: TimeZoneRules?) -> CalendarEntry? {
    guard isOverride, let original = entry.original else { return nil }
    var cancelled = CalendarEntry(component, index: index, line: line, start: original)
    (cancelled.original, cancelled.isCancelled, cancelled.version) = (original, true, entry.version)
    cancelled.zoneOfSeries = zone.map { .known($0) } ?? original.zone
    return cancelled
  }

  private static func kind(_ moment: CalendarMoment) -> String { moment.isDay ? "a day" : "a time" }
}

/// The properties that only a VTODO has.
private struct ToDoFields {
  var task = CalendarToDo(id: "")
  /// RECURRENCE-ID as written.
  var originalText: String?
  var isCompletedByStatus = false
  var labels: Set<RecordID> = []
  var percent: Int?
}

extension CalendarMoment {
  /// nil: in a year before 1970, which programs write for an unknown date.
  fileprivate var since1970: CalendarMoment? { wall.day.year < 1970 ? nil : self }
}

extension CalendarToDo {
  /// Adds the labels of a line, each once, without empty ones.
  ///
  /// - Parameter known: the labels so far. (RecordIDs, because texts compare by their bytes.)
  fileprivate mutating func add(labels value: UnsafeBufferPointer<UInt8>, _ known: inout Set<RecordID>) {
    for item in value.textItems where known.insert(RecordID(item)).inserted { labels.append(item) }
  }
}

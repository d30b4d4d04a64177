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

/// Reads the lines of one VEVENT or VTODO. A property that cannot be read is ignored with a warning, unless the
/// component needs it: then the component is bad. The reader still reads the properties that identify a bad one: UID,
/// RECURRENCE-ID and version.
struct CalendarEntryReader {
  private typealias Property = CalendarProperty

  let component: CalendarComponent
  /// The number among the components of its kind in the file, from 0, and the line of its BEGIN.
  let index: Int
  let line: Int
  private(set) var uid: String?
  private(set) var defect: CalendarDefect?
  /// What is ignored in it, each message once.
  private var warnings = CalendarProblems()
  private var warned: Set<String> = []
  /// The defects of each property that a to-do may turn out not to need.
  private var deferred: [Property: [CalendarDefect]] = [:]
  /// Whether it has a RECURRENCE-ID, even one that cannot be read.
  private var hasOriginal = false
  /// RECURRENCE-ID as written.
  private var originalText = ""

  private let limits: CalendarLimits
  private var start: CalendarMoment?
  private var end: (moment: CalendarMoment, line: Int)?
  private var duration: CalendarDuration?
  private var entry: CalendarEntry
  private var toDo = ToDoFields()
  private var details = CalendarDetails()
  private var exclusions: [CalendarMoment] = []
  private var created: CalendarMoment?
  private var modified: CalendarMoment?
  /// The dates that mean that there is none.
  private(set) var noDates: [CalendarDefect] = []
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
  private mutating func warn(_ message: String, line: Int, property: Property) {
    if warnings.hasRoom, !warned.insert(message).inserted { return }
    warnings.append(CalendarDefect(line: line, pointer: pointer(property), component: component, message))
  }

  /// What is wrong with the component, which is complete: what leaves it out, or else what is ignored. It begins with the
  /// title, if there is one.
  var problems: CalendarProblems {
    var problems = warnings
    if var defect {
      let record = isOverride ? "occurrence" : component.noun
      defect.message += ": this \(record) is left out"
      problems = CalendarProblems()
      problems.append(defect)
    }
    if !entry.title.isEmpty { problems.name(entry.title) }
    return problems
  }

  /// Records that a property cannot be read. A to-do may turn out not to need it.
  private mutating func miss(_ property: Property, because defect: CalendarDefect) {
    if component == .toDo, property.isSometimesNeeded {
      if deferred[property]?.count ?? 0 < CalendarProblems.capacity { deferred[property, default: []].append(defect) }
    } else {
      leaveOut(property, because: defect)
    }
  }

  /// Leaves out a property that cannot be read, with the component if that needs it, and else alone.
  private mutating func leaveOut(_ property: Property, because defect: CalendarDefect) {
    if property.isEssential(to: component), !defect.isRuleOfOtherCalendar {
      return fail(defect.message, line: defect.line, property: property)
    }
    let effect =
      switch property {
      case .original: " is ignored, so this \(component.noun) stands alone: "
      case .rule: " is ignored, so only the first occurrence shows: "
      default: " is ignored: "
      }
    warn(property.rawValue + effect + defect.message, line: defect.line, property: property)
  }

  /// Whether it changes an occurrence of a series.
  var isOverride: Bool { entry.original != nil }

  /// What its series is known by: the UID. If its RECURRENCE-ID cannot be read, it is a series of its own.
  var seriesID: String? {
    hasOriginal && !isOverride ? uid.map { "\($0)#RECURRENCE-ID:\(originalText)" } : uid
  }

  private func pointer(_ property: Property?) -> String {
    "/\(component.rawValue)/\(index)" + (property.map { "/\($0.rawValue)" } ?? "")
  }

  /// Reads a line. A property that no one needs is ignored.
  ///
  /// - Parameter zone: X-WR-TIMEZONE.
  mutating func read(_ line: ContentLine, _ zones: inout FileZones, zone: TimeZoneRules?) {
    if limits.keepsDetails { details.read(line, of: component) }
    guard let property = Property(line.name, of: component) else { return }
    if property == .original { hasOriginal = true }
    // Of a bad component only its identity and its title are needed.
    if defect != nil, !property.isIdentity, property != .summary { return }
    do throws(CalendarDefect) {
      guard let value = line.value else {
        throw CalendarDefect(line: line.number, "no ':' after \(property.rawValue)")
      }
      try readValue(value, of: property, line, &zones, zone)
    } catch {
      miss(property, because: error)
    }
  }

  mutating func beginAlarm() {
    if limits.keepsDetails { details.alarms.append(CalendarAlarm()) }
  }

  mutating func readAlarm(_ line: ContentLine) {
    if limits.keepsDetails { details.alarms[details.alarms.count - 1].read(line) }
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
      if end != nil { throw CalendarDefect(line: line.number, "a second DTEND: write one") }
      var dates = dates(property, line, zone)
      end = (try dates.moment(trimmed, &zones), line.number)
    case .duration:
      if duration != nil { throw CalendarDefect(line: line.number, "a second DURATION: write one") }
      duration = try CalendarText.length(trimmed, line)
    case .original:
      if isOverride { throw CalendarDefect(line: line.number, "a second RECURRENCE-ID: write one") }
      originalText = String(decoding: trimmed, as: UTF8.self)
      // Without a zone the date is in that of the series.
      var dates = dates(property, line, nil)
      entry.original = try dates.moment(trimmed, &zones)
      guard let range = line.parameter("RANGE") else { break }
      entry.changesLater = range.isWord("THISANDFUTURE")
      if component == .toDo, entry.changesLater {
        warn(
          "RANGE=THISANDFUTURE is ignored: a to-do with RECURRENCE-ID changes its occurrence alone",
          line: line.number, property: property)
        break
      }
      if !entry.changesLater {
        warn(
          "RANGE=\(JSONMessage.quoted(range)) is ignored: only THISANDFUTURE is known",
          line: line.number, property: property)
      }
    case .rule where trimmed.isEmpty: warn("RRULE is ignored: it is empty", line: line.number, property: property)
    case .rule:
      record(line, property)
      if entry.rules.count == limits.rules {
        throw CalendarDefect(
          line: line.number,
          "more than \(limits.rules) rules in one \(component.noun): write one, and other dates as RDATE")
      }
      let rule = try CalendarText.rule(trimmed, line) { warn($0, line: line.number, property: property) }
      entry.rules.append(rule)
    case .extras:
      record(line, property)
      // Without a zone the dates are in that of the series, like those of EXDATE.
      var dates = dates(property, line, nil)
      for item in CalendarText.items(trimmed) {
        do throws(CalendarDefect) {
          let (extra, defect) = try dates.extra(item, &zones)
          entry.extras.append(extra)
          if let defect { miss(property, because: defect) }
        } catch {
          miss(property, because: error)
        }
      }
    case .exclusions:
      // Without a zone the dates are in that of the series.
      var dates = dates(property, line, nil)
      for item in CalendarText.items(trimmed) {
        do throws(CalendarDefect) {
          exclusions.append(try dates.moment(item, &zones))
        } catch {
          miss(property, because: error)
        }
      }
    case .exceptions:
      warn("EXRULE is ignored: take the dates out with EXDATE", line: line.number, property: property)
    case .sequence where !hasSequence:
      entry.version.sequence = try CalendarText.integer(trimmed, line)
      hasSequence = true
    case .stamp where entry.version.stamp == .min:
      // Always in UTC (RFC 5545, 3.8.7.2), even if a program forgets the Z.
      if CalendarText.isBefore1970(trimmed) { break }
      entry.version.stamp = counted(try CalendarText.time(trimmed, line).wall.seconds, property, line)
    case .status where !hasStatus && !trimmed.isEmpty:
      guard CalendarText.isStatus(trimmed) else {
        throw CalendarDefect(line: line.number, "unknown status \(JSONMessage.quoted(trimmed))")
      }
      hasStatus = true
      entry.isCancelled = trimmed.isWord("CANCELLED")
      toDo.isCompletedByStatus = trimmed.isWord("COMPLETED")
    case .created where created == nil: created = try stamp(trimmed, line, &zones)
    case .modified where modified == nil:
      modified = try stamp(trimmed, line, &zones)
      guard let second = modified?.second(in: CivilCalendar(.utc)) else { break }
      let known = counted(second, property, line)
      if known != second { modified = CalendarMoment(second: known, in: .utc) }
    case .attendee: entry.declined += line.declinedAddresses
    case .due:
      if toDo.task.due != nil { throw CalendarDefect(line: line.number, "a second DUE: write one") }
      var dates = dates(property, line, zone)
      let due = try dates.moment(trimmed, &zones)
      if due.meansNoDate || due.isUnixEpoch { noteNoDate(line, property) } else { toDo.task.due = due }
    case .completed where toDo.task.completedAt == nil:
      if CalendarText.isBefore1970(trimmed) { break }
      var dates = dates(property, line, zone)
      let completed = try dates.moment(trimmed, &zones)
      if completed.meansNoDate || completed.isUnixEpoch {
        noteNoDate(line, property)
      } else {
        toDo.task.completedAt = completed
      }
    case .percent where toDo.percent == nil:
      toDo.percent = try CalendarText.integer(trimmed, line)
    case .description where limits.keepsDetails && toDo.task.description == nil:
      toDo.task.description = value.unescapedText
    case .parent where toDo.parent == nil && !trimmed.isEmpty:
      if line.parameter("RELTYPE")?.isWord("PARENT") ?? true { toDo.parent = RecordID(trimmed.unescapedText) }
    case .categories: toDo.task.add(labels: value, &toDo.labels)
    case .summary where !hasSummary:
      hasSummary = true
      entry.title = value.unescapedText
    case .location where !hasLocation:
      hasLocation = true
      let text = value.unescapedText
      entry.location = text.isEmpty ? nil : text
    case .sequence, .stamp, .status, .summary, .location: break
    case .completed, .percent, .created, .modified, .description, .parent: break
    }
  }

  private mutating func noteNoDate(_ line: ContentLine, _ property: Property) {
    let message = "this date means that there is none"
    noDates.append(CalendarDefect(line: line.number, pointer: pointer(property), component: component, message))
  }

  /// What a stamp counts as, in seconds since 1970: one in the future as the file's time, with a warning.
  private mutating func counted(_ second: Int64, _ property: Property, _ line: ContentLine) -> Int64 {
    guard let times = limits.times, let days = times.daysAhead(of: Instant(seconds: second).clamped) else {
      return second
    }
    warn(FileTimes.warning(property.rawValue, daysAhead: days), line: line.number, property: property)
    return times.modified.seconds
  }

  /// When something was written; nil: in a year before 1970, which programs write for an unknown date.
  private func stamp(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine, _ zones: inout FileZones
  ) throws(CalendarDefect) -> CalendarMoment? {
    CalendarText.isBefore1970(text) ? nil : try CalendarDates.moment(of: line, text, &zones)
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
        "VALUE=\(JSONMessage.quoted(kind)) is ignored: only DATE and DATE-TIME are known",
        line: line.number, property: property)
    }
    return dates
  }

  /// Returns the entry after all lines were read. A bad override leaves out the occurrence that it names.
  ///
  /// - Parameter zone: X-WR-TIMEZONE.
  /// - Returns: nil if it is bad and not an override of a known occurrence.
  mutating func finish(zone: TimeZoneRules?) -> CalendarEntry? {
    if start == nil { fail("no DTSTART", line: nil, property: .start) }
    // What repeats may have begun long ago, such as a birthday of 1604.
    if let start, start.meansNoDate, !entry.repeats, !isOverride {
      fail("DTSTART means that there is no date", line: nil, property: .start)
    }
    guard defect == nil, var start else { return withoutOccurrence(zone) }
    if let duration { entry.end = .lasting(duration) }
    if let (moment, line) = end {
      if moment.isDay != start.isDay {
        let message = "DTSTART is \(Self.kind(start)), DTEND \(Self.kind(moment))"
        leaveOut(.end, because: CalendarDefect(line: line, message))
      } else if moment.isCertainlyBefore(start) {
        leaveOut(.end, because: CalendarDefect(line: line, "it is before DTSTART"))
      } else {
        entry.end = .at(moment)
      }
    }
    // Programs that write all dates in UTC give the zone of the wall clock in X-WR-TIMEZONE.
    if let zone, entry.repeats, case .known(let rules) = start.zone, rules === TimeZoneRules.utc,
      let second = start.knownSecond
    {
      start = CalendarMoment(second: second, in: zone)
    }
    entry.start = start
    if start.isDay { entry.rules = entry.rules.map(\.ofCalendarDays) }
    entry.zoneOfSeries = zone.map { .known($0) } ?? start.zone
    // Both are in UTC (RFC 5545, 3.8.7), even if a program forgets the Z.
    entry.created = created?.second(in: CivilCalendar(.utc)) ?? .min
    entry.modified = modified?.second(in: CivilCalendar(.utc)) ?? .min
    entry.exceptions.insert(exclusions.map { $0.excluded(from: start.zone) })
    entry.extras = entry.extras.map { $0.placed(in: start.zone) }
    keepDetails()
    return entry
  }

  /// Returns the to-do after all lines were read; nil if it is bad.
  ///
  /// - Parameter path: the file's, for a to-do without UID.
  mutating func finishToDo(path: CachePath) -> WrittenToDo? {
    var task = toDo.task
    task.isCompleted = hasStatus ? toDo.isCompletedByStatus : task.completedAt != nil || toDo.percent == 100
    for property in neededProperties(of: task) {
      for defect in deferred[property] ?? [] { leaveOut(property, because: defect) }
    }
    guard defect == nil else { return nil }
    task.id = seriesID.map { isOverride ? "\($0)#\(originalText)" : $0 } ?? "\(path):\(index)"
    task.title = entry.title.isBlank ? "Untitled" : entry.title
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
    task.createdAt = created ?? task.stamp
    task.lastModified = modified
    task.step = toDo.parent == nil ? nil : seriesID.map { RecordID($0) }
    entry.start = start ?? task.due ?? entry.start
    if entry.start.isDay { entry.rules = entry.rules.map(\.ofCalendarDays) }
    entry.zoneOfSeries = entry.start.zone
    entry.exceptions.insert(exclusions.map { $0.excluded(from: entry.start.zone).floating(in: entry.start.zone) })
    entry.extras = entry.extras.map { $0.placed(in: entry.start.zone) }
    keepDetails()
    return WrittenToDo(task: task, entry: entry, isDated: start != nil || task.due != nil, parent: toDo.parent)
  }

  private mutating func keepDetails() {
    guard limits.keepsDetails else { return }
    (details.uid, details.rules) = (uid, entry.rules)
    if toDo.task.due == nil { details.duration = duration }
    entry.details = details
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
    guard let original = entry.original else { return nil }
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
  /// The UID of the to-do of which it is a step.
  var parent: RecordID?
  var isCompletedByStatus = false
  var labels: Set<RecordID> = []
  var percent: Int?
}

extension CalendarToDo {
  /// Adds the labels of a line, each once, without empty ones.
  ///
  /// - Parameter known: the labels so far. (RecordIDs, because texts compare by their bytes.)
  fileprivate mutating func add(labels value: UnsafeBufferPointer<UInt8>, _ known: inout Set<RecordID>) {
    for item in value.textItems where known.insert(RecordID(item)).inserted { labels.append(item) }
  }
}

/// Reads the lines of one VEVENT. Its first defect makes it bad. The reader still reads the properties that identify
/// it: UID, RECURRENCE-ID and version.
struct CalendarEntryReader {
  /// The number of the VEVENT in its file, from 0, and the line of its BEGIN.
  let index: Int
  let line: Int
  private(set) var uid: String?
  private(set) var defect: CalendarDefect?
  /// What is ignored in it, each kind of problem once.
  private(set) var warnings: [CalendarDefect] = []
  /// Whether it has a RECURRENCE-ID, even a broken one.
  private(set) var isOverride = false

  private let limits: CalendarLimits
  private var start: CalendarMoment?
  private var dtend: CalendarMoment?
  private var duration: CalendarDuration?
  /// The place of DTEND or DURATION.
  private var end: (line: Int, property: Property)?
  private var entry: CalendarEntry
  private var exclusions: [CalendarMoment] = []
  private var hasSummary = false
  private var hasLocation = false
  private var hasSequence = false
  private var hasStatus = false

  init(index: Int, line: Int, limits: CalendarLimits) {
    self.index = index
    self.line = line
    self.limits = limits
    entry = CalendarEntry(index: index, line: line, start: CalendarMoment(.first))
  }

  /// Records that the VEVENT is bad, unless it already is.
  mutating func fail(_ message: String) { fail(message, line: nil, property: nil) }

  private mutating func fail(_ message: String, line: Int?, property: Property?) {
    guard defect == nil else { return }
    defect = CalendarDefect(line: line ?? self.line, pointer: pointer(property), message)
  }

  /// Records that something is ignored, with one warning for each message.
  private mutating func warn(_ message: String, line: ContentLine, property: Property) {
    if warnings.contains(where: { $0.message == message }) { return }
    warnings.append(CalendarDefect(line: line.number, pointer: pointer(property), message))
  }

  private func pointer(_ property: Property?) -> String {
    "/VEVENT/\(index)" + (property.map { "/\($0.rawValue)" } ?? "")
  }

  /// - Parameter zone: X-WR-TIMEZONE.
  mutating func take(_ line: ContentLine, _ zones: inout FileZones, zone: TimeZoneRules?) {
    guard let property = Property(line.name) else { return }
    if property == .original { isOverride = true }
    // The rest of a bad VEVENT is not needed.
    if defect != nil, !property.isIdentity { return }
    guard let value = line.value else {
      if property == .stamp { return }
      fail("no ':' after \(property.rawValue)", line: line.number, property: property)
      return
    }
    do {
      try take(property, value, line, &zones, zone)
    } catch {
      fail(error.message, line: line.number, property: property)
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

    /// Whether it is read even if the VEVENT is bad.
    var isIdentity: Bool {
      switch self {
      case .uid, .original, .sequence, .stamp: true
      default: false
      }
    }

    static let names = allCases.map { (bytes: Array($0.rawValue.utf8), property: $0) }

    /// In upper or lower case.
    init?(_ name: UnsafeBufferPointer<UInt8>) {
      let entry = Self.names.first { $0.bytes.count == name.count && name.isWord($0.bytes) }
      guard let entry else { return nil }
      self = entry.property
    }
  }

  private mutating func take(
    _ property: Property, _ value: UnsafeBufferPointer<UInt8>, _ line: ContentLine, _ zones: inout FileZones,
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
      guard let range = line.parameter("RANGE") else { break }
      entry.changesLater = range.isWord("THISANDFUTURE")
      if !entry.changesLater {
        warn(
          "RANGE=\(JSONMessage.quoted(range)) is ignored: only THISANDFUTURE is known", line: line, property: property)
      }
    case .rule:
      record(line, property)
      if entry.rules.count == limits.rules {
        throw CalendarDefect(
          line: line.number, "more than \(limits.rules) rules in one event: write one, and other dates as RDATE")
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
    case .status where !hasStatus:
      hasStatus = true
      entry.isCancelled = trimmed.isWord("CANCELLED")
    case .summary where !hasSummary:
      hasSummary = true
      entry.title = value.unescapedText
    case .location where !hasLocation:
      hasLocation = true
      let text = value.unescapedText
      entry.location = text.isEmpty ? nil : text
    case .sequence, .stamp, .status, .summary, .location: break
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

  private func withoutOccurrence(_ zone: TimeZoneRules?) -> CalendarEntry? {
    guard isOverride, let original = entry.original else { return nil }
    var cancelled = CalendarEntry(index: index, line: line, start: original)
    (cancelled.original, cancelled.isCancelled, cancelled.version) = (original, true, entry.version)
    cancelled.zoneOfSeries = zone.map { .known($0) } ?? original.zone
    return cancelled
  }

  private static func kind(_ moment: CalendarMoment) -> String { moment.isDay ? "a day" : "a time" }
}

/// Reads the lines of one VEVENT. The first thing that is wrong makes it bad; its UID is read in any case.
struct CalendarEntryReader {
  /// Which VEVENT of its file, from 0, and the line of its BEGIN.
  let index: Int
  let line: Int
  private(set) var uid: String?
  private(set) var defect: CalendarDefect?

  private var start: CalendarMoment?
  private var dtend: CalendarMoment?
  private var duration: CalendarDuration?
  /// Where DTEND or DURATION stands.
  private var end: (line: Int, property: Property)?
  private var entry: CalendarEntry
  private var exclusions: [CalendarMoment] = []
  private var hasSummary = false
  private var hasLocation = false
  private var hasSequence = false
  private var hasStatus = false

  init(index: Int, line: Int) {
    self.index = index
    self.line = line
    entry = CalendarEntry(index: index, line: line, start: CalendarMoment(.first))
  }

  /// Records that the VEVENT is bad, unless it is already.
  mutating func fail(_ message: String) { fail(message, line: nil, property: nil) }

  private mutating func fail(_ message: String, line: Int?, property: Property?) {
    guard defect == nil else { return }
    let pointer = "/VEVENT/\(index)" + (property.map { "/\($0.rawValue)" } ?? "")
    defect = CalendarDefect(line: line ?? self.line, pointer: pointer, message)
  }

  /// - Parameter zone: X-WR-TIMEZONE.
  mutating func take(_ line: ContentLine, _ zones: inout FileZones, zone: TimeZoneRules?) {
    guard let property = Property(line.name) else { return }
    // Nothing more is needed of a bad one.
    if defect != nil, property != .uid { return }
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

  /// What is read of a VEVENT; the rest may be broken.
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
      start = try Self.moment(trimmed, line, &zones, zone)
    case .end:
      if dtend != nil { throw CalendarDefect(line: line.number, "a second DTEND: write one") }
      dtend = try Self.moment(trimmed, line, &zones, zone)
      end = (line.number, property)
    case .duration:
      if duration != nil { throw CalendarDefect(line: line.number, "a second DURATION: write one") }
      duration = try Self.length(trimmed, line)
      if dtend == nil { end = (line.number, property) }
    case .original:
      if entry.original != nil { throw CalendarDefect(line: line.number, "a second RECURRENCE-ID: write one") }
      entry.original = try Self.moment(trimmed, line, &zones, zone)
      entry.changesLater = line.parameter("RANGE")?.isWord("THISANDFUTURE") == true
    case .rule:
      note(line, property)
      entry.rules.append(try CalendarText.rule(trimmed, line))
    case .extras:
      note(line, property)
      for item in CalendarText.items(trimmed) { entry.extras.append(try Self.extra(item, line, &zones, zone)) }
    case .exclusions:
      for item in CalendarText.items(trimmed) { exclusions.append(try Self.moment(item, line, &zones, zone)) }
    case .sequence where !hasSequence:
      hasSequence = true
      entry.version.sequence = try CalendarText.integer(trimmed, line)
    case .stamp where entry.version.stamp == .min:
      // Always in UTC (RFC 5545, 3.8.7.2); a program that forgets the Z means it too. It only settles which of two files
      // counts, so a broken one is as good as none.
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

  private mutating func note(_ line: ContentLine, _ property: Property) {
    guard entry.property == nil else { return }
    (entry.line, entry.property) = (line.number, property.rawValue)
  }

  private static func moment(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine, _ zones: inout FileZones, _ zone: TimeZoneRules?
  ) throws(CalendarDefect) -> CalendarMoment {
    let time = try CalendarText.time(text, line)
    if let kind = line.parameter("VALUE") {
      if kind.isWord("DATE"), !time.isDay {
        throw CalendarDefect(
          line: line.number, "VALUE=DATE, and \(JSONMessage.quoted(text)) has a time: write 20261123")
      }
      if kind.isWord("DATE-TIME"), time.isDay {
        throw CalendarDefect(line: line.number, "VALUE=DATE-TIME, and \(JSONMessage.quoted(text)) has no time")
      }
    }
    if time.isDay { return CalendarMoment(time.wall.day) }
    if time.isUTC { return CalendarMoment(time.wall, in: .utc) }
    guard let parameter = line.parameter("TZID") else {
      return zone.map { CalendarMoment(time.wall, in: $0) } ?? CalendarMoment(floating: time.wall)
    }
    guard let rules = zones.rules(named: String(decoding: parameter, as: UTF8.self)) else {
      throw CalendarDefect(
        line: line.number,
        "unknown time zone \(JSONMessage.quoted(parameter)): the system, the file and Windows have none of that name")
    }
    return CalendarMoment(time.wall, in: rules)
  }

  private static func length(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine
  ) throws(CalendarDefect) -> CalendarDuration {
    let duration = try CalendarText.duration(text, line)
    if duration.days < 0 || duration.seconds < 0 {
      throw CalendarDefect(line: line.number, "a length below zero: an event cannot end before it starts")
    }
    return duration
  }

  /// A date, or a PERIOD: `start/end` or `start/length`.
  private static func extra(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine, _ zones: inout FileZones, _ zone: TimeZoneRules?
  ) throws(CalendarDefect) -> CalendarEntry.Extra {
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
      return CalendarEntry.Extra(start: try moment(text, line, &zones, zone))
    }
    let start = try moment(UnsafeBufferPointer(rebasing: text[..<slash]).trimmed, line, &zones, zone)
    let rest = UnsafeBufferPointer(rebasing: text[(slash + 1)...]).trimmed
    if let first = rest.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") {
      let end = try moment(rest, line, &zones, zone)
      guard !isBefore(end, start) else {
        throw CalendarDefect(line: line.number, "the period \(JSONMessage.quoted(text)) ends before it starts")
      }
      return CalendarEntry.Extra(start: start, end: .at(end))
    }
    return CalendarEntry.Extra(start: start, end: .lasting(try length(rest, line)))
  }

  /// Whether one date is certainly before another, wherever the cache is.
  private static func isBefore(_ a: CalendarMoment, _ b: CalendarMoment) -> Bool {
    if a.zone.isSame(as: b.zone) { return a.wall < b.wall }
    guard let first = a.knownSecond, let second = b.knownSecond else { return false }
    return first < second
  }

  /// The entry, once all lines are read; nil when it is bad.
  ///
  /// - Parameter zone: X-WR-TIMEZONE.
  mutating func finish(zone: TimeZoneRules?) -> CalendarEntry? {
    guard defect == nil else { return nil }
    guard var start else {
      fail("no DTSTART")
      return nil
    }
    if let dtend, let end {
      if dtend.isDay != start.isDay {
        fail("DTSTART is \(Self.kind(start)), DTEND \(Self.kind(dtend))", line: end.line, property: end.property)
      } else if Self.isBefore(dtend, start) {
        fail("DTEND is before DTSTART", line: end.line, property: end.property)
      }
      entry.end = .at(dtend)
    } else if let duration {
      entry.end = .lasting(duration)
    }
    // Programs that write all dates in UTC say with X-WR-TIMEZONE where the wall is.
    if let zone, entry.repeats, case .known(let rules) = start.zone, rules === TimeZoneRules.utc,
      let second = start.knownSecond
    {
      start = CalendarMoment(second: second, in: zone)
    }
    entry.start = start
    entry.exclusions = CalendarExclusions(exclusions)
    return defect == nil ? entry : nil
  }

  private static func kind(_ moment: CalendarMoment) -> String { moment.isDay ? "a day" : "a time" }
}

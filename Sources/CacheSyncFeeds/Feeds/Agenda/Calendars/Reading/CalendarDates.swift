/// The dates of one property. It reads the parameters once, however many dates follow them.
struct CalendarDates {
  private let line: ContentLine
  private let kind: UnsafeBufferPointer<UInt8>?
  private let zoneName: UnsafeBufferPointer<UInt8>?
  /// The zone of times without one: that of the TZID, once it is known.
  private var zone: TimeZoneRules?
  private var isZoneKnown: Bool

  /// - Parameter zone: for times without a zone; nil: they keep none.
  init(_ line: ContentLine, zone: TimeZoneRules?) {
    self.line = line
    self.zone = zone
    kind = line.parameter("VALUE")
    zoneName = line.parameter("TZID")
    isZoneKnown = zoneName == nil
  }

  /// The unknown VALUE, if there is one.
  func unknownKind(isPeriodKnown: Bool) -> UnsafeBufferPointer<UInt8>? {
    guard let kind, !kind.isWord("DATE"), !kind.isWord("DATE-TIME") else { return nil }
    return isPeriodKnown && kind.isWord("PERIOD") ? nil : kind
  }

  /// The date of a property that ignores an unknown VALUE.
  static func moment(
    of line: ContentLine, _ text: UnsafeBufferPointer<UInt8>, _ zones: inout FileZones
  ) throws(CalendarDefect) -> CalendarMoment {
    var dates = CalendarDates(line, zone: nil)
    return try dates.moment(text, &zones)
  }

  mutating func moment(
    _ text: UnsafeBufferPointer<UInt8>, _ zones: inout FileZones
  ) throws(CalendarDefect) -> CalendarMoment {
    let time = try CalendarText.time(text, line)
    if let kind {
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
    if !isZoneKnown, let zoneName {
      zone = try Self.zone(zoneName, line, &zones)
      isZoneKnown = true
    }
    return zone.map { CalendarMoment(time.wall, in: $0) } ?? CalendarMoment(floating: time.wall)
  }

  private static func zone(
    _ name: UnsafeBufferPointer<UInt8>, _ line: ContentLine, _ zones: inout FileZones
  ) throws(CalendarDefect) -> TimeZoneRules {
    switch zones.zone(named: String(decoding: name.prefix(TimeZones.longestName + 1), as: UTF8.self)) {
    case .rules(let rules): return rules
    case .unknown(let advice):
      throw CalendarDefect(
        line: line.number,
        "unknown time zone \(JSONMessage.quoted(name))\(advice): the system, the file and Windows have none of that name"
      )
    case .bad(let defect):
      throw CalendarDefect(
        line: line.number,
        "the file's time zone \(JSONMessage.quoted(name)) cannot be used: \(defect.message) (line \(defect.line))")
    }
  }

  /// Reads a date, or a PERIOD: `start/end` or `start/length`. One whose end cannot be read, or is before its start, has
  /// no length; the defect says why.
  mutating func extra(
    _ text: UnsafeBufferPointer<UInt8>, _ zones: inout FileZones
  ) throws(CalendarDefect) -> (CalendarEntry.Extra, CalendarDefect?) {
    guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
      return (CalendarEntry.Extra(start: try moment(text, &zones)), nil)
    }
    let start = try moment(UnsafeBufferPointer(rebasing: text[..<slash]).trimmed, &zones)
    let rest = UnsafeBufferPointer(rebasing: text[(slash + 1)...]).trimmed
    do throws(CalendarDefect) {
      guard let first = rest.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else {
        return (CalendarEntry.Extra(start: start, end: .lasting(try CalendarText.length(rest, line))), nil)
      }
      let end = try moment(rest, &zones)
      if end.isCertainlyBefore(start) {
        throw CalendarDefect(line: line.number, "the period \(JSONMessage.quoted(text)) ends before it starts")
      }
      return (CalendarEntry.Extra(start: start, end: .at(end)), nil)
    } catch {
      return (CalendarEntry.Extra(start: start, end: .lasting(CalendarDuration())), error)
    }
  }
}

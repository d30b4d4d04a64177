/// The values of a calendar's properties (RFC 5545, 3.3).
enum CalendarText {
  /// A day, or a wall time with or without `Z`.
  struct Time {
    var wall: WallTime
    var isDay = false
    var isUTC = false
  }

  /// `20261123`, `20261123T080000` or `20261123T080000Z`.
  static func time(_ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine) throws(CalendarDefect) -> Time {
    guard let time = time(text) else {
      throw CalendarDefect(
        line: line.number,
        text.isEmpty
          ? "no date: write 20261123, 20261123T080000 or 20261123T080000Z"
          : "invalid date \(JSONMessage.quoted(text)): write 20261123, 20261123T080000 or 20261123T080000Z")
    }
    return time
  }

  private static func time(_ text: UnsafeBufferPointer<UInt8>) -> Time? {
    guard let year = ASCIIDigits.number(text, at: 0, count: 4), let month = ASCIIDigits.number(text, at: 4, count: 2),
      let dayOfMonth = ASCIIDigits.number(text, at: 6, count: 2),
      let day = LocalDay(year: year, month: month, day: dayOfMonth)
    else { return nil }
    if text.count == 8 { return Time(wall: WallTime(day), isDay: true) }
    let isUTC = text.count == 16 && text[15] | 0x20 == UInt8(ascii: "z")
    guard text.count == 15 || isUTC, text[8] | 0x20 == UInt8(ascii: "t"),
      let hour = ASCIIDigits.number(text, at: 9, count: 2), hour <= 23,
      let minute = ASCIIDigits.number(text, at: 11, count: 2), minute <= 59,
      let second = ASCIIDigits.number(text, at: 13, count: 2), second <= 60
    else { return nil }
    // RFC 5545, 3.3.12: a program that does not support leap seconds reads 60 as 59.
    let wall = WallTime(day, secondOfDay: hour * 3_600 + minute * 60 + min(second, 59))
    return Time(wall: wall, isUTC: isUTC)
  }

  /// Whether a date is in a year that programs write for an unknown one.
  static func isBefore1970(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    ASCIIDigits.number(text, at: 0, count: 4).map { $0 < 1970 } ?? false
  }

  /// Whether it is a STATUS of events or to-dos, in upper or lower case.
  static func isStatus(_ text: UnsafeBufferPointer<UInt8>) -> Bool { statuses.contains { text.isWord($0) } }

  private static let statuses = [
    "TENTATIVE", "CONFIRMED", "CANCELLED", "NEEDS-ACTION", "COMPLETED", "IN-PROCESS",
  ].map { Array($0.utf8) }

  /// Seconds east of `+0100`, `-0330` or `+013045`.
  static func offset(_ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine) throws(CalendarDefect) -> Int {
    guard text.count == 5 || text.count == 7, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
      let hours = ASCIIDigits.number(text, at: 1, count: 2), hours <= 23,
      let minutes = ASCIIDigits.number(text, at: 3, count: 2), minutes <= 59,
      let seconds = text.count == 5 ? 0 : ASCIIDigits.number(text, at: 5, count: 2), seconds <= 59
    else {
      throw CalendarDefect(line: line.number, "invalid offset \(JSONMessage.quoted(text)): write +0100 or -0330")
    }
    return (text[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds)
  }

  /// Reads a rule without its empty parts and entries.
  ///
  /// - Parameter warn: receives a message for each part of which something is left out.
  static func rule(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine, warn: (String) -> Void
  ) throws(CalendarDefect) -> RecurrenceRule {
    var emptyParts: [String] = []
    do {
      let rule = try RecurrenceRule(String(decoding: text, as: UTF8.self), leavingOut: &emptyParts)
      for part in emptyParts { warn("\(part) of the rule has an empty entry, which is ignored") }
      return rule
    } catch {
      var defect = CalendarDefect(line: line.number, error.message)
      defect.isRuleOfOtherCalendar = error.isOtherCalendar
      throw defect
    }
  }

  private static func duration(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine
  ) throws(CalendarDefect) -> CalendarDuration {
    do {
      return try CalendarDuration(String(decoding: text, as: UTF8.self))
    } catch {
      throw CalendarDefect(line: line.number, error.message)
    }
  }

  /// A duration that is not negative.
  static func length(
    _ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine
  ) throws(CalendarDefect) -> CalendarDuration {
    let duration = try duration(text, line)
    if duration.days < 0 || duration.seconds < 0 {
      throw CalendarDefect(line: line.number, "a length below zero: the end cannot be before the start")
    }
    return duration
  }

  static func integer(_ text: UnsafeBufferPointer<UInt8>, _ line: ContentLine) throws(CalendarDefect) -> Int {
    guard !text.isEmpty, text.count <= 19, let number = Int(String(decoding: text, as: UTF8.self)) else {
      throw CalendarDefect(line: line.number, "invalid number \(JSONMessage.quoted(text)): write digits alone")
    }
    return number
  }

  /// The parts between commas, without empty ones.
  static func items(_ text: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    text.split(separator: UInt8(ascii: ",")).map { UnsafeBufferPointer(rebasing: $0).trimmed }.filter { !$0.isEmpty }
  }
}

// The dates that the files of all feeds share, and what they mean (contract.md section 2).

/// What a date of a record is for, which decides the dates that mean something else.
package enum DateUse: Sendable {
  case anything
  /// When a task is due, or was completed: it may be missing, and 1970-01-01 means that it is.
  case ofTask
  case start
  /// Later than all others means an open end.
  case end
  /// When a program wrote the file. One in the future counts as the file's time.
  case stamp
  /// When what has been observed began. One in the future is not true.
  case beginning

  fileprivate var mayBeNone: Bool { self == .ofTask || self == .end }
}

/// The dates of a document that mean that there is none.
package struct NoDates {
  package fileprivate(set) var count = 0
  /// The offset of the first, and it as written in the document.
  fileprivate var first: (offset: Int, written: UnsafeBufferPointer<UInt8>)?

  package mutating func removeAll(since mark: Int) {
    if mark == 0 { first = nil }
    count = mark
  }
}

extension JSONReader {
  /// Reads a date: RFC 3339 with an offset, or a number of seconds since 2001-01-01T00:00:00Z, as Swift's `JSONEncoder`
  /// writes it.
  ///
  /// - Parameters:
  ///   - use: what the date is for.
  ///   - name: the member's name, for messages.
  /// - Returns: nil after a defect, and for a date that means none.
  package mutating func date(for use: DateUse = .anything, named name: String = "date") -> Instant? {
    let offset = valueOffset
    if use.mayBeNone, let missing = missing() {
      if case .endless(let moment) = missing, use == .end { return moment }
      return none(at: offset)
    }
    guard let date = dateAsWritten() else { return nil }
    return use == .anything ? date : counted(date, use, named: name, at: offset)
  }

  /// Reads a day: `YYYY-MM-DD`, or a date.
  package mutating func dayReference(for use: DateUse = .anything) -> DayReference? {
    let offset = valueOffset
    if use.mayBeNone, missing() != nil { return none(at: offset) }
    let day =
      next == .number
      ? dateAsWritten().map(DayReference.instant)
      : stringBytes("a day such as 2026-11-21, or a date") { DayReference($0) }
    switch day {
    case .instant(let instant)?: return counted(instant, use, named: "day", at: offset).map(DayReference.instant)
    case .day(let day)? where use == .ofTask && day.ordinal == 0: return none(at: offset)
    case let day: return day
    }
  }

  /// Reads a day that may be written as a moment.
  package mutating func writtenDay() -> WrittenDay? {
    let offset = valueOffset
    if missing() != nil { return none(at: offset) }
    guard next == .number else { return stringBytes("a day such as 2026-11-21, or a date") { WrittenDay($0) } }
    guard let date = dateAsWritten() else { return nil }
    return date.meansNoDate ? none(at: offset) : WrittenDay(date, writtenAs: CivilCalendar(.utc).wall(at: date))
  }

  private mutating func dateAsWritten() -> Instant? {
    guard next == .number else {
      return stringBytes("a date with an offset, such as 2026-11-21T09:30:00Z") { Instant(rfc3339: $0) }
    }
    guard let seconds = number() else { return nil }
    if WrongEpoch.isProbable(seconds) {
      fail(WrongEpoch.message(seconds, written: valueText))
      return nil
    }
    guard seconds >= Self.firstDateSeconds else {
      fail("\(valueText) is not a valid date")
      return nil
    }
    return Instant(secondsSince2001: seconds)
  }

  /// The least number that is a date: Foundation's `Date.distantPast`, two days before the year 1, which counts as its
  /// first moment.
  static let firstDateSeconds = -63_114_076_800.0

  /// What a date that was just read counts as.
  private mutating func counted(_ date: Instant, _ use: DateUse, named name: String, at offset: Int) -> Instant? {
    switch use {
    case .anything: return date
    case .ofTask: return date.meansNoDate || date == .unixEpoch ? none(at: offset) : date
    case .end: return date.isBeforeDates ? none(at: offset) : date
    case .start:
      if date.meansNoDate { fail("\(valueText) means that there is no date") }
      return date.meansNoDate ? nil : date
    case .stamp where date.isBeforeDates:
      let none: Instant? = none(at: offset)
      return none ?? times?.modified ?? date
    case .stamp, .beginning:
      guard let times, let days = times.daysAhead(of: date) else { return date }
      let message = FileTimes.warning(name, daysAhead: days)
      guard use == .beginning else {
        warn(message, at: offset)
        return times.modified
      }
      exclude(at: offset, message)
      return date
    }
  }

  /// Consumes a text that stands for a missing date, such as "", "0000-00-00" or "0001-01-01 00:00:00".
  ///
  /// - Returns: nil, with nothing consumed, if the value is anything else.
  private mutating func missing() -> MissingDate? {
    let (place, latest) = (cursor, latest)
    guard place.byte(before: end) == 0x22, !isUsualYear(place + 1) else { return nil }
    if let missing = stringBytes("a date", { Optional(MissingDate($0)) }) ?? nil { return missing }
    if isStopped || text == .broken { return .unset }
    (cursor, self.latest) = (place, latest)
    return nil
  }

  /// Whether a text begins with a year of a date that means one.
  private func isUsualYear(_ place: JSONBytes) -> Bool {
    let second = (place + 1).byte(before: end)
    return switch place.byte(before: end) {
    case 0x31: second == 0x39 && (place + 2).byte(before: end) != 0x30
    case 0x32: second < 0x39
    default: false
    }
  }

  private mutating func none<Date>(at offset: Int) -> Date? {
    if noDates.count == 0 { noDates.first = (offset, writtenValue) }
    noDates.count += 1
    return nil
  }

  /// Adds the one warning about dates that mean none.
  mutating func warnOfNoDates() {
    guard let (offset, written) = noDates.first, !isStopped else { return }
    let (count, text) = (noDates.count, JSONMessage.cut(written))
    let message =
      count == 1
      ? "\(text) means that there is no date" : "\(count) dates mean that there is none, the first is \(text)"
    warnings.insert(JSONDefect(offset: offset, message: message, place: .value))
  }
}

/// Numbers that count from 1970 where a date counts from 2001. As dates they are in the year 2056, and would override
/// every correct file for thirty years.
enum WrongEpoch {
  /// 10 January 2039, counted from 2001, which is January 2008 counted from 1970 (contract.md section 2).
  static let firstSeconds = 1_200_000_000.0
  /// Foundation's `Date.distantFuture`, the year 4001.
  static let distantFuture = 63_113_904_000.0

  static func isProbable(_ seconds: Double) -> Bool { seconds >= firstSeconds && seconds != distantFuture }
  /// From here on a number probably counts milliseconds: as seconds from 1970 it would be in the year 5138.
  private static let firstMilliseconds = 1e11

  /// The message for a definition that reads such a number as a date.
  static func advice(_ number: Double, written text: String) -> String {
    let year = Instant(secondsSince2001: number).map { "\(text) is in the year \($0.description.prefix(4))" }
    let form = number < firstMilliseconds ? "unix" : "unix-ms"
    return "\(year ?? text), counted from 2001; if it counts from 1970, write \"as\": \"\(form)\" in the definition"
  }

  /// The message about a number of ``firstSeconds`` or more, with the date that it probably means.
  static func message(_ number: Double, written text: String) -> String {
    let year = Instant(secondsSince2001: number).flatMap {
      $0 < .validRange.upperBound ? $0.description.prefix(4) : nil
    }
    let finding = year.map { "\(text) is in the year \($0), counted from 2001" } ?? "\(text) is no date"
    let seconds = number < firstMilliseconds ? number : number / 1_000
    let meant = Instant(secondsSince2001: seconds - Double(Instant.referenceDate.seconds))
    guard let meant, meant < .validRange.upperBound else { return finding }
    return "\(finding); a number that counts from 1970 must be written as a date such as \"\(meant)\""
  }
}

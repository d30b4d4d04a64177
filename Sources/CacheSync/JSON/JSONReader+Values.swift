import CacheSyncSystem

// The values that the files of all feeds share: dates, days and lists.

extension JSONReader {
  /// Reads a date: RFC 3339 with an offset, or a number of seconds since 2001-01-01T00:00:00Z, as Swift's `JSONEncoder`
  /// writes it (contract.md section 2).
  package mutating func date() -> Instant? {
    guard next == .number else {
      return stringBytes("a date with an offset, such as 2026-11-21T09:30:00Z") { Instant(rfc3339: $0) }
    }
    guard let seconds = number() else { return nil }
    if seconds >= WrongEpoch.firstSeconds {
      fail(WrongEpoch.message(seconds, written: valueText))
      return nil
    }
    guard seconds >= Self.firstDateSeconds else {
      fail("\(valueText) is no date")
      return nil
    }
    return Instant(secondsSince2001: seconds)
  }

  /// The least number that is a date: Foundation's `Date.distantPast`, two days before the year 1, which counts as its
  /// first moment.
  static let firstDateSeconds = -63_114_076_800.0

  /// Reads a day: `YYYY-MM-DD`, or a date.
  package mutating func dayReference() -> DayReference? {
    if next == .number { return date().map(DayReference.instant) }
    return stringBytes("a day such as 2026-11-21, or a date") { DayReference($0) }
  }

  /// Reads a day that may be written as a moment.
  package mutating func writtenDay() -> WrittenDay? {
    if next == .number { return date().map { WrittenDay($0, writtenAs: CivilCalendar(.utc).wall(at: $0)) } }
    return stringBytes("a day such as 2026-11-21, or a date") { WrittenDay($0) }
  }

  /// Reads a relative path in the cache.
  package mutating func relativePath() -> String? {
    stringBytes("a relative path in the cache such as tasks/anna, without . and ..") { text in
      CachePath(relative: text).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }

  /// Reads an array, and returns its elements without the defective ones.
  package mutating func list<Element>(_ element: (inout JSONReader) -> Element?) -> [Element] {
    var elements: [Element] = []
    _ = array { json in
      if let value = element(&json) { elements.append(value) }
    }
    return elements
  }
}

extension JSONReader {
  /// Reads an array, and returns its records without the defective ones and those with an unknown word.
  ///
  /// - Parameter noun: the name of a record in the warning about an unknown word, such as "entry"; nil: there is no
  ///   warning.
  package mutating func records<Record>(
    _ noun: StaticString?, _ record: (inout JSONReader) -> Record?
  ) -> [Record] {
    list { $0.record(noun, record) }
  }

  /// Reads a record. An unknown word leaves the record out with a warning, and its other defects are not defects of the
  /// file.
  package mutating func record<Record>(_ noun: StaticString?, _ read: (inout JSONReader) -> Record?) -> Record? {
    let offset = valueOffset
    let mark = warnings.mark
    let (value, unknown) = findingUnknownWord(read)
    guard var unknown, !isStopped else { return value }
    list.removeValues(from: offset)
    warnings.removeAll(since: mark)
    if let noun {
      unknown.message += ": this \(noun) is left out"
      warnings.append(unknown)
    }
    return nil
  }

  /// Reads an id: a whole number or a text.
  package mutating func recordID() -> RecordID? {
    next == .number ? integerDigits().map { RecordID(digits: $0) } : string().map { RecordID($0) }
  }
}

/// Numbers that count from 1970 where a date counts from 2001. As dates they are in the year 2056, and would override
/// every correct file for thirty years.
enum WrongEpoch {
  /// 10 January 2039, counted from 2001, which is January 2008 counted from 1970 (contract.md section 2).
  static let firstSeconds = 1_200_000_000.0
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

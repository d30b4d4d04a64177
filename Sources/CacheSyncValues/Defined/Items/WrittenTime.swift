/// A time as a session file writes it, before its use is known.
package enum WrittenTime {
  case instant(Instant)
  /// A local date; without a second, a day without time.
  case local(LocalDay, secondOfDay: Int?)

  /// The value that holds a time.
  package enum Source {
    case text(String)
    /// - digits: the digits of a whole number, as the file has them.
    case number(Double, digits: String?)

    /// Whether it is the end of a day as ISO 8601 writes it.
    var isEndOfDay: Bool { if case .text(let text) = self { ["24:00", "24:00:00"].contains(text) } else { false } }
  }

  /// Reads a date or a day; nil if the source does not have the form.
  ///
  /// Without a form: RFC 3339, a local date (RFC 3339 without its offset, also without seconds), a day, or a number of
  /// seconds since 2001 (contract.md section 2).
  init?(_ source: Source, _ form: TimeForm?) {
    guard let time = Self.read(source, form) else { return nil }
    self = time
  }

  private static func read(_ source: Source, _ form: TimeForm?) -> WrittenTime? {
    switch (source, form) {
    case (.text(let text), nil): return text.withUTF8Bytes { date($0) }
    case (.number(let value, _), nil), (.number(let value, _), .apple):
      return Instant(secondsSince2001: value).map { .instant($0) }
    case (.text, .apple): return nil
    case (_, .unix): return instant(source, microsecondsPerUnit: 1_000_000).map { .instant($0) }
    case (_, .unixMilliseconds): return instant(source, microsecondsPerUnit: 1_000).map { .instant($0) }
    case (_, .pattern), (_, .rfc822):
      guard let match = match(source, form), let day = match.day else { return nil }
      guard let offset = match.offset, let second = match.secondOfDay else {
        return .local(day, secondOfDay: match.secondOfDay)
      }
      let instant = CivilCalendar(.utc).start(of: day) + .seconds(second - offset)
      return Instant.validRange.contains(instant) ? .instant(instant) : nil
    }
  }

  /// The wall time of a moment as it is written, by its own offset; nil for a number, which has no offset.
  package static func wall(_ source: Source, _ form: TimeForm?) -> WallTime? {
    switch (source, form) {
    case (.text(let text), nil):
      var end = 0
      return text.withUTF8Bytes { WallTime(isoPrefix: $0, end: &end) }
    case (_, .pattern), (_, .rfc822):
      return match(source, form).flatMap { match in
        match.day.map { WallTime($0, secondOfDay: match.secondOfDay ?? 0) }
      }
    default: return nil
    }
  }

  /// Reads a time of day in seconds after midnight on the wall clock: `HH:mm` or `HH:mm:ss`, or as the form says.
  static func secondOfDay(_ source: Source, _ form: TimeForm?) -> Int? {
    switch (source, form) {
    case (_, .pattern): match(source, form)?.secondOfDay
    // A date without the day, and without a fraction.
    case (.text(let text), nil) where [5, 8].contains(text.utf8.count):
      WallTime(withoutOffset: "2000-01-01T\(text)")?.secondOfDay
    default: nil
    }
  }

  /// The expected value, for a message.
  static func expectation(_ form: TimeForm?) -> String {
    switch form {
    case nil: "a date or a day, such as 2026-11-21T09:30 or 2026-11-21"
    case .unix: "seconds since 1970"
    case .unixMilliseconds: "milliseconds since 1970"
    case .apple: "seconds since 2001"
    case .rfc822: "a date such as Tue, 24 Nov 2026 09:00:00 +0100"
    case .pattern(let pattern): "a time written as \(JSONMessage.quoted(pattern.description))"
    }
  }

  private static func match(_ source: Source, _ form: TimeForm?) -> TimePattern.Match? {
    switch (source, form) {
    case (.text(let text), .pattern(let pattern)): pattern.match(text)
    case (.text(let text), .rfc822): TimePattern.matchRFC822(text)
    case (.number(_, let digits?), .pattern(let pattern)): pattern.match(digits: digits)
    default: nil
    }
  }

  /// Nil outside the years 1...9999: such a number was meant in another unit.
  private static func instant(_ source: Source, microsecondsPerUnit: Double) -> Instant? {
    let value: Double
    switch source {
    case .number(let number, _): value = number
    case .text(let text):
      guard text.utf8.count <= 18, let number = text.withUTF8Bytes({ ASCIIDigits.number($0, at: 0, count: $0.count) }),
        !text.isEmpty
      else { return nil }
      value = Double(number)
    }
    let microseconds = (value * microsecondsPerUnit).rounded()
    guard abs(microseconds) < 1e18 else { return nil }
    let instant = Instant(microseconds: Int64(microseconds))
    return Instant.validRange.contains(instant) ? instant : nil
  }

  private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> WrittenTime? {
    if let day = LocalDay(iso: bytes) { return .local(day, secondOfDay: nil) }
    if let instant = Instant(rfc3339: bytes) { return .instant(instant) }
    var end = 0
    guard let wall = WallTime(isoPrefix: bytes, end: &end), end == bytes.count else { return nil }
    return .local(wall.day, secondOfDay: wall.secondOfDay)
  }

  /// Whether it is more than a day.
  package var hasTime: Bool { if case .local(_, nil) = self { false } else { true } }

  package var isAbsolute: Bool { if case .instant = self { true } else { false } }

  /// The moment on one scale for absolute and local times. Local ones count as if they were UTC.
  package var seconds: Int { Int(moment.seconds) }

  private var moment: Instant { DefinedItem.Time(self).preciseInstant(in: CivilCalendar(.utc)) }

  /// Whether a date counts as none: up to 1900-01-01, or from 2900-01-01 on. What repeats may start earlier, and an end
  /// or the time when a file was written, may be later.
  func isNoDate(for use: DefinedFileReading.TimeUse) -> Bool {
    switch use {
    case .start(let repeats): moment.isBeforeDates && !repeats || moment.isAfterDates
    case .end, .updated: moment.isBeforeDates
    }
  }
}

extension WrittenTime.Source {
  package var isBlank: Bool { if case .text(let text) = self { text.utf8.allSatisfy { $0 == 0x20 } } else { false } }

  /// Whether it is a text for a date that is missing.
  var isNoDate: Bool { if case .text(let text) = self { MissingDate.isUnset(text) } else { false } }

  /// What to write in a definition that reads a number as a date, if the number probably counts from 1970 where dates
  /// count from 2001; nil for any other number.
  func wrongEpochAdvice(_ form: TimeForm?) -> String? {
    guard form == nil, case .number(let number, let digits) = self, WrongEpoch.isProbable(number) else {
      return nil
    }
    return WrongEpoch.advice(number, written: digits ?? "\(number)")
  }
}

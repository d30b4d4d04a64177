extension Instant {
  /// Whether programs write this moment where they have no date: up to 1900-01-01 (`0001-01-01T00:00:00Z`), and from
  /// 2900-01-01 on (`9999-12-31`).
  ///
  /// It is none for due dates and completions of tasks, times of events, and starts and ends in definitions. The end of
  /// an event may be later (an open one), and the start of what repeats may be earlier (a birthday of 1871).
  package var meansNoDate: Bool { isBeforeDates || isAfterDates }

  /// Whether programs write this moment for a date that is missing because it has not happened.
  package var isBeforeDates: Bool { self < Self.firstDate }

  /// Whether programs write this moment for a date that never comes.
  package var isAfterDates: Bool { self >= Self.firstNever }

  /// The moment from which numbers count in most systems; a due date or a completion at it is none.
  package static let unixEpoch = Instant(seconds: 0)

  /// 1900-01-02 in UTC, as `date -u -d 1900-01-02 +%s` prints it.
  static let firstDate = Instant(seconds: -2_208_902_400)
  /// 2900-01-01 in UTC.
  static let firstNever = Instant(seconds: 29_348_006_400)
}

/// What a text means that programs write where they have no date.
package enum MissingDate: Sendable, Equatable {
  /// There is none: "", "0000-00-00", or a day up to 1900-01-01.
  case unset
  /// One that never comes: a day from 2900-01-01 on, with the moment.
  case endless(Instant)

  /// Reads a text whose first ten bytes are such a day, or that is empty; nil for anything else.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    if text.isEmpty || text.starts(with: "0000-".utf8) {
      self = .unset
    } else if text.count >= 10, let day = LocalDay(isoPrefix: text) {
      let midnight = Instant(seconds: Int64(day.ordinal) * Gregorian.secondsPerDay)
      guard midnight.meansNoDate else { return nil }
      self = midnight.isAfterDates ? .endless(Instant(rfc3339: text) ?? midnight) : .unset
    } else {
      return nil
    }
  }

  /// Whether a text in any notation is one for no date: an empty one, or one of zeros such as "00/00/0000 00:00".
  package static func isUnset(_ text: String) -> Bool {
    guard text.utf8.count <= 40, text.utf8.allSatisfy({ "0-/.:TZtz +".utf8.contains($0) }) else { return false }
    // As many zeros as the day alone has.
    return text.utf8.allSatisfy { $0 == 0x20 } || text.utf8.count { $0 == UInt8(ascii: "0") } >= 8
  }
}

// What programs write where there is no date.

extension WrittenTime {
  /// Whether a date counts as none: up to 1900-01-01, or from 2900-01-01 on. What repeats may start earlier, and an end
  /// may be later.
  func isNoDate(for use: DefinedFileReading.TimeUse) -> Bool {
    let moment =
      switch self {
      case .instant(let moment): moment
      case .local(let day, _): CivilCalendar(.utc).start(of: day)
      }
    return switch use {
    case .start(let repeats): moment.isBeforeDates && !repeats || moment.isAfterDates
    case .end: moment.isBeforeDates
    case .updated: false
    }
  }
}

extension WrittenTime.Source {
  var isBlank: Bool { if case .text(let text) = self { text.utf8.allSatisfy { $0 == 0x20 } } else { false } }

  /// Whether it is a text for a date that is missing: an empty one, or one of zeros such as "0000-00-00 00:00:00".
  var isNoDate: Bool {
    guard case .text(let text) = self, text.utf8.count <= 40 else { return false }
    if isBlank { return true }
    let zeros = text.utf8.count { $0 == UInt8(ascii: "0") }
    // As many as the day alone has.
    return zeros >= 8 && text.utf8.allSatisfy { "0-/.:TZtz +".utf8.contains($0) }
  }

  /// What to write in a definition that reads a number as a date, if the number probably counts from 1970 where dates
  /// count from 2001; nil for any other number.
  func wrongEpochAdvice(_ form: TimeForm?) -> String? {
    guard form == nil, case .number(let number, let digits) = self, number >= WrongEpoch.firstSeconds else {
      return nil
    }
    return WrongEpoch.advice(number, written: digits ?? "\(number)")
  }
}

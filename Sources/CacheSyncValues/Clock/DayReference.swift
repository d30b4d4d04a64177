/// A day in whatever zone the reader is, or a moment. A file or a link gives it where a day is meant, such as the due
/// day of a task.
///
/// A moment means the local day that contains it, in the zone in which it is read.
public enum DayReference: Sendable, Hashable {
  case day(LocalDay)
  case instant(Instant)

  package func day(in calendar: CivilCalendar) -> LocalDay {
    switch self {
    case .day(let day): day
    case .instant(let instant): calendar.day(of: instant)
    }
  }

  /// The moment itself, or the day's first instant.
  package func instant(in calendar: CivilCalendar) -> Instant {
    switch self {
    case .day(let day): calendar.start(of: day)
    case .instant(let instant): instant
    }
  }
}

extension DayReference: LosslessStringConvertible {
  /// Reads `YYYY-MM-DD`, or an RFC 3339 date with `Z` or an offset; nil for anything else.
  public init?(_ text: String) {
    guard let reference = text.withUTF8Bytes({ DayReference($0) }) else { return nil }
    self = reference
  }

  /// The same from bytes.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let day = LocalDay(iso: bytes) {
      self = .day(day)
    } else if let instant = Instant(rfc3339: bytes) {
      self = .instant(instant)
    } else {
      return nil
    }
  }

  /// The day, or the moment in UTC with all digits of its fraction, so that it reads back the same.
  public var description: String {
    switch self {
    case .day(let day): day.description
    case .instant(let instant): instant.rfc3339()
    }
  }
}

extension DayReference: Codable {
  /// Reads `YYYY-MM-DD`, an RFC 3339 date, or seconds since 2001-01-01T00:00:00Z.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let day = try? container.decode(LocalDay.self) {
      self = .day(day)
    } else {
      self = .instant(try container.decode(Instant.self))
    }
  }

  /// Writes `YYYY-MM-DD` or an RFC 3339 date.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

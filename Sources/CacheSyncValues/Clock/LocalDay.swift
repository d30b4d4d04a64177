/// A date on the wall calendar, without a zone: 2026-11-22 is the same value in Tokyo and in New York.
///
///     let due = LocalDay(year: 2026, month: 11, day: 22)?.advanced(by: 7)
///     print(due?.description ?? "")  // 2026-11-29
///
/// Years run from 1 to 9999. A number or a sum beyond that range gives the first or the last day; nothing traps.
public struct LocalDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Four bytes, because the agent keeps long tables of days.
  private let days: Int32

  /// Days since 1970-01-01, negative before it.
  package var ordinal: Int { Int(days) }

  /// 0001-01-01.
  public static let first = LocalDay(ordinal: Gregorian.firstOrdinal)
  /// 9999-12-31.
  public static let last = LocalDay(ordinal: Gregorian.lastOrdinal)

  /// The day that many days after 1970-01-01; beyond the years 1...9999 the nearest day inside.
  public init(ordinal: Int) {
    days = Int32(truncatingIfNeeded: min(max(ordinal, Gregorian.firstOrdinal), Gregorian.lastOrdinal))
  }

  /// The date with these numbers; nil if it does not exist, or if the year is outside 1...9999.
  public init?(year: Int, month: Int, day: Int) {
    guard Gregorian.years.contains(year), day >= 1, day <= Gregorian.dayCount(year: year, month: month) else {
      return nil
    }
    self.init(ordinal: Gregorian.ordinal(year: year, month: month, day: day))
  }

  /// Reads exactly `YYYY-MM-DD` of an existing date; nil for anything else, including spaces around it.
  public init?(_ text: String) {
    guard let day = text.withUTF8Bytes({ LocalDay(iso: $0) }) else { return nil }
    self = day
  }

  /// The same from bytes.
  package init?(iso bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 10 else { return nil }
    self.init(isoPrefix: bytes)
  }

  /// Reads the first ten bytes, and ignores what follows.
  init?(isoPrefix bytes: UnsafeBufferPointer<UInt8>) {
    guard
      let year = ASCIIDigits.number(bytes, at: 0, count: 4),
      let month = ASCIIDigits.number(bytes, at: 5, count: 2),
      let day = ASCIIDigits.number(bytes, at: 8, count: 2),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-")
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The year in the proleptic Gregorian calendar.
  public var year: Int { Gregorian.date(ordinal: ordinal).year }
  /// 1...12.
  public var month: Int { Gregorian.date(ordinal: ordinal).month }
  /// 1...31.
  public var day: Int { Gregorian.date(ordinal: ordinal).day }

  /// Whether it is a 29 February, which not every year has.
  package var isLeapDay: Bool { month == 2 && day == 29 }

  /// The day of the week.
  public var weekday: Weekday {
    guard let weekday = Weekday(rawValue: Gregorian.weekday(ordinal: ordinal)) else {
      preconditionFailure("a remainder of 7 is 0...6, and each is a weekday")
    }
    return weekday
  }

  /// The date that many days later, or earlier if the count is negative. Dates that a zone skips count too, as a date
  /// has no zone.
  public func advanced(by count: Int) -> LocalDay {
    let (sum, overflow) = ordinal.addingReportingOverflow(count)
    return overflow ? (count < 0 ? .first : .last) : LocalDay(ordinal: sum)
  }

  /// Days from this date to the other; negative if the other is earlier.
  public func distance(to other: LocalDay) -> Int { other.ordinal - ordinal }

  /// Earlier days come first.
  public static func < (lhs: LocalDay, rhs: LocalDay) -> Bool { lhs.days < rhs.days }

  /// `YYYY-MM-DD`.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(10)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the ten bytes of `description` without making a String.
  package func append(to bytes: inout [UInt8]) {
    let date = Gregorian.date(ordinal: ordinal)
    ASCIIDigits.append(date.year, count: 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    ASCIIDigits.append(date.month, count: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    ASCIIDigits.append(date.day, count: 2, to: &bytes)
  }
}

extension LocalDay: Codable {
  /// Reads a `YYYY-MM-DD` string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = LocalDay(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a day: write YYYY-MM-DD")
    }
    self = day
  }

  /// Writes the day as `YYYY-MM-DD`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

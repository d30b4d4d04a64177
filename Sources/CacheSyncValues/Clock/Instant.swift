/// A moment on the UTC time line, in whole microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
///     let start = Instant("2026-11-22T09:30:00+01:00")
///     print(start.map { $0 + .seconds(1800) }?.description ?? "")  // 2026-11-22T09:00:00Z
///
/// Every function that reads a moment returns one in ``validRange``. Arithmetic stops at the ends of Int64 and never
/// traps.
public struct Instant: Hashable, Comparable, Sendable {
  /// Whole microseconds since 1970-01-01T00:00:00Z; negative before it.
  public var microseconds: Int64

  static let microsecondsPerSecond: Int64 = 1_000_000

  /// The moment that many microseconds after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The moment that many seconds after 1970-01-01T00:00:00Z; beyond 64 bits of microseconds (292,000 years) the
  /// nearest moment inside.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Instant.microsecondsPerSecond)
    microseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Reads a date as Swift's `JSONEncoder` writes it by default, rounded to the microsecond; nil if it is not finite.
  ///
  /// A date outside the years 1...9999 becomes the nearest moment inside: Foundation's `Date.distantPast` is two days
  /// before them.
  public init?(secondsSince2001 seconds: Double) {
    guard seconds.isFinite else { return nil }
    // The bound keeps the conversion from trapping.
    let scaled = min(max((seconds * 1e6).rounded(), -1e18), 1e18)
    self = Instant(microseconds: Int64(scaled) + Instant.referenceDate.microseconds).clamped
  }

  /// Seconds since 2001-01-01T00:00:00Z, as Swift's `JSONEncoder` writes a date by default.
  public var secondsSince2001: Double {
    let (offset, overflow) = microseconds.subtractingReportingOverflow(Instant.referenceDate.microseconds)
    return overflow ? Double(microseconds) / 1e6 - 978_307_200 : Double(offset) / 1e6
  }

  /// Whole seconds since 1970, rounded toward the past.
  public var seconds: Int64 { Gregorian.floorDivide(microseconds, Instant.microsecondsPerSecond) }

  /// Microseconds past `seconds`, 0..<1,000,000.
  var fraction: Int64 { Gregorian.floorRemainder(microseconds, Instant.microsecondsPerSecond) }

  /// 2001-01-01T00:00:00Z, the zero of Foundation's `Date`.
  public static let referenceDate = Instant(seconds: 978_307_200)

  /// The years 1...9999 in UTC, to their last microsecond.
  public static let validRange: ClosedRange<Instant> =
    Instant(microseconds: -62_135_596_800_000_000)...Instant(microseconds: 253_402_300_799_999_999)

  /// The same moment, or the nearest in `validRange`.
  package var clamped: Instant { min(max(self, Instant.validRange.lowerBound), Instant.validRange.upperBound) }

  /// Earlier moments come first.
  public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.microseconds < rhs.microseconds }

  /// The moment that much later, in whole microseconds; the rest is cut off.
  public func advanced(by duration: Duration) -> Instant {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: Instant.microsecondsPerSecond)
    let (length, overflow2) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    let (sum, overflow3) = microseconds.addingReportingOverflow(length)
    guard !overflow, !overflow2, !overflow3 else { return Instant(microseconds: seconds < 0 ? .min : .max) }
    return Instant(microseconds: sum)
  }

  /// The moment a duration later.
  public static func + (moment: Instant, duration: Duration) -> Instant { moment.advanced(by: duration) }

  /// The time from the right moment to the left one; negative if the left one is earlier.
  public static func - (end: Instant, start: Instant) -> Duration {
    .seconds(end.seconds - start.seconds) + .microseconds(end.fraction - start.fraction)
  }
}

extension Instant: CustomStringConvertible {
  /// RFC 3339 in UTC with whole seconds, such as "2026-11-22T05:00:00Z". Fractions are cut off, because
  /// `JSONDecoder.DateDecodingStrategy.iso8601` reads none (contract.md section 3). A moment outside ``validRange`` is
  /// written as the nearest end.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the twenty bytes of `description` without making a String.
  package func append(to bytes: inout [UInt8]) {
    appendSeconds(to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// RFC 3339 in UTC with the fraction, unlike `description`, so that reading it returns the same moment. The fraction
  /// has none to six digits, as many as the microseconds need.
  ///
  /// - Parameter isPadded: whether a fraction always has six digits.
  package func rfc3339(isPadded: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    appendSeconds(to: &bytes)
    let fraction = Int(clamped.fraction)
    if fraction > 0 {
      bytes.append(UInt8(ascii: "."))
      ASCIIDigits.append(fraction, count: 6, to: &bytes)
      while !isPadded, bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// "2026-11-22T05:00:00", without the zone.
  private func appendSeconds(to bytes: inout [UInt8]) {
    let seconds = clamped.seconds
    let day = Gregorian.floorDivide(seconds, Gregorian.secondsPerDay)
    let secondOfDay = Int(seconds - day * Gregorian.secondsPerDay)
    LocalDay(ordinal: Int(day)).append(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    ASCIIDigits.appendTime(secondOfDay: secondOfDay, to: &bytes)
  }
}

extension Instant: Codable {
  /// Reads an RFC 3339 string, or a number: seconds since 2001-01-01T00:00:00Z.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let moment: Instant?
    if let text = try? container.decode(String.self) {
      moment = Instant(text)
    } else {
      moment = Instant(secondsSince2001: try container.decode(Double.self))
    }
    guard let moment else {
      let advice = "not a date: write RFC 3339 with Z or an offset, or seconds since 2001-01-01T00:00:00Z"
      throw DecodingError.dataCorruptedError(in: container, debugDescription: advice)
    }
    self = moment
  }

  /// Writes RFC 3339 in UTC with as many fraction digits as the microseconds need, none to six. So decoding returns the
  /// same moment.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339())
  }
}

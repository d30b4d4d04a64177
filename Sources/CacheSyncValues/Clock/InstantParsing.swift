extension Instant {
  /// Reads an RFC 3339 date, such as `2026-11-22T05:00:00+05:30`; nil for anything else.
  ///
  /// It accepts an offset without a colon, and a time without seconds. It requires `Z` or an offset. Fractions are kept
  /// to the microsecond.
  public init?(_ text: String) {
    guard let moment = text.withUTF8Bytes({ Instant(rfc3339: $0) }) else { return nil }
    self = moment
  }

  /// Reads `2026-11-22T05:00:00.25+05:30`.
  ///
  /// - `Z` or an offset is required; the offset may have no colon (contract.md section 2: `+0530`).
  /// - `T` and `Z` may be in either case.
  /// - A fraction may have any length; it is cut to microseconds.
  /// - The seconds may be missing (`2026-11-22T05:00Z`), as Java writes a time whose seconds are 0.
  ///
  /// Nil for everything else: a date that does not exist, a bare day, a missing offset, a space instead of the `T`. A
  /// moment whose offset puts it outside `validRange` counts as the nearest inside. Second 60 is valid only where leap
  /// seconds occur, at 23:59:60 UTC of 30 June or 31 December (RFC 3339, 5.7), and counts as the second after it.
  package init?(rfc3339 bytes: UnsafeBufferPointer<UInt8>) {
    // The shortest is 2026-11-22T05:00Z.
    guard bytes.count >= 17, bytes[10] | 0x20 == UInt8(ascii: "t") else { return nil }
    guard
      let day = LocalDay(isoPrefix: bytes),
      let hour = ASCIIDigits.number(bytes, at: 11, count: 2), hour <= 23, bytes[13] == UInt8(ascii: ":"),
      let minute = ASCIIDigits.number(bytes, at: 14, count: 2), minute <= 59
    else { return nil }

    var index = 16
    var second = 0
    var microsecond = 0
    if bytes[index] == UInt8(ascii: ":") {
      guard bytes.count >= 20, let number = ASCIIDigits.number(bytes, at: 17, count: 2), number <= 60 else {
        return nil
      }
      index = 19
      guard let fraction = Instant.fraction(bytes, at: &index) else { return nil }
      (second, microsecond) = (number, fraction)
    }
    guard let offset = Instant.offset(bytes, at: index) else { return nil }

    let local = Int64(day.ordinal) * Gregorian.secondsPerDay + Int64(hour * 3_600 + minute * 60 + second)
    let utc = local - Int64(offset)
    if second == 60, !Instant.followsLeapSecond(utc) { return nil }
    self = Instant(microseconds: utc * Instant.microsecondsPerSecond + Int64(microsecond)).clamped
  }

  /// Microseconds of a fraction at `index`, which moves past it; 0 if there is none; nil if a point has no digit.
  @inline(__always)
  private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Int? {
    guard bytes[index] == UInt8(ascii: ".") else { return 0 }
    var value = 0
    var unit = 100_000
    let start = index + 1
    index = start
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      value &+= Int(digit) &* unit
      unit /= 10
      index += 1
    }
    return index > start ? value : nil
  }

  /// Seconds east of the offset that fills the rest of the text; nil for anything else.
  @inline(__always)
  private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    let length = bytes.count - index
    guard length >= 1 else { return nil }
    let sign: Int
    switch bytes[index] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return length == 1 ? 0 : nil
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: return nil
    }
    let minutesAt: Int
    switch length {
    case 5: minutesAt = index + 3
    case 6 where bytes[index + 3] == UInt8(ascii: ":"): minutesAt = index + 4
    default: return nil
    }
    guard
      let hours = ASCIIDigits.number(bytes, at: index + 1, count: 2), hours <= 23,
      let minutes = ASCIIDigits.number(bytes, at: minutesAt, count: 2), minutes <= 59
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  /// Whether these seconds since 1970 are the midnight that begins a 1 July or a 1 January.
  private static func followsLeapSecond(_ seconds: Int64) -> Bool {
    guard Gregorian.floorRemainder(seconds, Gregorian.secondsPerDay) == 0 else { return false }
    let date = Gregorian.date(ordinal: Int(Gregorian.floorDivide(seconds, Gregorian.secondsPerDay)))
    return date.day == 1 && (date.month == 7 || date.month == 1)
  }
}

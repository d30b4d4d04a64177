/// A length of time in the settings: an ISO 8601 duration of days (always 24 h), hours, minutes and seconds.
///
/// "PT24H", "P1DT12H", "PT90S", "PT0.5S". Only seconds may have a fraction, which is kept to the nanosecond. These are
/// invalid: weeks, months and years, a sign, an empty "P" or "PT", a unit out of order or twice, and more than ten
/// thousand years.
public struct ISODuration: Hashable, Sendable {
  /// The same length as Swift's own type.
  public let duration: Duration

  /// Ten thousand years of 366 days: far from where sums with moments would overflow.
  private static let maximumSeconds = 10_000 * 366 * 86_400
  private static let units: [(letter: UInt8, seconds: Int, isTime: Bool)] = [
    (UInt8(ascii: "D"), 86_400, false),
    (UInt8(ascii: "H"), 3_600, true),
    (UInt8(ascii: "M"), 60, true),
    (UInt8(ascii: "S"), 1, true),
  ]

  /// Reads such a duration; nil for anything else.
  public init?(_ text: String) {
    guard let duration = text.withUTF8Bytes({ ISODuration.parse($0) }) else { return nil }
    self.duration = duration
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Duration? {
    guard bytes.first == UInt8(ascii: "P") else { return nil }
    var index = 1
    var isTime = false
    var nextUnit = 0
    var partsInSection = 0
    var seconds = 0
    var nanoseconds = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "T") {
        guard !isTime else { return nil }
        isTime = true
        partsInSection = 0
        index += 1
        continue
      }
      guard let number = wholeNumber(bytes, at: &index) else { return nil }
      let fraction = fraction(bytes, at: &index)
      guard index < bytes.count,
        let unit = units[nextUnit...].firstIndex(where: { $0.letter == bytes[index] && $0.isTime == isTime })
      else { return nil }
      index += 1
      if let fraction {
        guard units[unit].seconds == 1 else { return nil }
        nanoseconds = fraction
      }
      // At most 13 digits times 86,400: below 2^63.
      seconds += number * units[unit].seconds
      guard seconds <= maximumSeconds else { return nil }
      nextUnit = unit + 1
      partsInSection += 1
    }
    guard partsInSection > 0 else { return nil }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// One to thirteen digits.
  private static func wholeNumber(_ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Int? {
    let start = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
    guard index > start, index - start <= 13 else { return nil }
    return ASCIIDigits.number(bytes, at: start, count: index - start)
  }

  /// Nanoseconds of ".5" or ",5"; nil if there is no fraction. A point without digits is left for the caller, who finds
  /// no unit there.
  private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Int? {
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ","),
      bytes[index + 1] &- UInt8(ascii: "0") <= 9
    else { return nil }
    index += 1
    var value = 0
    var unit = 100_000_000
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 {
      value += Int(bytes[index] &- UInt8(ascii: "0")) * unit
      unit /= 10
      index += 1
    }
    return value
  }
}

/// A length of time on a calendar: days on the wall clock, then exact seconds.
///
/// ISO 8601 in the form of definitions and iCalendar (RFC 5545, section 3.3.6): "P1W", "P1DT2H", "PT90M", "-P1D". A
/// week is seven days, and weeks and days may be combined. The sign applies to both numbers. Fractions are invalid, and
/// so are months and years, whose lengths differ. At most ten thousand years.
package struct CalendarDuration: Hashable, Sendable {
  package var days: Int
  package var seconds: Int

  /// A defect of a duration's text.
  package typealias Defect = RecurrenceRule.Defect

  package init(days: Int = 0, seconds: Int = 0) {
    self.days = days
    self.seconds = seconds
  }

  /// Reads a duration in upper or lower case.
  package init(_ text: String) throws(Defect) {
    var reader = DurationReader(text)
    self = try reader.read()
  }

  /// Ten thousand years of 366 days: far from where sums with moments would overflow.
  fileprivate static let greatestDays = 10_000 * 366
}

extension CalendarDuration: CustomStringConvertible {
  /// As iCalendar writes it, "-P1DT2H". Days and seconds have one sign.
  package var description: String {
    let number = abs(seconds)
    let time = [(number / 3_600, "H"), (number / 60 % 60, "M"), (number % 60, "S")].filter { $0.0 > 0 }
    let day = days == 0 ? "" : "\(abs(days))D"
    let rest = time.isEmpty ? (days == 0 ? "T0S" : "") : "T" + time.map { "\($0.0)\($0.1)" }.joined()
    return (days < 0 || seconds < 0 ? "-P" : "P") + day + rest
  }
}

/// Reads the text of a duration from left to right.
private struct DurationReader {
  typealias Defect = CalendarDuration.Defect

  private struct Unit {
    var letter: UInt8
    var days = 0
    var seconds = 0
    var isTime: Bool { seconds > 0 }
  }

  /// In their required order.
  private static let units = [
    Unit(letter: UInt8(ascii: "W"), days: 7), Unit(letter: UInt8(ascii: "D"), days: 1),
    Unit(letter: UInt8(ascii: "H"), seconds: 3_600), Unit(letter: UInt8(ascii: "M"), seconds: 60),
    Unit(letter: UInt8(ascii: "S"), seconds: 1),
  ]

  private let bytes: [UInt8]
  private var index = 0
  private var isTime = false
  private var nextUnit = 0
  private var result = CalendarDuration()

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The byte here, in upper case; nil at the end.
  private var letter: UInt8? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
  }

  mutating func read() throws(Defect) -> CalendarDuration {
    let isNegative = letter == UInt8(ascii: "-")
    if isNegative || letter == UInt8(ascii: "+") { index += 1 }
    guard letter == UInt8(ascii: "P") else { throw defect("a duration begins with P, as P1W, P2D or PT90M") }
    index += 1
    var isComplete = false
    while let letter {
      if letter == UInt8(ascii: "T"), !isTime {
        isTime = true
        isComplete = false
        index += 1
      } else {
        try readUnit()
        isComplete = true
      }
    }
    guard isComplete else { throw defect("a duration ends with a number and its unit, as P1W, P2D or PT90M") }
    return isNegative ? CalendarDuration(days: -result.days, seconds: -result.seconds) : result
  }

  /// A number and its unit, "90M".
  private mutating func readUnit() throws(Defect) {
    let start = index
    var number = 0
    while let digit = letter.map({ $0 &- UInt8(ascii: "0") }), digit <= 9 {
      // Cut far above the limit, so that the check below rejects it.
      number = min(number * 10 + Int(digit), 1_000_000_000_000)
      index += 1
    }
    guard index > start else { throw defect("a number is missing here, as in P1W, P2D or PT90M") }
    let rest = Self.units[nextUnit...]
    guard let place = rest.firstIndex(where: { $0.letter == letter && $0.isTime == isTime }) else {
      let letters = rest.filter { $0.isTime == isTime }.map { String(Unicode.Scalar($0.letter)) }
      guard !letters.isEmpty else { throw defect("the duration should end before this number", at: start) }
      let right = letters.joined(separator: " or ")
      throw defect("the number needs \(right) behind it; hours, minutes and seconds follow a T")
    }
    result.days += number * Self.units[place].days
    result.seconds += number * Self.units[place].seconds
    guard result.days + result.seconds / Int(Gregorian.secondsPerDay) <= CalendarDuration.greatestDays else {
      throw defect("a duration is at most 10,000 years", at: start)
    }
    nextUnit = place + 1
    index += 1
  }

  private func defect(_ message: String, at offset: Int? = nil) -> Defect {
    Defect(offset: offset ?? index, message: message)
  }
}

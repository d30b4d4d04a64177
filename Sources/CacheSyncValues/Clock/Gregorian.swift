/// The proleptic Gregorian calendar as arithmetic on day numbers; no zone, no allocation, any year that fits.
///
/// Day 0 is 1970-01-01. The two conversions are Howard Hinnant's `days_from_civil` and `civil_from_days`
/// ("chrono-Compatible Low-Level Date Algorithms"), which count years from 1 March so that the leap day comes last.
package enum Gregorian {
  /// The years of every date and moment of this library: four digits, as RFC 3339 writes them, without 0000.
  package static let years = 1...9999
  /// 0001-01-01.
  package static let firstOrdinal = -719_162
  /// 9999-12-31.
  package static let lastOrdinal = 2_932_896
  /// The calendar repeats after 400 years, weekdays included: 146,097 days are exactly 20,871 weeks.
  package static let daysPerCycle = 146_097
  package static let secondsPerDay: Int64 = 86_400

  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// 28...31 for months 1...12, and 0 for any other number, so that no day is valid in such a month.
  package static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeap(year: year) ? 29 : 28
    default: 0
    }
  }

  /// The day number of an existing date; for a date that does not exist some number near it, never a trap.
  package static func ordinal(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year &- 1 : year
    let era = floorDivide(y, 400)
    let yearOfEra = y &- era &* 400
    let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* daysPerCycle &+ dayOfEra &- 719_468
  }

  /// The date of a day number.
  package static func date(ordinal: Int) -> (year: Int, month: Int, day: Int) {
    let z = ordinal &+ 719_468
    let era = floorDivide(z, daysPerCycle)
    let dayOfEra = z &- era &* daysPerCycle
    let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    return (yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// Monday = 0 ... Sunday = 6. 1970-01-01 was a Thursday.
  package static func weekday(ordinal: Int) -> Int {
    floorRemainder(ordinal &+ 3, 7)
  }

  /// Division that rounds toward the past. Swift's `/` rounds toward zero, which puts 1969-12-31 into day 0.
  /// The divisor is positive.
  @inline(__always)
  package static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return quotient &* divisor > number ? quotient &- 1 : quotient
  }

  /// The remainder of `floorDivide`, in `0 ..< divisor`.
  @inline(__always)
  package static func floorRemainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    let remainder = number % divisor
    return remainder < 0 ? remainder &+ divisor : remainder
  }

  // Day numbers are Int, moments Int64: two functions, because debug builds do not specialize a generic one.

  @inline(__always)
  package static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    Int(floorDivide(Int64(number), Int64(divisor)))
  }

  @inline(__always)
  package static func floorRemainder(_ number: Int, _ divisor: Int) -> Int {
    Int(floorRemainder(Int64(number), Int64(divisor)))
  }
}

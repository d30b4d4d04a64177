/// The periods of a frequency, numbered through all years. Seconds, minutes, hours and days count from 1970, weeks
/// begin on the rule's first weekday, then months and years. A wall second is a second since 1970-01-01T00:00:00 on the
/// wall.
struct RecurrencePeriods {
  static let secondsPerDay = Int(Gregorian.secondsPerDay)

  private let frequency: RecurrenceRule.Frequency
  private let firstWeekday: Int
  private let weekNumbers: SignedNumberSet

  init(_ rule: RecurrenceRule) {
    frequency = rule.frequency
    firstWeekday = rule.firstWeekday.rawValue
    weekNumbers = rule.weekNumbers
  }

  /// The number of the period that contains a wall second.
  ///
  /// With BYWEEKNO a year consists of its weeks: 2025-12-29 is in week 1 of 2026.
  func number(holding wallSecond: Int) -> Int {
    let ordinal = Gregorian.floorDivide(wallSecond, Self.secondsPerDay)
    switch frequency {
    case .secondly, .minutely, .hourly: return Gregorian.floorDivide(wallSecond, length)
    case .daily: return ordinal
    case .weekly: return Gregorian.floorDivide(ordinal + daysToWeek, 7)
    case .monthly:
      let date = Gregorian.date(ordinal: ordinal)
      return date.year * 12 + date.month - 1
    case .yearly:
      let year = Gregorian.date(ordinal: ordinal).year
      guard !weekNumbers.isEmpty else { return year }
      if ordinal < firstWeek(of: year) { return year - 1 }
      return ordinal < firstWeek(of: year + 1) ? year : year + 1
    }
  }

  /// The first wall second of a period of a month or a year, if a year does not consist of weeks.
  func firstSecond(ofMonths number: Int) -> Int {
    let year = frequency == .yearly ? number : Gregorian.floorDivide(number, 12)
    let month = frequency == .yearly ? 1 : number - year * 12 + 1
    return Gregorian.ordinal(year: year, month: month, day: 1) * Self.secondsPerDay
  }

  /// The first wall second of a period of a day or less.
  func firstSecond(of number: Int) -> Int { number * length }

  /// Seconds of a period of a day or less.
  private var length: Int {
    switch frequency {
    case .secondly: 1
    case .minutely: 60
    case .hourly: 3_600
    default: Self.secondsPerDay
    }
  }

  /// Appends the days that the rule accepts in a period of a day or more, ascending. Returns the number of days
  /// visited.
  func appendDays(of number: Int, accepted: DaysOfRule, to days: inout [Int]) -> Int {
    switch frequency {
    case .secondly, .minutely, .hourly: return 0
    case .daily: return appendDays(from: number, count: 1, accepted, &days)
    case .weekly: return appendDays(from: number * 7 - daysToWeek, count: 7, accepted, &days)
    case .monthly:
      let year = Gregorian.floorDivide(number, 12)
      return appendMonth(year: year, month: number - year * 12 + 1, accepted, &days)
    case .yearly where weekNumbers.isEmpty:
      return (1...12).reduce(0) { $0 + appendMonth(year: number, month: $1, accepted, &days) }
    case .yearly:
      let first = firstWeek(of: number)
      let weekCount = (firstWeek(of: number + 1) - first) / 7
      var looked = 0
      for week in 1...max(weekCount, 1) where weekNumbers.contains(week, of: weekCount) {
        looked += appendDays(from: first + (week - 1) * 7, count: 7, accepted, &days)
      }
      return looked
    }
  }

  private func appendDays(from first: Int, count: Int, _ accepted: DaysOfRule, _ days: inout [Int]) -> Int {
    for ordinal in first..<(first + count) where accepted.accepts(ordinal: ordinal) { days.append(ordinal) }
    return count
  }

  private func appendMonth(year: Int, month: Int, _ accepted: DaysOfRule, _ days: inout [Int]) -> Int {
    guard accepted.acceptsMonth(month) else { return 0 }
    let first = Gregorian.ordinal(year: year, month: month, day: 1)
    let length = Gregorian.dayCount(year: year, month: month)
    for day in accepted.skip == .omit ? 1...length : 0...(length + 1) {
      let ordinal = first + day - 1
      // What two months move to one day is one day.
      if accepted.accepts(ordinal: ordinal, year: year, month: month, day: day, monthLength: length),
        ordinal != days.last
      {
        days.append(ordinal)
      }
    }
    return length
  }

  /// 1970-01-01 was a Thursday, three days after a Monday.
  private var daysToWeek: Int { 3 - firstWeekday }

  /// The first day of week 1, the first week with four days in the year: the week of 4 January.
  private func firstWeek(of year: Int) -> Int {
    let fourth = Gregorian.ordinal(year: year, month: 1, day: 4)
    return fourth - Gregorian.floorRemainder(fourth + daysToWeek, 7)
  }
}

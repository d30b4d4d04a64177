/// The days that a rule with a given start accepts.
///
/// RFC 5545, section 3.3.10, defines for each part whether it expands a period or limits it. Both are the same here: a
/// period's days are all of its days that every part of the rule accepts.
struct DaysOfRule {
  private let months: NumberSet
  private let monthDays: SignedNumberSet
  private let yearDays: [Int]
  private let weekdays: NumberSet
  private let ordinals: [SignedNumberSet]
  /// Whether "2MO" is the second Monday of the month, not of the year.
  private let countsInMonth: Bool
  /// Whether each day is accepted.
  let acceptsEveryDay: Bool
  /// Where dates go that a month or a year does not have. A date can only be missing where BYMONTHDAY or BYYEARDAY gives
  /// the days of a month or a year. A missing date is in no week, and has no day of the year beside its day of the month.
  let skip: RecurrenceRule.Skip

  /// Makes the set of days. The start provides what the rule omits: the weekday of a weekly rule and of one with
  /// BYWEEKNO, the day of a monthly rule, the date of a yearly one.
  init(_ rule: RecurrenceRule, start: LocalDay) {
    var months = rule.months
    var monthDays = rule.monthDays
    var weekdays = rule.weekdays
    if !rule.hasDayParts {
      switch rule.frequency {
      case .weekly: weekdays.insert(start.weekday.rawValue)
      case .yearly where !rule.weekNumbers.isEmpty: weekdays.insert(start.weekday.rawValue)
      case .monthly: monthDays.insert(start.day)
      case .yearly:
        monthDays.insert(start.day)
        if months.isEmpty { months.insert(start.month) }
      default: break
      }
    }
    self.months = months
    self.monthDays = monthDays
    self.weekdays = weekdays
    yearDays = rule.yearDays
    ordinals = rule.weekdayOrdinals
    let movesDates =
      rule.frequency >= .monthly && rule.weekNumbers.isEmpty && monthDays.isEmpty != rule.yearDays.isEmpty
    skip = movesDates ? rule.skip ?? .omit : .omit
    countsInMonth = rule.frequency == .monthly || !rule.months.isEmpty
    acceptsEveryDay =
      months.isEmpty && monthDays.isEmpty && weekdays.isEmpty && ordinals.isEmpty && yearDays.isEmpty
  }

  /// Whether the month has days at all; this saves testing each.
  func acceptsMonth(_ month: Int) -> Bool { months.isEmpty || months.contains(month) }

  /// Whether the rule accepts the day, ignoring its period and week.
  func accepts(ordinal: Int) -> Bool {
    if acceptsEveryDay { return true }
    let date = Gregorian.date(ordinal: ordinal)
    return accepts(
      ordinal: ordinal, year: date.year, month: date.month, day: date.day,
      monthLength: Gregorian.dayCount(year: date.year, month: date.month))
  }

  /// The same for a date whose parts are known.
  ///
  /// - Parameter day: 0 and `monthLength + 1` are the days around the month, to which SKIP moves dates that it does not
  ///   have.
  func accepts(ordinal: Int, year: Int, month: Int, day: Int, monthLength: Int) -> Bool {
    guard acceptsMonth(month), acceptsMonthDay(day, month: month, of: monthLength) else { return false }
    guard yearDays.isEmpty || acceptsYearDay(ordinal: ordinal, year: year) else { return false }
    if (1...monthLength).contains(day) {
      return acceptsWeekday(ordinal: ordinal, year: year, day: day, monthLength: monthLength)
    }
    let date = Gregorian.date(ordinal: ordinal)
    return acceptsWeekday(
      ordinal: ordinal, year: date.year, day: date.day,
      monthLength: Gregorian.dayCount(year: date.year, month: date.month))
  }

  private func acceptsMonthDay(_ day: Int, month: Int, of length: Int) -> Bool {
    let isInside = (1...length).contains(day)
    // BYYEARDAY moves to the days around the year.
    if monthDays.isEmpty { return isInside || (day == 0 ? month == 1 : month == 12) }
    if isInside, monthDays.contains(day, of: length) { return true }
    switch skip {
    case .omit: return false
    case .backward:
      return day == length && monthDays.isBeyondEnd(of: length) || day == 0 && monthDays.isBeyondBeginning(of: length)
    case .forward:
      return day == length + 1 && monthDays.isBeyondEnd(of: length)
        || day == 1 && monthDays.isBeyondBeginning(of: length)
    }
  }

  private func acceptsWeekday(ordinal: Int, year: Int, day: Int, monthLength: Int) -> Bool {
    if weekdays.isEmpty && ordinals.isEmpty { return true }
    let weekday = Gregorian.weekday(ordinal: ordinal)
    if weekdays.contains(weekday) { return true }
    guard weekday < ordinals.count, !ordinals[weekday].isEmpty else { return false }
    let (place, length) =
      countsInMonth ? (day, monthLength) : (Self.dayOfYear(ordinal, year), Self.lengthOfYear(year))
    // The number of these weekdays up to the day, and from it to the end.
    let fromBeginning = (place - 1) / 7 + 1
    let fromEnd = (length - place) / 7 + 1
    return ordinals[weekday].contains(fromBeginning, of: fromBeginning + fromEnd - 1)
  }

  private func acceptsYearDay(ordinal: Int, year: Int) -> Bool {
    let (place, length) = (Self.dayOfYear(ordinal, year), Self.lengthOfYear(year))
    if (1...length).contains(place), Self.contains(yearDays, place) || Self.contains(yearDays, place - length - 1) {
      return true
    }
    switch skip {
    case .omit: return false
    case .backward:
      return place == length && Self.contains(yearDays, length + 1)
        || place == 0 && Self.contains(yearDays, -length - 1)
    case .forward:
      return place == length + 1 && Self.contains(yearDays, length + 1)
        || place == 1 && Self.contains(yearDays, -length - 1)
    }
  }

  private static func dayOfYear(_ ordinal: Int, _ year: Int) -> Int {
    ordinal - Gregorian.ordinal(year: year, month: 1, day: 1) + 1
  }

  private static func lengthOfYear(_ year: Int) -> Int { Gregorian.isLeap(year: year) ? 366 : 365 }

  /// Searches a number in ascending ones.
  private static func contains(_ numbers: [Int], _ number: Int) -> Bool {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number
  }
}

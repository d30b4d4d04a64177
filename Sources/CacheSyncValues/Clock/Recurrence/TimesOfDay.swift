/// Hours, minutes and seconds; each combination is a time of day.
struct TimesOfDay {
  private var hours: NumberSet
  private var minutes: NumberSet
  private var seconds: NumberSet
  /// How many times of day there are.
  private(set) var count: Int

  /// The times that a rule allows. What the rule omits comes from the start, or is free if the rule's periods are not
  /// longer. A day of a rule of days has one time.
  init(_ rule: RecurrenceRule, start: Int) {
    func choice(_ part: NumberSet, _ period: RecurrenceRule.Frequency, _ start: Int, of count: Int) -> NumberSet {
      if !part.isEmpty { return part }
      return rule.isOfDays || rule.frequency > period ? NumberSet(only: start) : NumberSet(0..<count)
    }
    hours = choice(rule.hours, .hourly, start / 3_600, of: 24)
    minutes = choice(rule.minutes, .minutely, start / 60 % 60, of: 60)
    seconds = choice(rule.seconds, .secondly, start % 60, of: 60)
    count = hours.count * minutes.count * seconds.count
  }

  /// Whether each hour, minute or second of the day has times, and the same number of them.
  func isWhole(by frequency: RecurrenceRule.Frequency) -> Bool {
    hours.count == 24
      && (frequency > .minutely || minutes.count == 60)
      && (frequency > .secondly || seconds.count == 60)
  }

  /// The second of the day of the time that has that many times before it.
  func secondOfDay(at index: Int) -> Int {
    let (minute, second) = index.quotientAndRemainder(dividingBy: seconds.count)
    let (hour, minuteOfHour) = minute.quotientAndRemainder(dividingBy: minutes.count)
    return hours.member(at: hour) * 3_600 + minutes.member(at: minuteOfHour) * 60 + seconds.member(at: second)
  }

  /// Keeps the times of the hour, minute or second that begins at a second of the day. If there are none, returns the
  /// second of the day before which there are none; the next day begins at 86,400.
  mutating func narrow(to secondOfDay: Int, of frequency: RecurrenceRule.Frequency) -> Int? {
    let (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
    guard hours.contains(hour) else {
      return hours.next(after: hour).map { $0 * 3_600 } ?? Int(Gregorian.secondsPerDay)
    }
    hours = NumberSet(only: hour)
    if frequency <= .minutely {
      guard minutes.contains(minute) else {
        return hour * 3_600 + (minutes.next(after: minute).map { $0 * 60 } ?? 3_600)
      }
      minutes = NumberSet(only: minute)
    }
    if frequency == .secondly {
      guard seconds.contains(second) else {
        return hour * 3_600 + minute * 60 + (seconds.next(after: second) ?? 60)
      }
      seconds = NumberSet(only: second)
    }
    count = hours.count * minutes.count * seconds.count
    return nil
  }
}

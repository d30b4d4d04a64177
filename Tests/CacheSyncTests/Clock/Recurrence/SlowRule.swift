import TestSupport

import CacheSync

/// A random rule, and its occurrences computed independently of the library: each second of each day is tested by the
/// definitions of RFC 5545. Slow, and only as good as its reading of the RFC.
struct SlowRule {
  var frequency: RecurrenceRule.Frequency
  var interval = 1
  var count: Int?
  var until: WallTime?
  var firstWeekday = Weekday.monday
  var seconds: [Int] = []
  var minutes: [Int] = []
  var hours: [Int] = []
  /// Ordinal 0: none.
  var weekdays: [(ordinal: Int, day: Weekday)] = []
  var monthDays: [Int] = []
  var yearDays: [Int] = []
  var weekNumbers: [Int] = []
  var months: [Int] = []
  var positions: [Int] = []
  var skip: RecurrenceRule.Skip?

  private static let words = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  var text: String {
    var parts = ["FREQ=\(frequency.word)", "INTERVAL=\(interval)", "WKST=\(Self.words[firstWeekday.rawValue])"]
    func add(_ name: String, _ numbers: [Int]) {
      if !numbers.isEmpty { parts.append("\(name)=\(numbers.map(String.init).joined(separator: ","))") }
    }
    add("COUNT", count.map { [$0] } ?? [])
    if let until {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let second = until.secondOfDay
      let day = until.day.description.replacing("-", with: "")
      parts.append("UNTIL=\(day)T\(two(second / 3_600))\(two(second / 60 % 60))\(two(second % 60))")
    }
    add("BYSECOND", seconds)
    add("BYMINUTE", minutes)
    add("BYHOUR", hours)
    let days = weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + Self.words[$0.day.rawValue] }
    if !days.isEmpty { parts.append("BYDAY=\(days.joined(separator: ","))") }
    add("BYMONTHDAY", monthDays)
    add("BYYEARDAY", yearDays)
    add("BYWEEKNO", weekNumbers)
    add("BYMONTH", months)
    add("BYSETPOS", positions)
    if let skip { parts.append("RSCALE=GREGORIAN;SKIP=\(skip.rawValue)") }
    return parts.joined(separator: ";")
  }

  /// The occurrences up to the end of a day.
  func occurrences(from start: WallTime, through last: LocalDay) -> [WallTime] {
    let rule = completed(from: start)
    // More days on either side, so that the first period and the last are whole.
    let margin = frequency >= .daily ? 400 : 1
    var periods: [Int: [WallTime]] = [:]
    let startPeriod = rule.period(start)
    for distance in -margin...(start.day.distance(to: last) + margin) {
      let day = start.day.advanced(by: distance)
      guard rule.contains(day) else { continue }
      for hour in rule.hours {
        for minute in rule.minutes {
          for second in rule.seconds {
            let wall = WallTime(day, secondOfDay: hour * 3_600 + minute * 60 + second)
            let period = rule.period(wall)
            if (period - startPeriod) % interval == 0 { periods[period, default: []].append(wall) }
          }
        }
      }
    }
    for moved in rule.movedDays(from: start.day.advanced(by: -margin), through: last.advanced(by: margin)) {
      let period = rule.period(WallTime(moved.of))
      guard (period - startPeriod) % interval == 0 else { continue }
      for hour in rule.hours {
        for minute in rule.minutes {
          for second in rule.seconds {
            periods[period, default: []].append(
              WallTime(moved.to, secondOfDay: hour * 3_600 + minute * 60 + second))
          }
        }
      }
    }
    let chosen = periods.filter { $0.key >= startPeriod }.values.flatMap { choose(Set($0).sorted()) }
    let found = Set(chosen).sorted().filter { $0 >= start }
    return found.prefix(count ?? found.count).filter { $0.day <= last && $0 <= until ?? $0 }
  }

  /// The days of the rule for something that lasts whole days: those of the times that it gives without BYHOUR, BYMINUTE
  /// and BYSECOND, each once.
  func days(from start: LocalDay, through last: LocalDay) -> [LocalDay] {
    var rule = withoutTimes
    rule.count = nil
    // All of its last day counts.
    rule.until = until.map { WallTime($0.day, secondOfDay: 86_399) }
    var days: [LocalDay] = []
    for wall in rule.occurrences(from: WallTime(start), through: last) where wall.day != days.last {
      days.append(wall.day)
    }
    return Array(days.prefix(count ?? days.count))
  }

  /// The rule without BYHOUR, BYMINUTE and BYSECOND, and without a BYSETPOS that then has nothing to choose from.
  var withoutTimes: SlowRule {
    var rule = self
    (rule.hours, rule.minutes, rule.seconds, rule.positions) = ([], [], [], [])
    if rule.text.contains("BY") { rule.positions = positions }
    return rule
  }

  /// The days to which SKIP moves the dates that do not exist (RFC 7529, section 4.1), each with a day of the month or year
  /// that lacks the date. SKIP comes after BYMONTHDAY and before BYDAY.
  private func movedDays(from first: LocalDay, through last: LocalDay) -> [(to: LocalDay, of: LocalDay)] {
    guard let skip, skip != .omit, frequency >= .monthly, weekNumbers.isEmpty else { return [] }
    if !monthDays.isEmpty, !yearDays.isEmpty { return [] }
    var moved: [(to: LocalDay, of: LocalDay)] = []
    for distance in 0...first.distance(to: last) {
      let day = first.advanced(by: distance)
      // Once for each month and each year: at its first day.
      for (numbers, unit) in [(monthDays, \LocalDay.month), (yearDays, \LocalDay.year)] {
        let before = day.advanced(by: -1)
        guard before[keyPath: unit] != day[keyPath: unit] else { continue }
        let length = length(day) { $0[keyPath: unit] }
        let end = day.advanced(by: length - 1)
        for number in numbers where abs(number) > length {
          // A date of a year that is missing would be in its first or its last month.
          let lacking = unit == \LocalDay.year && number > 0 ? end : day
          guard months.isEmpty || months.contains(lacking.month) else { continue }
          let to =
            switch (skip, number > 0) {
            case (.backward, true): end
            case (.backward, false): before
            case (_, true): end.advanced(by: 1)
            case (_, false): day
            }
          if acceptsWeekday(to) { moved.append((to, lacking)) }
        }
      }
    }
    return moved
  }

  private func acceptsWeekday(_ day: LocalDay) -> Bool {
    weekdays.isEmpty || weekdays.contains { isWeekday(day, $0) }
  }

  private func choose(_ set: [WallTime]) -> [WallTime] {
    guard !positions.isEmpty else { return set }
    return set.indices.filter { positions.contains($0 + 1) || positions.contains($0 - set.count) }.map { set[$0] }
  }

  /// Adds the parts that the start implies and the rule omits.
  private func completed(from start: WallTime) -> SlowRule {
    var rule = self
    let (hour, minute, second) = (start.secondOfDay / 3_600, start.secondOfDay / 60 % 60, start.secondOfDay % 60)
    if hours.isEmpty { rule.hours = frequency > .hourly ? [hour] : Array(0...23) }
    if minutes.isEmpty { rule.minutes = frequency > .minutely ? [minute] : Array(0...59) }
    if seconds.isEmpty { rule.seconds = frequency > .secondly ? [second] : Array(0...59) }
    if weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty {
      if frequency == .weekly || !weekNumbers.isEmpty {
        rule.weekdays = [(0, start.day.weekday)]
      } else if frequency >= .monthly {
        rule.monthDays = [start.day.day]
        if frequency == .yearly, months.isEmpty { rule.months = [start.day.month] }
      }
    }
    return rule
  }

  /// A number that grows by one from period to period.
  private func period(_ wall: WallTime) -> Int {
    let second = wall.day.ordinal * 86_400 + wall.secondOfDay
    return switch frequency {
    case .secondly: second
    case .minutely: second / 60
    case .hourly: second / 3_600
    case .daily: wall.day.ordinal
    case .weekly: weekStart(wall.day).ordinal / 7
    case .monthly: wall.day.year * 12 + wall.day.month
    case .yearly: weekNumbers.isEmpty ? wall.day.year : fourthDay(wall.day).year
    }
  }

  private func contains(_ day: LocalDay) -> Bool {
    func has(_ numbers: [Int], _ place: Int, _ length: @autoclosure () -> Int) -> Bool {
      numbers.isEmpty || numbers.contains(place) || numbers.contains(place - length() - 1)
    }
    guard months.isEmpty || months.contains(day.month) else { return false }
    guard has(monthDays, day.day, length(day) { $0.month }) else { return false }
    guard acceptsWeekday(day) else { return false }
    guard yearDays.isEmpty || has(yearDays, place(day) { $0.year }, length(day) { $0.year }) else { return false }
    return weekNumbers.isEmpty || has(weekNumbers, week(day), lastWeek(fourthDay(day).year))
  }

  /// Whether the day is, say, the second Monday from the beginning or the end.
  private func isWeekday(_ day: LocalDay, _ weekday: (ordinal: Int, day: Weekday)) -> Bool {
    guard day.weekday == weekday.day else { return false }
    if weekday.ordinal == 0 { return true }
    let byMonth = frequency == .monthly || !months.isEmpty
    let step = weekday.ordinal > 0 ? -7 : 7
    var (other, number) = (day, 0)
    while byMonth ? other.month == day.month && other.year == day.year : other.year == day.year {
      number += 1
      other = other.advanced(by: step)
    }
    return number == abs(weekday.ordinal)
  }

  private func weekStart(_ day: LocalDay) -> LocalDay {
    var day = day
    while day.weekday != firstWeekday { day = day.advanced(by: -1) }
    return day
  }

  /// A week belongs to the year that contains four of its days, so to the year of its fourth day.
  private func fourthDay(_ day: LocalDay) -> LocalDay { weekStart(day).advanced(by: 3) }

  private func week(_ day: LocalDay) -> Int { (place(fourthDay(day)) { $0.year } - 1) / 7 + 1 }

  /// 28 December is always in the last week of its year.
  private func lastWeek(_ year: Int) -> Int { LocalDay(year: year, month: 12, day: 28).map { week($0) } ?? 0 }

  /// The day's number in its month or year.
  private func place(_ day: LocalDay, in unit: (LocalDay) -> Int) -> Int {
    let number = unit(day)
    // Moves by a month while that stays inside, then by a day.
    var (first, place) = (day, 1)
    for step in [28, 1] {
      while unit(first.advanced(by: -step)) == number {
        first = first.advanced(by: -step)
        place += step
      }
    }
    return place
  }

  private func length(_ day: LocalDay, in unit: (LocalDay) -> Int) -> Int {
    let number = unit(day)
    var (last, length) = (day, place(day, in: unit))
    for step in [28, 1] {
      while unit(last.advanced(by: step)) == number {
        last = last.advanced(by: step)
        length += step
      }
    }
    return length
  }
}

extension SlowRule {
  /// A random rule that the RFC allows.
  static func random(_ frequency: RecurrenceRule.Frequency, using random: inout SeededGenerator) -> SlowRule {
    var rule = SlowRule(frequency: frequency)
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func some(_ range: ClosedRange<Int>, _ percent: Int, signed: Bool = false) -> [Int] {
      guard chance(percent) else { return [] }
      let numbers = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: range, using: &random) }
      return Set(numbers.map { signed && chance(35) ? -$0 : $0 }).sorted()
    }
    if chance(60) { rule.interval = Int.random(in: 1...(frequency == .yearly ? 3 : 13), using: &random) }
    rule.firstWeekday = Weekday.allCases.randomElement(using: &random) ?? .monday
    rule.months = some(1...12, 35)
    if frequency == .yearly { rule.weekNumbers = some(1...53, 25, signed: true) }
    if frequency == .yearly || frequency < .daily { rule.yearDays = some(1...366, 15, signed: true) }
    if frequency != .weekly { rule.monthDays = some(1...31, 30, signed: true) }
    if chance(50) {
      let hasOrdinals = frequency >= .monthly && rule.weekNumbers.isEmpty && chance(60)
      for weekday in Weekday.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
        let greatest = frequency == .monthly || !rule.months.isEmpty ? 5 : 53
        let ordinal = Int.random(in: 1...greatest, using: &random) * (chance(40) ? -1 : 1)
        rule.weekdays.append((hasOrdinals && chance(70) ? ordinal : 0, weekday))
      }
    }
    rule.hours = some(0...23, 25)
    rule.minutes = some(0...59, 20)
    rule.seconds = some(0...59, 15)
    if rule.text.contains("BY"), chance(30) { rule.positions = some(1...5, 100, signed: true) }
    return rule
  }
}

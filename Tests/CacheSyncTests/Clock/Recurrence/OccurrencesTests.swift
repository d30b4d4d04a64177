import TestSupport
import Testing

import CacheSync

/// What the examples do not cover: the ends of a rule, skipped times, and that no text or number makes it trap or loop.
@Suite struct OccurrencesTests {
  @Test(
    "Random rules have the occurrences that checking each second of each day finds",
    arguments: RecurrenceRule.Frequency.allCases)
  func bruteForce(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 1)
    let days = [RecurrenceRule.Frequency.secondly: 1, .minutely: 10, .hourly: 60, .daily: 600, .weekly: 900]
    var given = 0
    for _ in 0..<(frequency >= .daily ? 40 : 20) {
      var rule = SlowRule.random(frequency, using: &random)
      // 2000...2027, often near a year's end.
      var start = LocalDay(ordinal: Int.random(in: 10_957...21_183, using: &random))
      if Bool.random(using: &random) { start = LocalDay(year: start.year, month: 12, day: 27) ?? start }
      start = start.advanced(by: Int.random(in: 0...8, using: &random))
      let wall = WallTime(start, secondOfDay: Int.random(in: 0..<86_400, using: &random))
      let last = start.advanced(by: days[frequency] ?? 1_500)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: rule.count = Int.random(in: 1...30, using: &random)
      case 1: rule.until = WallTime(start.advanced(by: start.distance(to: last) / 2), secondOfDay: wall.secondOfDay)
      default: break
      }
      let expected = rule.occurrences(from: wall, through: last)
      let end = WallTime(last, secondOfDay: 86_399)
      // Limited: the first ten thousand seconds of a day are enough.
      let found = Array(try RecurrenceRule(rule.text).occurrences(from: wall, notAfter: end).prefix(10_000))
      #expect(found == Array(expected.prefix(10_000)), "\(rule.text) from \(wall)")
      given += found.count
    }
    #expect(given > 0)
  }

  /// A random rule with an end, and a start of 2000...2027.
  private static func random(
    _ frequency: RecurrenceRule.Frequency, days: Int, using random: inout SeededGenerator
  ) -> (rule: SlowRule, start: LocalDay) {
    var rule = SlowRule.random(frequency, using: &random)
    let start = LocalDay(ordinal: Int.random(in: 10_957...21_183, using: &random))
    // Intervals of hours that are longer than a day.
    if frequency < .daily, Bool.random(using: &random) { rule.interval *= Int.random(in: 1...5_000, using: &random) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: rule.count = Int.random(in: 1...30, using: &random)
    case 1: rule.until = WallTime(start.advanced(by: days / 2), secondOfDay: Int.random(in: 0..<86_400, using: &random))
    default: break
    }
    return (rule, start)
  }

  @Test(
    "A rule of whole days ignores times of day, and gives each day once; the slow rule finds the same days",
    arguments: RecurrenceRule.Frequency.allCases)
  func wholeDays(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 3_310)
    let length = [RecurrenceRule.Frequency.secondly: 3, .minutely: 40, .hourly: 200, .daily: 400, .weekly: 600]
    var (given, withTimes) = (0, 0)
    for _ in 0..<40 {
      let days = length[frequency] ?? 1_500
      let (rule, start) = Self.random(frequency, days: days, using: &random)
      let last = start.advanced(by: days)
      let end = WallTime(last)
      let whole = try RecurrenceRule(rule.text).ofDays
      let found = Array(whole.occurrences(from: WallTime(start), notAfter: end))
      #expect(found == rule.days(from: start, through: last).map { WallTime($0) }, "\(rule.text) from \(start)")
      #expect(whole == (try RecurrenceRule(rule.withoutTimes.text).ofDays), "\(rule.text)")
      #expect(
        Array(whole.withCountedEnd(from: WallTime(start)).occurrences(from: WallTime(start), notAfter: end)) == found,
        "\(rule.text) from \(start)")
      given += found.count
      if rule.text != rule.withoutTimes.text { withTimes += 1 }
      guard let bound = found.randomElement(using: &random) else { continue }
      for second in [0, 1, 86_399] {
        let later = WallTime(bound.day, secondOfDay: second)
        #expect(
          Array(whole.occurrences(from: WallTime(start), notBefore: later, notAfter: end))
            == found.filter { $0 >= later }, "\(rule.text) from \(start), not before \(later)")
      }
    }
    #expect(given > 10)
    #expect(withTimes > 10)
  }

  // Worked out by hand. 2026-11-30 is a Monday.
  @Test(
    "A rule of hours on whole days gives each day in which one of its periods begins",
    arguments: [
      ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;COUNT=2", "2026-11-30 2026-12-07"),
      ("FREQ=DAILY;BYHOUR=9,17;COUNT=4", "2026-11-30 2026-12-01 2026-12-02 2026-12-03"),
      ("FREQ=DAILY;BYHOUR=9,17;BYSETPOS=2;COUNT=2", "2026-11-30 2026-12-01"),
      ("FREQ=MONTHLY;BYDAY=MO;BYHOUR=9,17;BYSETPOS=-1;COUNT=2", "2026-11-30 2026-12-28"),
      ("FREQ=HOURLY;COUNT=3", "2026-11-30 2026-12-01 2026-12-02"),
      ("FREQ=HOURLY;INTERVAL=36;COUNT=4", "2026-11-30 2026-12-01 2026-12-03 2026-12-04"),
      ("FREQ=HOURLY;INTERVAL=48;COUNT=3", "2026-11-30 2026-12-02 2026-12-04"),
      ("FREQ=MINUTELY;BYHOUR=9;UNTIL=20261201T080000", "2026-11-30 2026-12-01"),
      ("FREQ=SECONDLY;BYDAY=TU;BYSECOND=30;COUNT=2", "2026-12-01 2026-12-08"),
    ])
  func daysOfHours(text: String, expected: String) throws {
    let start = WallTime(try #require(LocalDay("2026-11-30")))
    let found = try RecurrenceRule(text).ofDays.occurrences(from: start).map(\.day.description)
    #expect(found.joined(separator: " ") == expected)
  }

  @Test(
    "Random rules with SKIP have the occurrences that the slow rule finds by moving each missing date",
    arguments: [RecurrenceRule.Frequency.monthly, .yearly], [RecurrenceRule.Skip.backward, .forward])
  func skipping(frequency: RecurrenceRule.Frequency, skip: RecurrenceRule.Skip) throws {
    var random = SeededGenerator(state: 7_529)
    var differing = 0
    for number in 0..<120 {
      var (rule, start) = Self.random(frequency, days: 2_000, using: &random)
      rule.skip = skip
      rule.weekNumbers = []
      if Bool.random(using: &random) { rule.interval = 1 }
      let ends = [29, 30, 31, -29, -30, -31, 1, -1].shuffled(using: &random)
      switch number % 4 {
      case 0: break
      case 1 where frequency == .yearly:
        (rule.yearDays, rule.monthDays) = ([366, -366, 1, -1].filter { $0 != ends[0] }, [])
      case 2: rule.months = [Int.random(in: 1...12, using: &random), 2]
      default: (rule.monthDays, rule.yearDays) = (Array(ends.prefix(3)).sorted(), [])
      }
      if number % 3 == 0 { rule.weekdays = [] }
      let positions = rule.positions
      rule.positions = []
      if rule.text.contains("BY") { rule.positions = positions }
      let last = start.advanced(by: 2_000)
      let wall = WallTime(start, secondOfDay: Int.random(in: 0..<86_400, using: &random))
      let end = WallTime(last, secondOfDay: 86_399)
      let fast = try RecurrenceRule(rule.text)
      let expected = Array(rule.occurrences(from: wall, through: last).prefix(2_000))
      let found = Array(fast.occurrences(from: wall, notAfter: end).prefix(2_000))
      #expect(found == expected, "\(rule.text) from \(wall)")
      #expect(
        Array(fast.withCountedEnd(from: wall).occurrences(from: wall, notAfter: end).prefix(2_000)) == expected,
        "\(rule.text) from \(wall)")
      var omitting = fast
      omitting.skip = .omit
      if found != Array(omitting.occurrences(from: wall, notAfter: end).prefix(2_000)) { differing += 1 }
      // From and up to each of some occurrences, which may be moved ones.
      for bound in found.shuffled(using: &random).prefix(12) {
        #expect(
          Array(fast.occurrences(from: wall, notBefore: bound, notAfter: end).prefix(5))
            == Array(expected.filter { $0 >= bound }.prefix(5)), "\(rule.text) from \(wall), not before \(bound)")
        #expect(
          Array(fast.occurrences(from: wall, notAfter: bound)) == expected.filter { $0 <= bound },
          "\(rule.text) from \(wall), not after \(bound)")
      }
    }
    #expect(differing > 10)
  }

  // RFC 7529, section 4.1; the dates are those of libical 3.0.16 with ICU 72, except where a comment says otherwise.
  @Test(
    "SKIP moves a date that a month or a year does not have back to the day before it, or on to the day after it",
    arguments: [
      ("FREQ=MONTHLY;SKIP=BACKWARD;COUNT=5", "2026-12-31", "2026-12-31 2027-01-31 2027-02-28 2027-03-31 2027-04-30"),
      ("FREQ=MONTHLY;SKIP=FORWARD;COUNT=5", "2026-12-31", "2026-12-31 2027-01-31 2027-03-01 2027-03-31 2027-05-01"),
      ("FREQ=YEARLY;SKIP=FORWARD;COUNT=5", "2024-02-29", "2024-02-29 2025-03-01 2026-03-01 2027-03-01 2028-02-29"),
      ("FREQ=YEARLY;SKIP=BACKWARD;COUNT=3", "2024-02-29", "2024-02-29 2025-02-28 2026-02-28"),
      ("FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=FORWARD;COUNT=3", "2026-01-01", "2026-01-01 2026-02-01 2026-03-01"),
      (
        "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=6", "2026-01-01",
        "2026-01-01 2026-01-31 2026-03-01 2026-03-31 2026-05-01 2026-05-31"
      ),
      ("FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=4", "2024-12-31", "2024-12-31 2026-01-01 2027-01-01 2028-01-01"),
      (
        "FREQ=YEARLY;BYYEARDAY=-366;SKIP=BACKWARD;COUNT=4", "2024-01-01",
        "2024-01-01 2024-12-31 2025-12-31 2026-12-31"
      ),
      ("FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=SA;SKIP=BACKWARD;COUNT=3", "2026-01-31", "2026-01-31 2026-02-28 2026-10-31"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;SKIP=FORWARD;COUNT=2", "2026-03-01", "2026-03-01 2027-03-01"),
      ("FREQ=YEARLY;BYMONTH=2,3;SKIP=BACKWARD;COUNT=4", "2026-03-31", "2026-03-31 2027-02-28 2027-03-31 2028-02-29"),
      (
        "FREQ=MONTHLY;INTERVAL=2;SKIP=FORWARD;COUNT=6", "2026-12-31",
        "2026-12-31 2027-03-01 2027-05-01 2027-07-01 2027-08-31 2027-10-31"
      ),
      (
        "FREQ=MONTHLY;BYMONTHDAY=29,30,31;SKIP=BACKWARD;COUNT=5", "2027-01-29",
        "2027-01-29 2027-01-30 2027-01-31 2027-02-28 2027-03-29"
      ),
      ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;UNTIL=20270301", "2026-12-31", "2026-12-31 2027-01-31 2027-03-01"),
      ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=3", "2027-03-01", "2027-03-31 2027-05-01 2027-05-31"),
      // What only limits days moves nothing, nor does a weekday with a number.
      ("FREQ=DAILY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=3", "2026-01-31", "2026-01-31 2026-03-31 2026-05-31"),
      ("FREQ=MONTHLY;BYDAY=5MO;SKIP=FORWARD;COUNT=2", "2027-03-01", "2027-03-29 2027-05-31"),
      ("FREQ=WEEKLY;BYMONTH=2;SKIP=FORWARD;COUNT=2", "2027-02-01", "2027-02-01 2027-02-08"),
      // By hand: a day that two months give comes and counts once. libical gives it twice.
      (
        "FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD;COUNT=6", "2026-01-01",
        "2026-01-01 2026-01-31 2026-02-01 2026-03-01 2026-03-31 2026-04-01"
      ),
      // By hand: BYSETPOS chooses among the moved days. In February, 30 and 31 are both 1 March.
      (
        "FREQ=MONTHLY;BYMONTHDAY=1,30,31;BYSETPOS=-1;SKIP=FORWARD;COUNT=4", "2026-01-31",
        "2026-01-31 2026-03-01 2026-03-31 2026-05-01"
      ),
      ("FREQ=MONTHLY;SKIP=OMIT;COUNT=2", "2026-01-31", "2026-01-31 2026-03-31"),
    ])
  func skip(text: String, start: String, expected: String) throws {
    let wall = WallTime(try #require(LocalDay(start)))
    let found = try RecurrenceRule("RSCALE=GREGORIAN;" + text).occurrences(from: wall).map(\.day.description)
    #expect(found.joined(separator: " ") == expected)
    let days = try RecurrenceRule("RSCALE=GREGORIAN;" + text).ofDays.occurrences(from: wall).map(\.day.description)
    #expect(days == found)
  }

  @Test("An end computed from COUNT gives the same occurrences", arguments: RecurrenceRule.Frequency.allCases)
  func countedEnd(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 11)
    var ended = 0
    for _ in 0..<40 {
      var rule = SlowRule.random(frequency, using: &random)
      rule.count = Int.random(in: 1...60, using: &random)
      let start = WallTime(
        LocalDay(ordinal: Int.random(in: 10_957...21_183, using: &random)),
        secondOfDay: Int.random(in: 0..<86_400, using: &random))
      let counted = try RecurrenceRule(rule.text)
      let other = counted.withCountedEnd(from: start)
      // The same rule gives the same, after up to 100,000 steps.
      if other == counted { continue }
      ended += 1
      #expect(
        Array(other.occurrences(from: start)) == Array(counted.occurrences(from: start)), "\(rule.text) from \(start)")
    }
    #expect(ended > 0)
  }

  @Test(
    "A rule whose COUNT was counted once skips ahead immediately",
    arguments: [
      "FREQ=MONTHLY;COUNT=500", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=500", "FREQ=YEARLY;COUNT=60",
      "FREQ=YEARLY;BYMONTH=3,9;BYDAY=2TU;COUNT=200", "FREQ=WEEKLY;BYMONTH=1,2,3;COUNT=700",
      "FREQ=DAILY;BYDAY=MO,TU;COUNT=5000",
    ])
  func countedOnce(text: String) throws {
    let start = WallTime(try #require(LocalDay("1990-01-01")), secondOfDay: 3_600)
    let late = WallTime(try #require(LocalDay("2026-11-23")))
    let rule = try RecurrenceRule(text).withCountedEnd(from: start)
    var occurrences = rule.occurrences(from: start, notBefore: late, notAfter: late.advanced(byDays: 400))
    #expect(occurrences.next() != nil)
    #expect(occurrences.steps < 800)
  }

  @Test("A rule that takes too many steps to count keeps its COUNT")
  func countedTooLong() throws {
    let start = WallTime(try #require(LocalDay("2020-01-01")))
    let rule = try RecurrenceRule("FREQ=MONTHLY;COUNT=9999")
    #expect(rule.withCountedEnd(from: start).end == .count(9_999))
  }

  @Test(
    "Skipping ahead gives the same occurrences as filtering, also with COUNT",
    arguments: RecurrenceRule.Frequency.allCases)
  func notBefore(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 7)
    for _ in 0..<50 {
      var rule = SlowRule.random(frequency, using: &random)
      if Bool.random(using: &random) { rule.count = Int.random(in: 1...400, using: &random) }
      let day = LocalDay(ordinal: Int.random(in: 10_957...21_183, using: &random))
      let start = WallTime(day, secondOfDay: Int.random(in: 0..<86_400, using: &random))
      let end = WallTime(day.advanced(by: 3_000))
      let all = Array(try RecurrenceRule(rule.text).occurrences(from: start, notAfter: end).prefix(300))
      guard let bound = all.randomElement(using: &random), let last = all.last else { continue }
      let later = WallTime(
        bound.day, secondOfDay: min(bound.secondOfDay + Int.random(in: 0...1, using: &random), 86_399))
      let found = Array(
        try RecurrenceRule(rule.text).occurrences(from: start, notBefore: later, notAfter: last).prefix(300))
      #expect(found == all.filter { $0 >= later }, "\(rule.text) from \(start), not before \(later)")
    }
  }

  @Test("Ends are inclusive: all of a day, the wall time itself, and COUNT from the rule's first occurrence")
  func ends() throws {
    #expect(try occurrences("FREQ=DAILY;UNTIL=20261124").count == 3)
    #expect(try occurrences("FREQ=DAILY;UNTIL=20261124T090000").count == 3)
    #expect(try occurrences("FREQ=DAILY;UNTIL=20261124T085959").count == 2)
    #expect(try occurrences("FREQ=DAILY;UNTIL=20261121").isEmpty)
    #expect(try occurrences("FREQ=HOURLY;UNTIL=20261122").count == 15)
    // 2026-11-22 is a Sunday, so it is not an occurrence and does not count.
    let mondays = try occurrences("FREQ=WEEKLY;BYDAY=MO;COUNT=2")
    #expect(mondays.map(\.day.description) == ["2026-11-23", "2026-11-30"])
    // An end that is a moment is compared by the caller.
    #expect(try occurrences("FREQ=DAILY;UNTIL=20261124T090000Z", limit: 50).count == 50)
  }

  @Test(
    "Days that a month does not have are left out, not moved",
    arguments: [
      ("FREQ=MONTHLY;COUNT=3", "2026-01-31", "2026-01-31 2026-03-31 2026-05-31"),
      ("FREQ=YEARLY;COUNT=3", "2024-02-29", "2024-02-29 2028-02-29 2032-02-29"),
      ("FREQ=YEARLY;BYYEARDAY=366;COUNT=2", "2024-01-01", "2024-12-31 2028-12-31"),
      ("FREQ=YEARLY;BYYEARDAY=-366;COUNT=2", "2024-01-01", "2024-01-01 2028-01-01"),
      ("FREQ=MONTHLY;BYDAY=5MO;COUNT=2", "2026-01-01", "2026-03-30 2026-06-29"),
      ("FREQ=YEARLY;BYWEEKNO=53;COUNT=2", "2020-12-31", "2020-12-31 2026-12-31"),
      ("FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29;COUNT=2", "2000-02-29", "2000-02-29 2400-02-29"),
    ])
  func missingDays(text: String, start: String, expected: String) throws {
    let wall = WallTime(try #require(LocalDay(start)))
    let found = try RecurrenceRule(text).occurrences(from: wall).map(\.day.description)
    #expect(found.joined(separator: " ") == expected)
  }

  @Test("A week belongs to the year that contains its fourth day, also in the first period")
  func weeksAcrossYears() throws {
    // Week 1 of 2026 begins on 2025-12-29, 1 January 2027 is in week 53 of 2026.
    let first = WallTime(try #require(LocalDay("2024-01-01")))
    let mondays = try RecurrenceRule("FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO;COUNT=3").occurrences(from: first)
    #expect(mondays.map(\.day.description) == ["2024-01-01", "2025-12-29", "2028-01-03"])
    let friday = WallTime(try #require(LocalDay("2027-01-01")))
    let fridays = try RecurrenceRule("FREQ=YEARLY;BYWEEKNO=53;COUNT=2").occurrences(from: friday)
    #expect(fridays.map(\.day.description) == ["2027-01-01", "2032-12-31"])
  }

  @Test("Occurrences end with the year 9999 and begin with the year 1")
  func endOfTime() throws {
    let last = WallTime(.last, secondOfDay: 86_398)
    #expect(Array(try RecurrenceRule("FREQ=SECONDLY").occurrences(from: last)).count == 2)
    for frequency in RecurrenceRule.Frequency.allCases {
      for interval in [1, 4_294_967_296, .max] {
        var rule = RecurrenceRule(frequency)
        rule.interval = interval
        #expect(rule.occurrences(from: last).first { _ in true } == last)
        let first = WallTime(.first)
        var occurrences = rule.occurrences(from: first, notBefore: WallTime(.first, secondOfDay: 1))
        let second = occurrences.next()
        #expect(second.map { $0 > first } ?? (interval > 1), "\(frequency) \(interval)")
      }
    }
    let weekly = try RecurrenceRule("FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO,SA;COUNT=2")
    #expect(weekly.occurrences(from: WallTime(.first)).map(\.day.description) == ["0001-01-01", "0001-01-06"])
    let weeks = try RecurrenceRule("FREQ=YEARLY;BYWEEKNO=1,52")
    #expect(Array(weeks.occurrences(from: WallTime(.last))).map(\.day) == [.last])
  }

  @Test("A start outside the day counts as the nearest second of the day")
  func oddStarts() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;COUNT=1")
    let day = try #require(LocalDay("2026-11-22"))
    for (second, nearest) in [(-1, 0), (.min, 0), (86_400, 86_399), (.max, 86_399)] {
      let found = Array(rule.occurrences(from: WallTime(day, secondOfDay: second)))
      #expect(found == [WallTime(day, secondOfDay: nearest)])
    }
  }

  @Test(
    "A rule without occurrences ends after its limit of steps",
    arguments: [
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=MONTHLY;BYDAY=6MO", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYHOUR=1,2;BYSETPOS=366",
      "FREQ=MINUTELY;INTERVAL=120;BYHOUR=10", "FREQ=SECONDLY;BYSETPOS=2;BYMINUTE=1",
    ])
  func neverMatching(text: String) throws {
    var found = try RecurrenceRule(text).occurrences(from: try start())
    #expect(found.next() == nil)
    #expect(found.isExhausted)
    #expect(found.next() == nil)
    // The last period may be a whole year.
    #expect(found.steps < RecurrenceRule.Occurrences.maximumSteps + 1_000)
    // With an end date, the search stops there.
    var bounded = try RecurrenceRule(text).occurrences(from: try start(), notAfter: WallTime(try start().day))
    #expect(bounded.next() == nil)
    #expect(!bounded.isExhausted)
    #expect(bounded.steps < 1_000)
  }

  @Test("COUNT counts only weeks with occurrences, also when skipping ahead")
  func countAcrossGaps() throws {
    let rule = try RecurrenceRule("FREQ=WEEKLY;BYMONTH=11;COUNT=8")
    // From the start on, two Sundays of November 2026, four of 2027, two of 2028.
    let later = WallTime(try #require(LocalDay("2028-01-01")))
    let found = rule.occurrences(from: try start(), notBefore: later).map(\.day.description)
    #expect(found == ["2028-11-05", "2028-11-12"])
  }

  @Test("A rule of seconds skips excluded hours and minutes in one step")
  func excludedTimes() throws {
    let rule = try RecurrenceRule("FREQ=SECONDLY;BYHOUR=9;BYMINUTE=30;BYSECOND=15;COUNT=30")
    var found = rule.occurrences(from: try start())
    var count = 0
    while found.next() != nil { count += 1 }
    #expect(count == 30)
    #expect(found.steps < 300)
  }

  @Test("A distant occurrence takes few steps without COUNT, and with a COUNT of evenly spread occurrences")
  func farAhead() throws {
    let long = WallTime(try #require(LocalDay("1901-03-04")), secondOfDay: 32_400)
    for text in [
      "FREQ=SECONDLY;INTERVAL=7", "FREQ=MINUTELY;COUNT=999999999", "FREQ=HOURLY", "FREQ=DAILY;COUNT=60000",
      "FREQ=DAILY",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=90000", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=YEARLY;BYDAY=20MO",
    ] {
      var found = try RecurrenceRule(text).occurrences(from: long, notBefore: try start())
      #expect(found.next() != nil, "\(text)")
      #expect(found.steps < 1_000, "\(text)")
    }
  }

  /// The occurrences of a rule from Sunday, 2026-11-22, at nine.
  private func occurrences(_ text: String, limit: Int = 100) throws -> [WallTime] {
    Array(try RecurrenceRule(text).occurrences(from: try start()).prefix(limit))
  }

  private func start() throws -> WallTime {
    WallTime(try #require(LocalDay("2026-11-22")), secondOfDay: 32_400)
  }

  @Test("Random invalid texts never trap")
  func fuzz() {
    let whole = Array(
      "FREQ=YEARLY;INTERVAL=2;BYDAY=MO,-1FR;BYMONTHDAY=1,-1;BYYEARDAY=-366;BYMONTH=1,12;BYSETPOS=2;UNTIL=20301231T235959Z"
        .utf8)
    let start = WallTime(LocalDay(ordinal: 20_000), secondOfDay: 3_600)
    let end = WallTime(LocalDay(ordinal: 20_400))
    var random = SeededGenerator(state: 5_545)
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
        default: bytes.insert(contentsOf: Array("99;,=-".utf8).shuffled(using: &random).prefix(3), at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(RecurrenceRule.Defect) {
        var occurrences = try RecurrenceRule(text).occurrences(from: start, notAfter: end)
        for _ in 0..<3 { _ = occurrences.next() }
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
      }
    }
  }
}

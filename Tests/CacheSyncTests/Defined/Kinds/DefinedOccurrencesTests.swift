import CacheSyncSystem
import TestSupport
import Testing

@testable import CacheSyncValues

/// The times of repeating items, in Berlin.
@Suite struct DefinedOccurrencesTests {
  private func feed(_ item: DefinedItem) throws -> DefinedFeedHarness {
    let kind = DefinedKind(.coming) {
      $0.limit = 50
      $0.within = 3
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
    try feed.put([item])
    return feed
  }

  private func item(
    _ rule: String, start: String, end: String? = nil, lasts: DefinedItem.End? = nil, except: [String] = []
  ) throws -> DefinedItem {
    try DefinedItem("a", start: start, end: end) {
      if let lasts { $0.end = lasts }
      $0.rule = try? RecurrenceRule(rule)
      $0.except = (try? except.map { try DefinedItem.Time($0) }) ?? []
    }
  }

  private func times(_ item: DefinedItem, at date: String) throws -> [String] {
    try feed(item).content(at: date)["items"]?.array?.map {
      ($0["start"]?.string ?? "null") + " " + ($0["end"]?.string ?? "null")
    } ?? []
  }

  @Test func wallTimesStayWhereClocksChange() throws {
    #expect(
      try times(item("FREQ=DAILY", start: "2026-03-01T12:00", end: "2026-03-01T13:00"), at: "2026-03-27T23:00:00Z") == [
        "2026-03-28T11:00:00Z 2026-03-28T12:00:00Z", "2026-03-29T10:00:00Z 2026-03-29T11:00:00Z",
        "2026-03-30T10:00:00Z 2026-03-30T11:00:00Z",
      ])
  }

  @Test(
    "A yearly item of 29 February is on the 28th in other years, if the start alone gives its day",
    arguments: [
      ("FREQ=YEARLY", "2027-02-27", ["2027-02-27T23:00:00Z"]), ("FREQ=YEARLY", "2028-02-27", ["2028-02-28T23:00:00Z"]),
      ("FREQ=YEARLY;BYMONTH=2", "2027-02-27", ["2027-02-27T23:00:00Z"]),
      ("FREQ=YEARLY;INTERVAL=3", "2027-02-27", ["2027-02-27T23:00:00Z"]),
      ("FREQ=YEARLY;INTERVAL=3", "2026-02-27", []), ("FREQ=YEARLY;COUNT=4", "2027-02-27", ["2027-02-27T23:00:00Z"]),
      ("FREQ=YEARLY;COUNT=3", "2027-02-27", []), ("FREQ=YEARLY;UNTIL=20270227", "2027-02-27", []),
      ("FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2", "2027-02-27", []),
      ("FREQ=YEARLY;BYYEARDAY=60", "2027-02-28", ["2027-02-28T23:00:00Z"]),
      ("FREQ=MONTHLY", "2027-02-27", []),
      // A SKIP says it itself.
      ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD", "2027-02-28", ["2027-02-28T23:00:00Z"]),
      ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD", "2027-02-27", ["2027-02-27T23:00:00Z"]),
      ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=OMIT", "2027-02-27", []),
      ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", "2027-02-27", ["2027-02-27T23:00:00Z"]),
    ])
  func leapDays(rule: String, day: String, starts: [String]) throws {
    let found = try times(item(rule, start: "2024-02-29"), at: "\(day)T12:00:00Z")
    #expect(found.map { String($0.prefix(20)) } == starts)
  }

  @Test func endsKeepWallTimesButLastsIsExact() throws {
    let date = "2026-03-28T12:00:00Z"
    #expect(
      try times(item("FREQ=DAILY;COUNT=29", start: "2026-03-01T01:00", end: "2026-03-01T04:00"), at: date) == [
        "2026-03-29T00:00:00Z 2026-03-29T02:00:00Z"
      ])
    #expect(
      try times(
        item("FREQ=DAILY;COUNT=29", start: "2026-03-01T01:00", lasts: .lasts(days: 0, seconds: 10_800)), at: date) == [
          "2026-03-29T00:00:00Z 2026-03-29T03:00:00Z"
        ])
    // A skipped start is the first moment after the gap. Its end is computed from the wall time that was meant.
    #expect(
      try times(item("FREQ=DAILY;COUNT=29", start: "2026-03-01T02:30", end: "2026-03-01T03:30"), at: date) == [
        "2026-03-29T01:00:00Z 2026-03-29T01:30:00Z"
      ])
    #expect(
      try times(item("FREQ=DAILY;COUNT=29", start: "2026-03-01"), at: date) == [
        "2026-03-27T23:00:00Z 2026-03-28T23:00:00Z", "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z",
      ])
  }

  @Test func longOccurrencesThatBeganEarlierAreFound() throws {
    let found = try times(
      item("FREQ=MONTHLY", start: "2025-01-15T10:00", lasts: .lasts(days: 60, seconds: 0)), at: "2026-11-20T12:00:00Z")
    #expect(
      found == [
        "2026-10-15T08:00:00Z 2026-12-14T09:00:00Z", "2026-11-15T09:00:00Z 2027-01-14T09:00:00Z",
      ])
  }

  @Test func theStartIsAnOccurrenceOnlyIfTheRuleIncludesIt() throws {
    // 22 November 2026 is a Sunday.
    #expect(
      try times(item("FREQ=WEEKLY;BYDAY=MO", start: "2026-11-22T10:00"), at: "2026-11-21T12:00:00Z") == [
        "2026-11-23T09:00:00Z 2026-11-23T09:00:00Z"
      ])
    // The exact moment counts, even if it is the second of two equal wall times.
    #expect(
      try times(
        item("FREQ=DAILY;COUNT=2", start: "2026-10-25T01:30:00Z", lasts: .lasts(days: 0, seconds: 60)),
        at: "2026-10-24T12:00:00Z") == [
          "2026-10-25T01:30:00Z 2026-10-25T01:31:00Z", "2026-10-26T01:30:00Z 2026-10-26T01:31:00Z",
        ])
  }

  @Test func exceptExcludesDaysAndDates() throws {
    let except = ["2026-11-23", "2026-11-24T09:00:00Z", "2026-11-25T11:00"]
    #expect(
      try times(
        item("FREQ=DAILY", start: "2026-11-01T10:00", except: except), at: "2026-11-22T12:00:00Z"
      ).map { String($0.prefix(10)) } == ["2026-11-25"])
    // Without a rule, the item itself is excluded.
    var single = try DefinedItem("a", start: "2026-11-23T10:00")
    single.except = [try DefinedItem.Time("2026-11-23")]
    #expect(try times(single, at: "2026-11-22T12:00:00Z") == [])
  }

  @Test func untilMayBeAMoment() throws {
    #expect(
      try times(item("FREQ=DAILY;UNTIL=20261124T090000Z", start: "2026-11-01T10:00"), at: "2026-11-22T12:00:00Z").count
        == 2)
    #expect(
      try times(item("FREQ=DAILY;UNTIL=20261124T085959Z", start: "2026-11-01T10:00"), at: "2026-11-22T12:00:00Z").count
        == 1)
  }

  // 2026-11-23 is a Monday.
  @Test(
    "A whole day repeats without the times of day of its rule",
    arguments: [
      ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;COUNT=2", "2026-11-29", ["a#20261130"]),
      ("FREQ=DAILY;BYHOUR=9,17;COUNT=4", "2026-11-24", ["a#20261124", "a#20261125", "a#20261126"]),
      ("FREQ=HOURLY;INTERVAL=36;COUNT=3", "2026-11-23", ["a#20261123", "a#20261124", "a#20261126"]),
    ])
  func timesOfDays(rule: String, day: String, ids: [String]) throws {
    let content = try feed(item(rule, start: "2026-11-23")).content(at: "\(day)T06:00:00Z")
    #expect(content["items"]?.array?.compactMap { $0["id"]?.string } == ids)
  }

  @Test(
    "Whole days repeat as without BYHOUR, BYMINUTE and BYSECOND, and no two occurrences of an item have one id",
    arguments: RecurrenceRule.Frequency.allCases)
  func laws(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 8)
    var given = 0
    for _ in 0..<60 {
      var rule = SlowRule.random(frequency, using: &random)
      if Bool.random(using: &random) { rule.count = Int.random(in: 1...40, using: &random) }
      // Apia has no 2011-12-30.
      let day = LocalDay(ordinal: Int.random(in: 15_300...15_340, using: &random)).description
      func found(_ rule: SlowRule, start: String) throws -> [Range<Instant>] {
        let feed = try DefinedFeedHarness(FeedDefinition(["title"], DefinedKind(.coming)), zone: "Pacific/Apia")
        try feed.put([item(rule.text, start: start)])
        let item = try #require(feed.items.counting.first)
        let first = feed.calendar.start(of: try #require(LocalDay(day)))
        guard case .occurrences(let found) = item.occurrences(overlapping: first..<(first + .seconds(86_400 * 60)))
        else { return [] }
        let ids = found.compactMap { item.id(ofOccurrenceAt: $0.lowerBound) }
        #expect(Set(ids).count == found.count, "\(rule.text) from \(start)")
        return found
      }
      let days = try found(rule, start: day)
      #expect(try days == found(rule.withoutTimes, start: day), "\(rule.text) from \(day)")
      given += try days.count + found(rule, start: day + "T01:30").count
    }
    #expect(given > 60)
  }

  @Test func oneOfTheSkippedMinutesIsKept() throws {
    let found = try times(
      item("FREQ=MINUTELY;INTERVAL=20;COUNT=9", start: "2026-03-29T01:00"), at: "2026-03-28T12:00:00Z")
    #expect(
      found.map { String($0.prefix(16).suffix(5)) } == ["00:00", "00:20", "00:40", "01:00", "01:20", "01:40"])
  }

  @Test func aDayThatIsLeftOutDoesNotHideTheNext() throws {
    // Apia skipped 30 December 2011.
    let kind = DefinedKind(.coming) {
      $0.limit = 50
      $0.within = 3
    }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind), zone: "Pacific/Apia")
    try feed.put([item("FREQ=DAILY;COUNT=4", start: "2011-12-28")])
    let items = try #require(try feed.content(at: "2011-12-28T12:00:00Z")["items"]?.array)
    #expect(
      items.map { ($0["id"]?.string ?? "") + " " + ($0["end"]?.string ?? "") } == [
        "a#20111228 2011-12-29T10:00:00Z", "a#20111229 2011-12-30T10:00:00Z", "a#20111231 2011-12-31T10:00:00Z",
      ])
  }

  @Test func noTimeTrapsOrHangs() throws {
    var random = SeededNumbers(9)
    let days = [
      LocalDay.first, .last, LocalDay(ordinal: 0), LocalDay.last.advanced(by: -1), LocalDay.first.advanced(by: 1),
    ]
    let moments = [
      Instant(microseconds: .min), Instant(microseconds: .max), Instant.validRange.lowerBound,
      Instant.validRange.upperBound,
      Instant(seconds: 0), try moment("9999-12-30T23:59:59Z"),
    ]
    let rules = [
      "FREQ=DAILY", "FREQ=SECONDLY", "FREQ=YEARLY;INTERVAL=9999", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2",
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31", "FREQ=DAILY;COUNT=999999999", "FREQ=WEEKLY;UNTIL=99991231T235959Z",
    ]
    func time() -> DefinedItem.Time {
      let wall = WallTime(days[random.below(days.count)], secondOfDay: random.below(2) * 86_399)
      return random.below(2) == 0
        ? DefinedItem.Time(.wall(wall), hasTime: random.below(2) == 0)
        : DefinedItem.Time(.instant(moments[random.below(moments.count)]), hasTime: true)
    }
    let lengths = [0, 1, -1, .max, .min, 86_400 * 400]
    for _ in 0..<60 {
      let shows: [DefinedKind.Show] = [.all, .today, .now, .next, .coming, .nextDay, .due]
      let kind = DefinedKind(shows[random.below(shows.count)], items: ["title": "{start:relative} {end:HH:mm}"]) {
        $0.within = 31
      }
      let feed = try DefinedFeedHarness(
        FeedDefinition(["title"], kind), zone: ["UTC", "Pacific/Apia", "America/St_Johns"][random.below(3)])
      var items: [DefinedItem] = []
      for _ in 0..<6 {
        var item = try DefinedItem("a")
        item.start = time()
        switch random.below(4) {
        case 0: item.end = .time(time())
        case 1: item.end = .next
        case 2: item.end = .lasts(days: lengths[random.below(6)], seconds: lengths[random.below(6)])
        default: break
        }
        if random.below(2) == 0 { item.rule = try? RecurrenceRule(rules[random.below(rules.count)]) }
        if random.below(3) == 0 { item.except = [time()] }
        items.append(item)
      }
      try feed.put(items)
      let projection = feed.projection
      for date in moments {
        #expect(JSONValue(feed.json(at: date, projection)) != nil)
        let interval = feed.calendar.interval(of: feed.calendar.day(of: date))
        for boundary in projection.boundaries(of: kind, in: interval, calendar: feed.calendar) {
          #expect(interval.contains(boundary.date))
        }
        _ = projection.overlapCount(day: feed.calendar.day(of: date), calendar: feed.calendar)
      }
    }
  }

  @Test func idsNameTheStart() throws {
    let timed = try feed(item("FREQ=DAILY", start: "2026-11-01T10:00")).content(at: "2026-11-22T12:00:00Z")
    #expect(timed["items"]?[0]?["id"]?.string == "a#20261123T090000Z")
    let days = try feed(item("FREQ=DAILY", start: "2026-11-01"))
    #expect(try days.content(at: "2026-11-22T12:00:00Z")["items"]?[0]?["id"]?.string == "a#20261122")
    let items = days.items
    #expect(items.fileDate(ofItem: "a#20261122") != nil)
    #expect(items.fileDate(ofItem: "a#20991122") != nil)
    for id in ["a", "a#20261031", "a#20261122T000000Z", "a#2026112", "a#", "b#20261122", "a#20261322", "a#é0261122"] {
      #expect(items.fileDate(ofItem: id) == nil, "\(id)")
    }
    let hours = try feed(item("FREQ=DAILY", start: "2026-11-01T10:00")).items
    #expect(hours.fileDate(ofItem: "a#20261123T090000Z") != nil)
    #expect(hours.fileDate(ofItem: "a#20261123T100000Z") == nil)
  }

  @Test func itemsBeyondTheLimitsAreLeftOutAndAProblem() throws {
    let many = try feed(item("FREQ=MINUTELY;INTERVAL=14", start: "2026-11-01T10:00"))
    #expect(try many.content(at: "2026-11-22T12:00:00Z")["count"]?.int == 0)
    let now = try moment("2026-11-22T12:00:00Z")
    let problems = many.problems(at: now)
    #expect(problems.map(\.path) == [CachePath("x/1.json")])
    #expect(
      problems.first?.message
        == "item \"a\" comes more than 500 times in the days looked at and is left out; let it repeat less often")
    // 20 minutes are 72 a day, so the six days that are searched have 432.
    let few = try feed(item("FREQ=MINUTELY;INTERVAL=20", start: "2026-11-01T10:00"))
    #expect(few.problems(at: now) == [])
    #expect(try few.content(at: "2026-11-22T12:00:00Z")["count"]?.int == 216)
    let endless = try feed(item("FREQ=SECONDLY;COUNT=1000000000", start: "2020-11-01T10:00"))
    _ = endless.problems(at: now)
    #expect(try endless.content(at: "2026-11-22T12:00:00Z")["count"]?.int == 0)
  }

  @Test(
    "All items together have limits for their rules, shared by all kinds and days of a feed",
    arguments: [
      "FREQ=SECONDLY;BYSECOND=0,30;BYSETPOS=2", "FREQ=HOURLY", "FREQ=SECONDLY;INTERVAL=7;COUNT=100000000",
    ])
  func rulesTogether(_ rule: String) throws {
    let rule = try RecurrenceRule(rule)
    let feed = try Self.feed(2_000, rule)
    let now = try moment("2026-11-22T12:00:00Z")
    // A tenth of the steps, which take a debug build seconds.
    let most = DayOccurrences.mostSteps / 10
    let occurrences = DayOccurrences(
      feed.items.counting, in: now..<(now + .seconds(7 * 86_400)), feed.calendar, mostSteps: most)
    #expect(occurrences.steps < most + RecurrenceRule.Occurrences.maximumSteps + 100)
    #expect(occurrences.leftOut.count == 1)
  }

  @Test("Exceeding these limits is one problem, and items that do not repeat are always shown")
  func rulesBeyondTheBounds() throws {
    let feed = try Self.feed(40, RecurrenceRule("FREQ=SECONDLY;BYSECOND=0,30;BYSETPOS=2"))
    let now = try moment("2026-11-22T12:00:00Z")
    let problems = feed.problems(at: now)
    #expect(problems.filter { $0.message.hasPrefix("what repeats comes too often") }.count == 1)
    #expect(try feed.titles(at: "2026-11-22T12:00:00Z").contains("last"))
  }

  /// A feed with two kinds and items that repeat by one rule. The last item does not repeat.
  private static func feed(_ count: Int, _ rule: RecurrenceRule) throws -> DefinedFeedHarness {
    var feed = try DefinedFeedHarness(FeedDefinition(["title"], DefinedKind(.due)))
    try feed.put(
      (0..<count).map { number in
        try DefinedItem("i\(number)", start: "2020-11-01T10:00") { $0.rule = rule }
      } + [DefinedItem("last", start: "2026-11-22")])
    feed.definition.kinds = [feed.kind, feed.kind]
    feed.definition.kinds[1].show = .coming
    return feed
  }

  @Test("Rules are followed once for all days of a day index and a timeline, or for each day if that reaches a limit")
  func rulesAreFollowedOnce() throws {
    func windows(_ rule: String) throws -> Int {
      let feed = try feed(item(rule, start: "2026-11-01T10:00"))
      let projection = feed.projection
      let today = try #require(LocalDay("2026-11-22"))
      let days = (-Moment.indexedDaysBefore...Moment.indexedDaysAfter).map { today.advanced(by: $0) }
      return Set(([today] + days).map { projection.occurrences(from: $0, feed.calendar).window }).count
    }
    #expect(try windows("FREQ=WEEKLY") == 1)
    // 72 a day are 432 in the six days that the kind searches from each, and more than 500 in all of them.
    #expect(try windows("FREQ=MINUTELY;INTERVAL=20") == 14)
  }

  @Test func theDayIndexCountsOverlappingItems() throws {
    let kind = DefinedKind(.today) { $0.condition = [.test(.field(0), .is, .text("no"))] }
    let feed = try DefinedFeedHarness(FeedDefinition(["title"], kind))
    try feed.put([
      item("FREQ=DAILY", start: "2026-11-01T23:00", lasts: .lasts(days: 0, seconds: 7_200)),
      DefinedItem("none"), DefinedItem("b", start: "2026-11-22"), DefinedItem("c", start: "2026-11-22T00:00"),
      DefinedItem("d", start: "2026-11-20T12:00", end: "2026-11-22T00:00"),
    ])
    let counts = try ["2026-10-31", "2026-11-01", "2026-11-02", "2026-11-21", "2026-11-22"].map {
      feed.projection.overlapCount(day: try #require(LocalDay($0)), calendar: feed.calendar)
    }
    // The daily one lasts past each midnight.
    #expect(counts == [0, 1, 2, 3, 4])
  }
}

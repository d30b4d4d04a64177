import CacheSync
import CacheSyncSystem
import Testing

@Suite("Nutrition and its days")
struct NutritionDayTests {
  static let kinds = NutritionTests.kinds

  @Test("There is an entry for each hour, from 06:00 to 22:00 today and tomorrow")
  func hourly() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    let timeline = try harness.timeline("daily-progress", at: "2026-11-21T14:03:22Z")  // 09:03 local time
    // 09:00 to 22:00 is 14:00Z to 03:00Z, midnight is 05:00Z.
    let today = (14...23).map { "2026-11-21T\($0):00:00Z" } + (0...3).map { "2026-11-22T0\($0):00:00Z" }
    let tomorrow =
      ["2026-11-22T05:00:00Z"] + (11...23).map { "2026-11-22T\($0):00:00Z" }
      + (0...3).map { "2026-11-23T0\($0):00:00Z" }
    #expect(timeline.entries.map(\.date.description) == today + tomorrow)
    #expect(timeline.reloadAfter?.description == "2026-11-23T05:00:00Z")
    try harness.expectConsistent("daily-progress", at: "2026-11-21T14:03:22Z")
  }

  @Test("There is an entry at midnight", arguments: ["macro-breakdown", "quick-log", "calories"] as [KindName])
  func midnight(kind: KindName) throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    let timeline = try harness.timeline(kind, at: "2026-11-21T14:03:22Z")
    #expect(timeline.entries.map(\.date.description) == ["2026-11-21T05:00:00Z", "2026-11-22T05:00:00Z"])
    // Breakfast is logged just after midnight.
    #expect(timeline.entries.map(\.state) == [.current, kind == "quick-log" ? .current : .placeholder])
    #expect(timeline.reloadAfter?.description == "2026-11-23T05:00:00Z")
  }

  @Test(
    "Days of 23, 24.5 and 25 hours have the right entries",
    arguments: [
      // (zone, moment, today's midnight, 06:00, 22:00, tomorrow's midnight, reload)
      (
        "America/New_York", "2026-03-08T05:30:00Z",
        ["2026-03-08T05:00:00Z", "2026-03-08T10:00:00Z", "2026-03-09T02:00:00Z", "2026-03-09T04:00:00Z"],
        "2026-03-10T04:00:00Z"
      ),
      (
        "America/New_York", "2026-11-01T04:30:00Z",
        ["2026-11-01T04:00:00Z", "2026-11-01T11:00:00Z", "2026-11-02T03:00:00Z", "2026-11-02T05:00:00Z"],
        "2026-11-03T05:00:00Z"
      ),
      (
        "Australia/Lord_Howe", "2026-04-04T13:30:00Z",
        ["2026-04-04T13:00:00Z", "2026-04-04T19:30:00Z", "2026-04-05T11:30:00Z", "2026-04-05T13:30:00Z"],
        "2026-04-06T13:30:00Z"
      ),
    ])
  func oddDays(zone: String, moment: String, expected: [String], reload: String) throws {
    let harness = try FeedHarness(zone: zone)
    try harness.put("widget-data/a.json", NutritionFixtures.session(updated: "\"\(moment)\""))
    try harness.put("intents/a.json", NutritionFixtures.log(at: expected[3]))
    let timeline = try harness.timeline("daily-progress", at: moment)
    let dates = timeline.entries.map(\.date.description)
    // Midnight, seventeen hours, midnight, seventeen hours.
    #expect(dates.count == 36)
    #expect([dates[0], dates[1], dates[17], dates[18]] == expected)
    #expect(timeline.reloadAfter?.description == reload)
    for kind in Self.kinds { try harness.expectConsistent(kind, at: moment) }
  }

  @Test("A new day waits for its data, and keeps goals, foods and mode")
  func placeholder() throws {
    let harness = try FeedHarness(staleAfter: .seconds(3600))
    try harness.put("widget-data/a.json", NutritionFixtures.session(updated: #""2026-11-20T23:00:00Z""#))
    let noon = "2026-11-21T12:00:00Z"
    // Waiting has priority over being old or broken.
    for kind in Self.kinds where kind != "quick-log" {
      #expect(try harness.state(kind, at: noon) == "placeholder")
    }
    #expect(try harness.state("quick-log", at: noon) == "stale")
    let content = try harness.content("daily-progress", at: noon)
    #expect(content["calories"]?.double == 0 && content["text"]?.string == "Open app to sync")
    #expect(content["lastUpdated"]?.string == "2026-11-20T23:00:00Z")
    #expect(try harness.content("calories", at: noon)["inline"]?.string == "Sync required")
    #expect(try harness.content("calories", at: noon)["rectangular"]?.string == "Open app to sync")
    #expect(try harness.content("quick-log", at: noon)["foods"]?.array?.count == 1)
    harness.feeds[NutritionFeed.self]?.mark(CachePath("widget-data/a.json"), unusable: true)
    #expect(try harness.state("calories", at: noon) == "placeholder")
    #expect(try harness.state("calories", at: "2026-11-20T23:30:00Z") == "stale")
  }

  @Test("Totals of a later day count as today's")
  func future() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session(updated: #""2026-11-23T08:00:00Z""#))
    let timeline = try harness.timeline("calories", at: "2026-11-21T12:00:00Z")
    #expect(timeline.entries.map(\.state) == [.current, .current])
    #expect(try harness.content("calories", at: "2026-11-21T12:00:00Z")["remaining"]?.double == 765.5)
    #expect(try harness.state("calories", at: "2026-11-24T00:00:00Z") == "placeholder")
  }

  @Test("The state becomes stale by age, and if a file is unusable")
  func stale() throws {
    let harness = try FeedHarness(staleAfter: .seconds(3 * 3600))
    try harness.put("widget-data/a.json", NutritionFixtures.session())  // 10:00
    let timeline = try harness.timeline("calories", at: "2026-11-21T12:00:00Z")
    #expect(timeline.entries.map(\.state) == [.current, .stale, .placeholder])
    #expect(timeline.entries[1].date.description == "2026-11-21T13:00:00Z")
    try harness.put("widget-data/a.json", NutritionFixtures.session(), unusable: true)
    #expect(try harness.state("quick-log", at: "2026-11-21T12:00:00Z") == "stale")
    harness.feeds[NutritionFeed.self]?.mark(CachePath("widget-data/a.json"), unusable: false)
    #expect(try harness.state("quick-log", at: "2026-11-21T12:00:00Z") == "current")
  }

  @Test(
    "Totals are in the day index on their day",
    arguments: [
      ("2026-11-21T04:00:00Z", ["2026-11-20"]),  // 23:00 of the day before in New York
      ("2026-11-21T06:00:00Z", ["2026-11-21"]),
      ("2026-11-23T06:00:00Z", ["2026-11-21"]),  // a later day counts as today
      ("2026-11-01T06:00:00Z", []),  // beyond the index
    ])
  func dayIndex(updated: String, expected: [String]) throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put("widget-data/a.json", NutritionFixtures.session(updated: "\"\(updated)\""))
    try harness.put("intents/a.json", NutritionFixtures.log(at: "2026-11-22T12:00:00Z"))
    let days = try (15...28).map { "2026-11-\($0)" }.filter {
      try harness.day("nutrition", $0, now: "2026-11-21T12:00:00Z") != nil
    }
    #expect(days == expected)
    for day in days {
      let found = try harness.day("nutrition", day, now: "2026-11-21T12:00:00Z")
      #expect(found == .object(["calories": .number(1234.5)]))
    }
  }
}

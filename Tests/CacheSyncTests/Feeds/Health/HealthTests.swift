import CacheSync
import CacheSyncSystem
import Testing

@Suite("Health: states, sources, timelines")
struct HealthTests {
  static let now = "2026-11-21T18:00:00Z"  // a Saturday
  static let kinds: [KindName] = ["budget", "macros", "overview"]

  static func sample(
    _ type: String, _ date: String, _ value: Double, id: String? = nil, end: String? = nil, source: String? = nil
  ) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    let end = end.map { #""end":"\#($0)","# } ?? ""
    let source = source.map { #""source":"\#($0)","# } ?? ""
    return #"{\#(id)"type":"\#(type)","date":"\#(date)",\#(end)\#(source)"value":\#(value)}"#
  }

  static func file(_ samples: String..., goals: String? = nil) -> String {
    let goals = goals.map { #","goals":\#($0)"# } ?? ""
    return #"{"samples":[\#(samples.joined(separator: ","))]\#(goals)}"#
  }

  static let meal = sample("dietaryCalories", "2026-11-21T08:00:00Z", 640)
  static let protein = sample("protein", "2026-11-21T08:00:00Z", 32)
  static let weight = sample("bodyMass", "2026-11-20T07:00:00Z", 80)

  func sources(_ harness: FeedHarness, _ kind: KindName) throws -> [String] {
    let sources = try harness.timeline(kind, at: Self.now).sources
    #expect(sources.count == sources.named.count)
    return sources.named.map(\.description)
  }

  func states(_ harness: FeedHarness, at date: String = now) throws -> [String] {
    try Self.kinds.map { try harness.state($0, at: date) }
  }

  @Test(
    "There is an entry now and one at the next midnight, in every zone",
    arguments: [
      // (zone, moment, the next two midnights and the one after them)
      ("UTC", now, ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"]),
      // 23 hours: from UTC−5 to UTC−4.
      (
        "America/New_York", "2026-03-08T12:00:00Z",
        ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", "2026-03-10T04:00:00Z"]
      ),
      // 25 hours.
      (
        "America/New_York", "2026-11-01T04:00:00Z",
        ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", "2026-11-03T05:00:00Z"]
      ),
      // 24.5 hours: from UTC+11 to UTC+10:30.
      (
        "Australia/Lord_Howe", "2026-04-05T02:00:00Z",
        ["2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", "2026-04-06T13:30:00Z"]
      ),
    ])
  func timeline(zone: String, moment: String, midnights: [String]) throws {
    let harness = try FeedHarness(zone: zone)
    try harness.put(
      "health/a.json",
      Self.file(
        Self.sample("dietaryCalories", moment, 900), Self.sample("protein", moment, 30),
        Self.sample("bodyMass", moment, 80)))
    for kind in Self.kinds {
      let timeline = try harness.timeline(kind, at: moment)
      #expect(timeline.entries.map(\.date.description) == Array(midnights[..<2]))
      #expect(timeline.reloadAfter?.description == midnights[2])
      try harness.expectConsistent(kind, at: moment)
    }
    let today = try harness.content("budget", at: moment)
    #expect(today["intake"]?.double == 900)
    let tomorrow = try harness.content("budget", at: midnights[1])
    #expect(tomorrow["intake"]?.double == 0)
    // F = 30 · 80 on both days. Tomorrow has one intake day with no length and so a confidence of 0: credit 2400 − 900.
    #expect(tomorrow["credit"]?.double == 1500)
  }

  @Test("All samples of a local day count, even later ones, and none of the next day")
  func wholeDay() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put(
      "health/a.json",
      Self.file(
        Self.sample("dietaryCalories", "2026-11-21T04:59:59.999Z", 1),
        Self.sample("dietaryCalories", "2026-11-21T05:00:00Z", 2),
        Self.sample("dietaryCalories", "2026-11-22T04:59:59.999Z", 4),
        Self.sample("dietaryCalories", "2026-11-22T05:00:00Z", 8)))
    #expect(try harness.content("budget", at: Self.now)["intake"]?.double == 6)
    #expect(try harness.day("health", "2026-11-20", now: Self.now)?["intake"]?.double == 1)
    #expect(try harness.day("health", "2026-11-21", now: Self.now)?["samples"]?.int == 2)
    #expect(try harness.day("health", "2026-11-22", now: Self.now)?["intake"]?.double == 8)
    #expect(try harness.day("health", "2026-11-23", now: Self.now) == nil)
    let week = try harness.content("overview", at: Self.now)["week"]?.array
    #expect(week?.map { $0["date"]?.string ?? "" } == (14...20).map { "2026-11-\($0)" })
    #expect(week?.compactMap { $0["intake"]?.double } == [1])
  }

  @Test("Without samples, the content is exactly these zeros")
  func emptyContent() throws {
    let harness = try FeedHarness()
    try harness.put("health/a.json", #"{"goals":{"adjustment":-500,"macros":{"protein":30}}}"#)
    let expected = [
      #"{"base":0,"budget":0,"confidence":0,"credit":0,"dailyAdjustment":0,"daysLeft":0,"flags":[],"intake":0,"#
        + #""isValid":false,"maintenance":0,"message":"No health data","progress":0,"remaining":0}"#,
      #"{"macros":[],"message":"No health data"}"#,
      #"{"calories":{"budget":0,"intake":0,"remaining":0},"macros":[],"message":"No health data","week":[],"#
        + #""weight":{"latest":null,"slopePerWeek":0,"trend":"flat"}}"#,
    ]
    for (kind, expected) in zip(Self.kinds, expected) {
      let timeline = try harness.timeline(kind, at: Self.now)
      #expect(timeline.entries.map { String(decoding: $0.content, as: UTF8.self) } == [expected, expected])
      #expect(timeline.entries.map(\.state) == [.empty, .empty])
    }
    #expect(try harness.day("health", "2026-11-21", now: Self.now) == nil)
  }

  @Test("With samples, the content has exactly this budget, macros and week")
  func wholeContent() throws {
    let harness = try FeedHarness()
    try harness.put(
      "health/a.json",
      Self.file(
        Self.meal, Self.protein, Self.weight,
        goals: #"{"adjustment":-400,"macros":{"protein":30,"fat":20}}"#))
    // By hand: one weight, no full day of intake. M = F = 30 · 80 = 2400, base 2000, two days from Saturday to Monday.
    let expected = [
      #"{"base":2000,"budget":2000,"confidence":0,"credit":0,"dailyAdjustment":0,"daysLeft":2,"#
        + #""flags":["densityEstimated"],"intake":640,"isValid":false,"maintenance":2400,"progress":0.32,"remaining":1360}"#,
      #"{"macros":[{"budget":150,"grams":32,"name":"protein","progress":0.21333333333333335,"remaining":118},"#
        + #"{"budget":null,"grams":0,"name":"carbs","progress":null,"remaining":null},"#
        + #"{"budget":44.44444444444444,"grams":0,"name":"fat","progress":0,"remaining":44.44444444444444}]}"#,
    ]
    for (kind, expected) in zip(Self.kinds, expected) {
      #expect(try String(decoding: harness.timeline(kind, at: Self.now).entries[0].content, as: UTF8.self) == expected)
    }
    let overview = try harness.content("overview", at: Self.now)
    #expect(
      overview["calories"] == .object(["budget": .integer(2000), "intake": .integer(640), "remaining": .integer(1360)]))
    #expect(
      overview["weight"] == .object(["latest": .integer(80), "slopePerWeek": .integer(0), "trend": .string("flat")]))
    #expect(overview["macros"] == (try harness.content("macros", at: Self.now)["macros"]))
    #expect(overview["week"]?.array?.count == 7)
  }

  @Test("The sources are the files with a sample of the kind's types, and the one with the goals")
  func sources() throws {
    let harness = try FeedHarness()
    try harness.put("health/a.json", #"{"goals":{"adjustment":1}}"#)
    #expect(try Self.kinds.map { try sources(harness, $0) } == Array(repeating: ["health/a.json"], count: 3))
    try harness.put("health/p.json", Self.file(Self.protein))
    #expect(try states(harness) == ["empty", "current", "current"])
    #expect(try sources(harness, "budget") == ["health/a.json"])
    #expect(try sources(harness, "macros") == ["health/a.json", "health/p.json"])
    try harness.put("health/b/m.json", Self.file(Self.meal, goals: "{}"))  // replaces the goals
    #expect(try states(harness) == ["current", "current", "current"])
    #expect(try sources(harness, "budget") == ["health/b/m.json"])
    #expect(try harness.content("budget", at: Self.now)["base"]?.double == 2200)
    try harness.put("health/w.json", Self.file(Self.weight))
    #expect(try sources(harness, "budget") == ["health/b/m.json", "health/w.json"])
    #expect(try sources(harness, "overview") == ["health/b/m.json", "health/p.json", "health/w.json"])
    harness.remove("health/b/m.json")
    #expect(try sources(harness, "budget") == ["health/a.json", "health/w.json"])
    #expect(try harness.content("budget", at: Self.now)["base"]?.double == 2401)
    harness.remove("health/w.json")
    harness.remove("health/p.json")
    #expect(try states(harness) == ["empty", "empty", "empty"])
  }

  @Test("The budget's bytes do not change if only protein is added")
  func proteinLeavesTheBudgetAlone() throws {
    let harness = try FeedHarness(staleAfter: .seconds(3 * 3600))
    try harness.put("health/a.json", Self.file(Self.meal))
    let before = try harness.timeline("budget", at: "2026-11-21T10:00:00Z")
    try harness.put("health/p.json", Self.file(Self.sample("protein", "2026-11-21T09:59:00Z", 5)), unusable: true)
    let after = try harness.timeline("budget", at: "2026-11-21T10:00:00Z")
    #expect(after.entries == before.entries && after.sources.named == before.sources.named)
  }

  @Test("The state is stale while a last good version is shown")
  func unusable() throws {
    let harness = try FeedHarness()
    try harness.put("health/a.json", #"{"goals":{}}"#)
    try harness.put("health/m.json", Self.file(Self.meal))
    try harness.put("health/p.json", Self.file(Self.protein), unusable: true)
    #expect(try states(harness) == ["current", "stale", "stale"])
    let feed = try #require(harness.feeds[HealthFeed.self])
    feed.mark(CachePath("health/p.json"), unusable: false)
    #expect(try states(harness) == ["current", "current", "current"])
    feed.mark(CachePath("health/a.json"), unusable: true)  // the goals
    #expect(try states(harness) == ["stale", "stale", "stale"])
    try harness.put("health/b.json", #"{"goals":{}}"#)
    #expect(try states(harness) == ["current", "current", "current"])
    // Tomorrow's samples are not shown today.
    let tomorrow = Self.sample("bodyMass", "2026-11-22T08:00:00Z", 80)
    try harness.put("health/z.json", Self.file(tomorrow), unusable: true)
    #expect(try harness.timeline("budget", at: Self.now).entries.map(\.state) == [.current, .stale])
    harness.remove("health/z.json")
    #expect(try states(harness) == ["current", "current", "current"])
    try harness.put("health/m.json", Self.file(Self.meal), unusable: true)
    try harness.put("health/m.json", Self.file(Self.meal))
    #expect(try states(harness) == ["current", "current", "current"])
    // Empty has priority over stale.
    harness.remove("health/m.json")
    feed.mark(CachePath("health/b.json"), unusable: true)
    #expect(try states(harness) == ["empty", "stale", "stale"])
  }

  @Test("The state becomes stale by the newest date of a shown sample")
  func staleByAge() throws {
    let harness = try FeedHarness(staleAfter: .seconds(24 * 3600))
    try harness.put("health/a.json", Self.file(Self.sample("dietaryCalories", "2026-11-21T12:30:00Z", 640)))
    try harness.put("health/b.json", Self.file(Self.sample("protein", "2026-11-21T20:00:00Z", 30)))
    // Tomorrow's dinner is shown from tomorrow, although it is already known.
    try harness.put("health/c.json", Self.file(Self.sample("fat", "2026-11-23T20:00:00Z", 30)))
    let timeline = try harness.timeline("budget", at: "2026-11-21T23:00:00Z")
    #expect(
      timeline.entries.map(\.date.description) == [
        "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", "2026-11-22T12:30:00Z",
      ])
    #expect(timeline.entries.map(\.state) == [.current, .current, .stale])
    let macros = try harness.timeline("macros", at: "2026-11-21T23:00:00Z")
    #expect(macros.entries.last?.date.description == "2026-11-22T20:00:00Z")
    #expect(try states(harness, at: "2026-11-22T13:00:00Z") == ["stale", "current", "current"])
    #expect(try states(harness, at: "2026-11-23T00:00:00Z") == ["stale", "current", "current"])
    for kind in Self.kinds { try harness.expectConsistent(kind, at: "2026-11-21T23:00:00Z") }
  }

  @Test("A day that the zone skipped is not in the week")
  func skippedDay() throws {
    let harness = try FeedHarness(zone: "Pacific/Apia")  // skipped 2011-12-30
    try harness.put("health/a.json", Self.file(Self.sample("dietaryCalories", "2011-12-29T20:00:00Z", 900)))
    let week = try harness.content("overview", at: "2012-01-01T22:00:00Z")["week"]?.array
    #expect(week?.map { $0["date"]?.string ?? "" } == (25...29).map { "2011-12-\($0)" } + ["2011-12-31", "2012-01-01"])
  }

  @Test("All numbers can be written as JSON, whatever the samples contain")
  func hugeValues() throws {
    let harness = try FeedHarness()
    let types = ["dietaryCalories", "protein", "carbs", "fat", "bodyMass"]
    let samples = types.flatMap { type in (10...21).map { Self.sample(type, "2026-11-\($0)T08:00:00Z", 1.7e308) } }
    let goals = #"{"adjustment":1e308,"macros":{"fat":1e308}}"#
    let text = #"{"samples":[\#((samples + samples).joined(separator: ","))],"goals":\#(goals)}"#
    #expect(try harness.put("health/a.json", text) == [])
    for kind in Self.kinds { #expect(try harness.content(kind, at: Self.now).object != nil) }
  }
}

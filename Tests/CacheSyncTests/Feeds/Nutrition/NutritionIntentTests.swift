import CacheSync
import CacheSyncSystem
import Testing

@Suite("Foods logged in a reader")
struct NutritionIntentTests {
  static let noon = "2026-11-21T12:00:00Z"

  static func harness(updated: String = "2026-11-21T10:00:00Z", zone: String = "UTC") throws -> FeedHarness {
    let harness = try FeedHarness(zone: zone)
    try harness.put("widget-data/a.json", NutritionFixtures.session(updated: "\"\(updated)\""))
    return harness
  }

  static func eaten(_ harness: FeedHarness, at moment: String = noon) throws -> Double? {
    try harness.content("daily-progress", at: moment)["calories"]?.double
  }

  @Test("Logged foods are added to the day")
  func added() throws {
    let harness = try Self.harness()
    try harness.put("intents/x/a.json", NutritionFixtures.log(quantity: "1.5"))
    let content = try harness.content("daily-progress", at: Self.noon)
    // Tests/Reference/nutrition.py, "and 1.5 servings of oats".
    #expect(content["calories"]?.double == 1459.5 && content["caloriesRemaining"]?.double == 540.5)
    #expect(content["macros"]?.array?.map { $0["grams"]?.double } == [87.75, 190.5, 44.5])
    #expect(try harness.content("calories", at: Self.noon)["rectangular"]?.string == "540 cal left")
    let macros = try harness.content("macro-breakdown", at: Self.noon)["macros"]?.array
    #expect(macros?.map { $0["calories"]?.double } == [351, 762, 400.5])
    let named = ["intents/x/a.json", "widget-data/a.json"].map { CachePath($0) }
    for kind in ["daily-progress", "macro-breakdown", "calories"] as [KindName] {
      #expect(try harness.timeline(kind, at: Self.noon).sources.named == named)
    }
    // An intent does not change this kind's foods.
    #expect(try harness.timeline("quick-log", at: Self.noon).sources.count == 1)
  }

  @Test(
    "An intent counts until a session is newer, on the local day of its date, even before that date",
    arguments: [
      // (the intent's date, the session's, the moment, eaten)
      ("2026-11-21T11:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z", 1384.5),
      ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z", 1384.5),  // not later: not newer
      ("2026-11-21T09:59:59.999Z", "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z", 1234.5),
      ("2026-11-21T23:59:59Z", "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z", 1384.5),  // a future date counts at once
      ("2026-11-22T00:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T12:00:00Z", 1234.5),  // but is of tomorrow
      ("2026-11-22T08:00:00Z", "2026-11-21T10:00:00Z", "2026-11-22T00:00:00Z", 150),
      ("2026-11-21T11:00:00Z", "2026-11-21T10:00:00Z", "2026-11-22T00:00:00Z", 0),
      ("2026-11-20T23:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T12:00:00Z", 0),
      ("2026-11-21T11:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T12:00:00Z", 150),
      ("2026-11-21T11:00:00Z", "2026-11-23T10:00:00Z", "2026-11-21T12:00:00Z", 1234.5),
    ])
  func days(at: String, updated: String, moment: String, eaten: Double) throws {
    let harness = try Self.harness(updated: updated)
    try harness.put("intents/a.json", NutritionFixtures.log(at: at))
    #expect(try Self.eaten(harness, at: moment) == eaten)
    try harness.expectConsistent("macro-breakdown", at: moment)
  }

  @Test("An intent ends the wait for a new day's data")
  func placeholder() throws {
    let harness = try Self.harness(updated: "2026-11-20T10:00:00Z")
    try harness.put("intents/unknown.json", NutritionFixtures.log("nobody", id: "u"))
    #expect(try harness.state("calories", at: Self.noon) == "placeholder")
    try harness.put("intents/a.json", NutritionFixtures.log(quantity: "2"))
    for kind in NutritionTests.kinds {
      let timeline = try harness.timeline(kind, at: Self.noon)
      #expect(timeline.entries.first?.state == .current)
      #expect(timeline.entries.last?.state == (kind == "quick-log" ? .current : .placeholder))
      #expect(timeline.sources.named == ["intents/a.json", "widget-data/a.json"].map { CachePath($0) })
    }
    #expect(try Self.eaten(harness) == 300)
    harness.feeds[IntentsFeed.self]?.mark(CachePath("intents/a.json"), unusable: true)
    for kind in NutritionTests.kinds { #expect(try harness.state(kind, at: Self.noon) == "stale") }
    harness.remove("intents/a.json")
    for kind in NutritionTests.kinds where kind != "quick-log" {
      #expect(try harness.state(kind, at: Self.noon) == "placeholder")
    }
  }

  @Test("An intent counts once however often it is dropped, and has no effect if its food is unknown")
  func once() throws {
    let harness = try Self.harness()
    try harness.put("intents/b.json", NutritionFixtures.log(at: "2026-11-21T11:00:00Z", quantity: "3"))
    try harness.put("intents/a.json", NutritionFixtures.log(at: "2026-11-21T11:00:00Z", quantity: "2"))
    #expect(try Self.eaten(harness) == 1534.5)  // of equal dates the lesser path
    try harness.put("intents/c.json", NutritionFixtures.log(at: "2026-11-21T10:30:00Z"))
    #expect(try Self.eaten(harness) == 1384.5)  // the earlier date
    try harness.put("intents/d.json", NutritionFixtures.log(id: "i2"))
    try harness.put("intents/e.json", NutritionFixtures.log("nobody", id: "i3"))
    #expect(try Self.eaten(harness) == 1534.5)
    #expect(try harness.timeline("calories", at: Self.noon).sources.count == 3)
    harness.remove("intents/c.json")
    harness.remove("intents/d.json")
    #expect(try Self.eaten(harness) == 1534.5)
    // A newer session includes them all.
    try harness.put("widgetData.json", NutritionFixtures.session(updated: #""2026-11-21T11:30:00Z""#))
    #expect(try Self.eaten(harness) == 1234.5)
    harness.remove("widgetData.json")
    #expect(try Self.eaten(harness) == 1534.5)
  }

  @Test("An intent's day is that of the cache's zone")
  func zones() throws {
    let harness = try Self.harness(updated: "2026-03-08T06:00:00Z", zone: "America/New_York")
    // The day of 23 hours ends at 04:00Z.
    try harness.put("intents/a.json", NutritionFixtures.log(id: "a", at: "2026-03-09T03:59:59Z"))
    try harness.put("intents/b.json", NutritionFixtures.log(id: "b", at: "2026-03-09T04:00:00Z"))
    #expect(try Self.eaten(harness, at: "2026-03-08T12:00:00Z") == 1384.5)
    #expect(try Self.eaten(harness, at: "2026-03-09T12:00:00Z") == 150)
    #expect(try harness.state("calories", at: "2026-03-09T12:00:00Z") == "current")
  }
}

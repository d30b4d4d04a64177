import CacheSync
import TestSupport
import Testing

@Suite("The meal plan")
struct MealPlanTests {
  @Test("There are seven entries, one for each day, and the time of the next reload")
  func sevenEntries() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put("meal-plan/a.json", MealPlanFixture.session())
    let timeline = try harness.timeline("meal-plan", at: "2026-11-21T14:03:22Z")
    // New York is UTC-5 in November: midnight is 05:00 UTC.
    #expect(timeline.entries.map(\.date.description) == (21...27).map { "2026-11-\($0)T05:00:00Z" })
    #expect(timeline.reloadAfter?.description == "2026-11-28T05:00:00Z")
    #expect(timeline.entries.allSatisfy { $0.state == .current })
    try harness.expectConsistent("meal-plan", at: "2026-11-21T14:03:22Z")
  }

  @Test("There are three family slots, and an adult slot only if the day has an entry for it")
  func slots() throws {
    let harness = try FeedHarness()
    try harness.put(
      "meal-plan/a.json",
      MealPlanFixture.session(
        plan: #"""
          {"day_index":5,"meal_type":"dinner","meal_id":"m1","meal_name":"Soup"},
          {"day_index":5,"meal_type":"dinner","meal_id":"m2","meal_name":"Stew"},
          {"day_index":5,"meal_track":"adult","meal_type":"breakfast","meal_id":null,"meal_name":null},
          {"day_index":4,"meal_type":"lunch","meal_id":"m3","meal_name":"Pie"}
          """#))
    let content = try harness.content("meal-plan", at: "2026-11-21T12:00:00Z")  // a Saturday
    let slots = content["meals"]?.array?.map { $0["slot"]?.string ?? "" }
    #expect(slots == ["5-family-breakfast", "5-adult-breakfast", "5-family-lunch", "5-family-dinner"])
    #expect(content["meals"]?[3]?["mealName"]?.string == "Soup, Stew")
    #expect(content["meals"]?[3]?["mealId"]?.string == "m1")
    #expect(content["meals"]?[0]?["mealId"] == .null)
    #expect(try harness.day("meal-plan", "2026-11-21", now: "2026-11-21T12:00:00Z")?["entries"]?.int == 2)
    #expect(try harness.day("meal-plan", "2026-11-23", now: "2026-11-21T12:00:00Z")?["entries"]?.int == 0)
  }

  @Test(
    "A week may begin with a midnight, of UTC or of the cache's zone",
    arguments: [
      // The first day on which the plan shows, in Berlin and in New York.
      ("2026-11-23", "2026-11-23", "2026-11-23"), ("2026-11-23T00:00:00Z", "2026-11-23", "2026-11-23"),
      ("2026-11-23T00:00:00", "2026-11-23", "2026-11-23"), ("2026-11-22T23:00:00Z", "2026-11-23", "2026-11-22"),
      ("2026-11-22T23:59:59Z", "2026-11-22", "2026-11-22"), ("2026-11-23T12:00:00+01:00", "2026-11-23", "2026-11-23"),
      ("2026-11-23T05:00:00.000Z", "2026-11-23", "2026-11-23"),
    ])
  func weekStart(text: String, berlin: String, newYork: String) throws {
    for (zone, day) in [("Europe/Berlin", berlin), ("America/New_York", newYork)] {
      let harness = try FeedHarness(zone: zone)
      try harness.put("meal-plan/a.json", MealPlanFixture.session(week: text))
      let shown = try #require(LocalDay(day))
      for (distance, state) in [(-1, "empty"), (0, "current"), (6, "current"), (7, "empty")] {
        let noon = "\(shown.advanced(by: distance))T16:00:00Z"
        #expect(try harness.state("meal-plan", at: noon) == state, "\(zone), \(noon)")
      }
    }
  }

  @Test("Without a plan, the content says so")
  func empty() throws {
    let harness = try FeedHarness()
    try harness.put("meal-plan/a.json", MealPlanFixture.session(finalized: false))
    #expect(try harness.state("meal-plan", at: "2026-11-21T12:00:00Z") == "empty")
    let content = try harness.content("meal-plan", at: "2026-11-21T12:00:00Z")
    #expect(content["title"]?.string == "No Meal Plan")
    #expect(content["isEmpty"]?.bool == true)
    #expect(content["session"] == .null)
    #expect(try harness.day("meal-plan", "2026-11-21", now: "2026-11-21T12:00:00Z") == nil)
  }

  @Test(
    "The session is chosen by week, then by date, then the greatest id, then the greatest path",
    arguments: [
      // (date, expected session)
      ("2026-11-21T12:00:00Z", "later"),  // any week: the greatest updated_at
      ("2026-11-23T12:00:00Z", "week"),  // the session of this week wins, though older
      ("2026-11-29T23:59:59Z", "week"),
      ("2026-11-30T00:00:00Z", "later"),  // never outside its week
    ])
  func selection(moment: String, expected: String) throws {
    let harness = try FeedHarness()
    try harness.put("meal-plan/a.json", MealPlanFixture.session(id: "older", updated: "2026-11-10T00:00:00Z"))
    try harness.put("meal-plan/b.json", MealPlanFixture.session(id: "later", updated: "2027-11-11T00:00:00Z"))
    try harness.put(
      "meal-plan/c.json", MealPlanFixture.session(id: "week", updated: "2026-11-01T00:00:00Z", week: "2026-11-23"))
    try harness.put(
      "meal-plan/d.json", MealPlanFixture.session(id: "draft", updated: "2028-01-01T00:00:00Z", finalized: false))
    #expect(try harness.content("meal-plan", at: moment)["session"]?.string == expected)
  }

  @Test("The state becomes stale without an extra entry")
  func stale() throws {
    let harness = try FeedHarness(staleAfter: .seconds(24 * 3600))
    try harness.put("meal-plan/a.json", MealPlanFixture.session(updated: "2026-11-20T15:00:00Z"))
    let before = try harness.timeline("meal-plan", at: "2026-11-21T12:00:00Z")
    #expect(before.entries.map(\.state) == [.current] + Array(repeating: .stale, count: 6))
    #expect(before.nextChange?.description == "2026-11-21T15:00:00Z")
    let after = try harness.timeline("meal-plan", at: "2026-11-21T15:00:00Z")
    #expect(after.entries.count == 7 && after.entries[0].state == .stale)
    #expect(after.entries[0].date.description == "2026-11-21T00:00:00Z")
    #expect(after.nextChange?.description == "2026-11-22T00:00:00Z")
  }

  @Test("A session can be withdrawn and replaced")
  func replacing() throws {
    let harness = try FeedHarness()
    try harness.put("meal-plan/a.json", MealPlanFixture.session(id: "a", updated: "2026-11-10T00:00:00Z"))
    try harness.put("meal-plan/b.json", MealPlanFixture.session(id: "b", updated: "2026-11-11T00:00:00Z"))
    try harness.put("meal-plan/b.json", MealPlanFixture.session(id: "b2", updated: "2026-11-09T00:00:00Z"))
    #expect(try harness.content("meal-plan", at: "2026-11-21T12:00:00Z")["session"]?.string == "a")
    harness.remove("meal-plan/a.json")
    #expect(try harness.content("meal-plan", at: "2026-11-21T12:00:00Z")["session"]?.string == "b2")
    try harness.put("meal-plan/b.json", MealPlanFixture.session(finalized: false))
    #expect(try harness.state("meal-plan", at: "2026-11-21T12:00:00Z") == "empty")
  }
}

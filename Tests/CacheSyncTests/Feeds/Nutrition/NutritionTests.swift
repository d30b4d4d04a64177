import CacheSync
import CacheSyncSystem
import Testing

@Suite("Nutrition")
struct NutritionTests {
  static let kinds: [KindName] = ["daily-progress", "macro-breakdown", "quick-log", "calories"]
  static let noon = "2026-11-21T12:00:00Z"

  func text(_ harness: FeedHarness, _ kind: KindName, at moment: String = noon) throws -> String {
    String(decoding: try #require(try harness.timeline(kind, at: moment).entries.first).content, as: UTF8.self)
  }

  // The numbers of this suite are those of Tests/Reference/nutrition.py.

  @Test("The day's progress is shown")
  func dailyProgress() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    #expect(
      try text(harness, "daily-progress") == #"{"calorieProgress":0.61725,"calorieTarget":2000,"calories":1234.5,"#
        + #""caloriesRemaining":765.5,"lastUpdated":"2026-11-21T10:00:00Z","macros":["#
        + #"{"grams":80.25,"name":"protein","progress":0.535,"target":150},"#
        + #"{"grams":150,"name":"carbs","progress":0.6,"target":250},"#
        + #"{"grams":40,"name":"fat","progress":0.6153846153846154,"target":65}],"#
        + #""showsNumbers":true,"symbol":"fork.knife","text":"1234 / 2000","trackingMode":"full"}"#)
  }

  @Test("The macronutrients of the day are shown")
  func macroBreakdown() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session(mode: "simple"))
    let content = try harness.content("macro-breakdown", at: Self.noon)
    #expect(content["macros"]?.array?.map { $0["calories"]?.double } == [321, 600, 360])
    #expect(content["macros"]?.array?.map { $0["remaining"]?.double } == [69.75, 100, 25])
    let shares = [0.2505854800936768, 0.468384074941452, 0.281030444964871]
    for (index, share) in shares.enumerated() {
      let found = try #require(content["macros"]?[index]?["share"]?.double)
      #expect(abs(found - share) < 1e-12)
    }
    #expect(content["trackingMode"]?.string == "simple")
    #expect(content["showsNumbers"]?.bool == true)
  }

  @Test("Recent foods are offered for logging again")
  func quickLog() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    #expect(
      try text(harness, "quick-log")
        == #"{"foods":[{"calories":150,"carbs":27,"defaultQuantity":1,"fat":3,"id":"oats","#
        + #""name":"Oats 3000","protein":5,"unit":"bowl"}],"isEmpty":false,"showsNumbers":true}"#)
    try harness.put("widget-data/a.json", NutritionFixtures.session(foods: []))
    #expect(try harness.state("quick-log", at: Self.noon) == "empty")
    #expect(
      try text(harness, "quick-log") == #"{"foods":[],"isEmpty":true,"message":"Add favorites to quick log","#
        + #""showsNumbers":true,"symbol":"star"}"#)
    #expect(try harness.state("calories", at: Self.noon) == "current")
  }

  @Test("Calories are shown on a lock screen")
  func calories() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    #expect(
      try text(harness, "calories")
        == #"{"circular":"fork.knife","inline":"765 calories remaining","progress":0.61725,"#
        + #""rectangular":"765 cal left","remaining":765.5,"showsNumbers":true}"#)
  }

  @Test(
    "Progress is never beyond the goal, and is 0 without a goal",
    arguments: [
      // (target, progress, remaining)
      ("2000", 0.61725, 765.5), ("1234", 1, 0), ("1", 1, 0), ("0", 0, 0),
    ])
  func limits(target: String, progress: Double, remaining: Double) throws {
    let harness = try FeedHarness()
    let goals = #"{"calorieTarget":\#(target),"proteinTarget":0,"carbsTarget":100,"fatTarget":40}"#
    try harness.put("widget-data/a.json", NutritionFixtures.session(goals: goals))
    let content = try harness.content("daily-progress", at: Self.noon)
    #expect(content["calorieProgress"]?.double == progress)
    #expect(content["caloriesRemaining"]?.double == remaining)
    #expect(content["macros"]?.array?.map { $0["progress"]?.double } == [0, 1, 1])
    let macros = try harness.content("macro-breakdown", at: Self.noon)["macros"]?.array
    #expect(macros?.map { $0["remaining"]?.double } == [0, 0, 0])
  }

  @Test("Mindful mode has texts without digits, but still publishes the numbers")
  func mindful() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session(mode: "mindful"))
    let progress = try harness.content("daily-progress", at: Self.noon)
    #expect(progress["text"]?.string == "Mindful mode")
    #expect(progress["symbol"]?.string == "leaf.fill")
    #expect(progress["trackingMode"]?.string == "mindful")
    #expect(progress["calories"]?.double == 1234.5)
    let calories = try harness.content("calories", at: Self.noon)
    #expect(calories["inline"]?.string == "Mindful mode" && calories["rectangular"]?.string == "Mindful mode")
    #expect(calories["circular"]?.string == "fork.knife")
    #expect(try harness.content("quick-log", at: Self.noon)["foods"]?[0]?["name"]?.string == "Oats 3000")
    for kind in Self.kinds { #expect(try harness.content(kind, at: Self.noon)["showsNumbers"]?.bool == false) }
  }

  @Test("Without a session, the app's default goals are shown")
  func empty() throws {
    let harness = try FeedHarness()
    try harness.put("widget-data/a.json", NutritionFixtures.session())
    harness.remove("widget-data/a.json")
    // Without a session, an intent has no food to add.
    try harness.put("intents/a.json", NutritionFixtures.log())
    for kind in Self.kinds {
      #expect(try harness.state(kind, at: Self.noon) == "empty")
      #expect(try harness.timeline(kind, at: Self.noon).sources.count == 0)
    }
    #expect(
      try text(harness, "daily-progress") == #"{"calorieProgress":0,"calorieTarget":2000,"calories":0,"#
        + #""caloriesRemaining":2000,"lastUpdated":null,"macros":["#
        + #"{"grams":0,"name":"protein","progress":0,"target":150},{"grams":0,"name":"carbs","progress":0,"target":250},"#
        + #"{"grams":0,"name":"fat","progress":0,"target":65}],"#
        + #""showsNumbers":true,"symbol":"fork.knife","text":"Open app to sync","trackingMode":"full"}"#)
    #expect(
      try text(harness, "macro-breakdown") == #"{"macros":["#
        + #"{"calories":0,"grams":0,"name":"protein","progress":0,"remaining":150,"share":0,"target":150},"#
        + #"{"calories":0,"grams":0,"name":"carbs","progress":0,"remaining":250,"share":0,"target":250},"#
        + #"{"calories":0,"grams":0,"name":"fat","progress":0,"remaining":65,"share":0,"target":65}],"#
        + #""showsNumbers":true,"trackingMode":"full"}"#)
    #expect(
      try text(harness, "quick-log") == #"{"foods":[],"isEmpty":true,"message":"Add favorites to quick log","#
        + #""showsNumbers":true,"symbol":"star"}"#)
    #expect(
      try text(harness, "calories") == #"{"circular":"fork.knife","inline":"Sync required","progress":0,"#
        + #""rectangular":"Open app to sync","remaining":2000,"showsNumbers":true}"#)
    #expect(try harness.day("nutrition", "2026-11-21", now: Self.noon) == nil)
  }

  @Test("The session with the greatest date counts, then the greatest path")
  func selection() throws {
    let harness = try FeedHarness()
    func totals(_ calories: Int) -> String { #"{"calories":\#(calories),"protein":0,"carbs":0,"fat":0}"# }
    func shown() throws -> Double? { try harness.content("daily-progress", at: Self.noon)["calories"]?.double }
    try harness.put("nutrition/a.json", NutritionFixtures.session(updated: "816948000.002", totals: totals(1)))
    try harness.put("widgetData.json", NutritionFixtures.session(updated: "816948000.001", totals: totals(2)))
    #expect(try shown() == 1)
    try harness.put("nutrition/b.json", NutritionFixtures.session(updated: "816948000.002", totals: totals(3)))
    #expect(try shown() == 3)
    #expect(try harness.timeline("calories", at: Self.noon).sources.named == [CachePath("nutrition/b.json")])
    try harness.put("nutrition/b.json", NutritionFixtures.session(updated: "816948000", totals: totals(4)))
    #expect(try shown() == 1)
    harness.remove("nutrition/a.json")
    #expect(try shown() == 2)
  }

  @Test("All numbers stay finite, whatever a producer writes")
  func hugeNumbers() throws {
    let harness = try FeedHarness()
    let huge = #"{"calories":1e308,"protein":1e308,"carbs":1e308,"fat":1e308}"#
    let food = NutritionFixtures.food("oats", calories: 1e308, protein: 1e308, carbs: 1e308, fat: 1e308)
    try harness.put("nutrition/a.json", NutritionFixtures.session(totals: huge, foods: [food]))
    // Each sum is the nearest representable number, which is the maximum.
    let sum = Double.greatestFiniteMagnitude
    for (index, quantity) in ["1e308", "9", "0.5"].enumerated() {
      try harness.put("intents/\(index).json", NutritionFixtures.log(id: "\(index)", quantity: quantity))
      #expect(try harness.content("daily-progress", at: Self.noon)["calories"]?.double == sum, "\(quantity)")
      // Writing an infinite number or NaN traps.
      for kind in Self.kinds { #expect(try harness.content(kind, at: Self.noon).object?.isEmpty == false) }
    }
  }
}

import CacheSync
import CacheSyncSystem
import Testing

@Suite("Nutrients")
struct NutrientsTests {
  private static let now = HealthTests.now

  private func rows(_ harness: FeedHarness) throws -> [String] {
    (try harness.content("nutrients", at: Self.now)["nutrients"]?.array ?? []).map { row in
      let words = ["type", "name", "unit"].map { row[$0]?.string ?? "?" }
      let numbers = ["amount", "goal", "progress"].map { row[$0]?.double.map { "\($0)" } ?? "null" }
      return (words + numbers).joined(separator: ", ")
    }
  }

  /// By hand: 4.5 + 8 = 12.5 of 25 g is a half; 3,450 of 2,300 mg is 1.5; the sample of the 20th belongs to another
  /// day.
  @Test("Goals are shown first, then other samples of today, each in the order of the list; progress may exceed 1")
  func table() throws {
    let harness = try FeedHarness()
    try harness.put(
      "health/a.json",
      HealthTests.file(
        HealthTests.sample("water", "2026-11-21T09:00:00Z", 750),
        HealthTests.sample("fiber", "2026-11-21T07:00:00Z", 4.5),
        HealthTests.sample("vitaminB12", "2026-11-21T07:00:00Z", 2.4),
        HealthTests.sample("sodium", "2026-11-21T07:00:00Z", 3450),
        HealthTests.sample("zinc", "2026-11-20T07:00:00Z", 9),
        goals: #"{"nutrients":{"sodium":2300,"fiber":25,"iron":8}}"#))
    try harness.put("health/b.json", HealthTests.file(HealthTests.sample("fiber", "2026-11-21T12:00:00Z", 8)))
    #expect(
      try rows(harness) == [
        "fiber, Fiber, g, 12.5, 25.0, 0.5", "sodium, Sodium, mg, 3450.0, 2300.0, 1.5", "iron, Iron, mg, 0.0, 8.0, 0.0",
        "vitaminB12, Vitamin B12, µg, 2.4, null, null", "water, Water, ml, 750.0, null, null",
      ])
    #expect(try harness.content("nutrients", at: Self.now)["more"]?.int == 0)
    #expect(try harness.state("nutrients", at: Self.now) == "current")
    #expect(
      try harness.timeline("nutrients", at: Self.now).sources.named.map(\.description) == [
        "health/a.json", "health/b.json",
      ])
    // They count in the day index, and do not change the other kinds.
    #expect(try harness.day("health", "2026-11-21", now: Self.now)?["samples"]?.int == 5)
    for kind in HealthTests.kinds { #expect(try harness.state(kind, at: Self.now) == "empty") }
    try harness.expectConsistent("nutrients", at: Self.now)
  }

  @Test("The first eight are shown, and the rest is counted")
  func many() throws {
    let harness = try FeedHarness()
    let samples = Nutrient.all.map { HealthTests.sample($0.type.rawValue, "2026-11-21T07:00:00Z", 1) }
    try harness.put(
      "health/a.json", #"{"samples":[\#(samples.joined(separator: ","))],"goals":{"nutrients":{"water":2}}}"#)
    let content = try harness.content("nutrients", at: Self.now)
    #expect(
      content["nutrients"]?.array?.map { $0["type"]?.string } == [
        "water", "fiber", "sugar", "saturatedFat", "monounsaturatedFat", "polyunsaturatedFat", "cholesterol", "sodium",
      ])
    #expect(content["more"]?.int == 11)
  }

  @Test("A goal without a sample is a row of 0; without goals and samples the kind is empty")
  func goals() throws {
    let harness = try FeedHarness()
    try harness.put("health/a.json", #"{"goals":{"nutrients":{"calcium":1000}}}"#)
    #expect(try harness.state("nutrients", at: Self.now) == "current")
    #expect(try rows(harness) == ["calcium, Calcium, mg, 0.0, 1000.0, 0.0"])
    try harness.put("health/a.json", #"{"goals":{"adjustment":1}}"#)
    #expect(try harness.state("nutrients", at: Self.now) == "empty")
    let content = try harness.content("nutrients", at: Self.now)
    #expect(content["message"]?.string == "No health data" && content["nutrients"]?.array == [])
  }

  @Test("An unknown nutrient in the goals is left out with a warning, and an amount must be above 0")
  func decoding() throws {
    let feed = try #require(FeedRegistry.builtIn.feed(named: HealthFeed.name))
    func read(_ text: String) -> (goals: [HealthSession.SampleType: Double]?, problems: [String]) {
      Array(text.utf8).withUnsafeBytes { bytes in
        let path = CachePath("health/a.json")
        let decoded = feed.decode(bytes, at: path)
        return (
          (decoded.session as? HealthSession)?.goals?.nutrients, decoded.problems(at: path, in: bytes).map { $0.line() }
        )
      }
    }
    let (goals, warnings) = read(#"{"goals":{"nutrients":{"fibre":30,"iron":8,"dietaryCalories":2000}},"other":1}"#)
    #expect(goals == [.iron: 8])
    #expect(
      warnings == [
        "health/a.json:1:32: warning: unknown key 'fibre': this goal is left out [/goals/nutrients/fibre]",
        "health/a.json:1:62: warning: unknown key 'dietaryCalories': this goal is left out [/goals/nutrients/dietaryCalories]",
      ])
    let (others, warned) = read(#"{"goals":{"nutrients":{"iron":0,"zinc":1}}}"#)
    #expect(others == [.zinc: 1])
    #expect(
      warned == [
        "health/a.json:1:31: warning: expected a number above 0, found 0: iron counts as absent [/goals/nutrients/iron]"
      ])
  }

  @Test("A session without authorization has no samples or goals, and the content says why")
  func authorization() throws {
    let harness = try FeedHarness()
    let meal = HealthTests.meal
    try harness.put("health/a.json", #"{"authorized":false,"samples":[\#(meal)],"goals":{"nutrients":{"iron":8}}}"#)
    for kind in HealthTests.kinds + ["nutrients"] {
      #expect(try harness.state(kind, at: Self.now) == "empty")
      #expect(try harness.content(kind, at: Self.now)["message"]?.string == "No access to health data")
      #expect(try harness.timeline(kind, at: Self.now).sources.count == 0)
    }
    #expect(try harness.day("health", "2026-11-21", now: Self.now) == nil)
    try harness.put("health/b.json", HealthTests.file(meal))
    #expect(try harness.state("budget", at: Self.now) == "current")
    #expect(try harness.content("budget", at: Self.now)["message"] == nil)
    harness.remove("health/b.json")
    try harness.put("health/a.json", #"{"authorized":true,"samples":[\#(meal)]}"#)
    #expect(try harness.state("budget", at: Self.now) == "current")
    harness.remove("health/a.json")
    #expect(try harness.content("budget", at: Self.now)["message"]?.string == "No health data")
  }

  @Test("The picture has a row with a bar for each nutrient, four in the medium size")
  func picture() throws {
    let harness = try FeedHarness()
    try harness.put(
      "health/a.json",
      HealthTests.file(
        HealthTests.sample("water", "2026-11-21T09:00:00Z", 750),
        goals: #"{"nutrients":{"fiber":30,"iron":8,"zinc":9,"folate":400}}"#))
    let content = String(decoding: try harness.content("nutrients", at: Self.now).bytes, as: UTF8.self)
    let medium = try tree("nutrients", content, .systemMedium)
    #expect(medium.words == "Fiber · 0 / 30 g · Iron · 0 / 8 mg · Zinc · 0 / 9 mg · Folate · 0 / 400 µg")
    #expect(medium.all.first { $0.room.more != nil }?.room.more == 1)
    #expect(try tree("nutrients", content, .systemLarge).words.hasSuffix("Folate · 0 / 400 µg · Water · 750 ml"))
  }
}

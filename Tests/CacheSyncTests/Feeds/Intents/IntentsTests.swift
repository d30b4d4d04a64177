import CacheSync
import CacheSyncSystem
import Testing

@Suite("The effect of intents")
struct IntentsTests {
  static let noon = "2026-11-21T12:00:00Z"

  static func shoe(_ id: String, at: String, type: String = "end-session") -> String {
    #"{"id":"\#(id)","type":"\#(type)","at":"\#(at)","shoeId":"s"}"#
  }

  static func ids(_ harness: FeedHarness, at moment: String = noon, newest: String? = nil) throws -> [String] {
    let feed = try #require(harness.feeds[IntentsFeed.self])
    let newest = try newest.map { try harness.instant($0) }
    return feed.inForce(for: "shoes", at: try harness.instant(moment), newest: newest).map(\.intent.id)
  }

  @Test("Intents act in the order of their dates, then of their ids by bytes")
  func order() throws {
    let harness = try FeedHarness()
    // The last two look the same but are different ids.
    for (index, id) in ["b", "a", "Z", "é", "e\u{301}"].enumerated() {
      try harness.put("intents/\(index).json", Self.shoe(id, at: "2026-11-21T10:00:00Z"))
    }
    try harness.put("intents/x.json", Self.shoe("late", at: "2027-01-01T00:00:00Z"))
    try harness.put("intents/y.json", Self.shoe("early", at: "2026-11-21T09:00:00.001Z"))
    try harness.put("intents/food.json", NutritionFixtures.log(id: "food"))
    let expected = ["early", "Z", "a", "b", "e\u{301}", "é", "late"]
    let found = try Self.ids(harness)
    #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test(
    "An intent is in effect until 168 hours after its date, or until a newer session",
    arguments: [
      ("2026-11-21T12:00:00Z", nil, true), ("2026-11-28T10:59:59Z", nil, true), ("2026-11-28T11:00:00Z", nil, false),
      ("2026-11-21T12:00:00Z", "2026-11-21T11:00:00Z", true),
      ("2026-11-21T12:00:00Z", "2026-11-21T11:00:00.001Z", false),
      ("2026-11-01T12:00:00Z", nil, true),  // in the future, at once
    ])
  func force(moment: String, newest: String?, expected: Bool) throws {
    let harness = try FeedHarness()
    try harness.put("intents/a.json", Self.shoe("a", at: "2026-11-21T11:00:00Z"))
    #expect(try Self.ids(harness, at: moment, newest: newest).isEmpty == !expected)
  }

  @Test("If several intents have the same id, the earliest counts, whatever its type, then the least path")
  func sameID() throws {
    let harness = try FeedHarness()
    func paths() throws -> [String] {
      let feed = try #require(harness.feeds[IntentsFeed.self])
      let moment = try harness.instant(Self.noon)
      return ["shoes", "nutrition", "tasks"].flatMap { feed.inForce(for: FeedName($0), at: moment, newest: nil) }
        .map(\.path.description)
    }
    try harness.put("intents/b.json", Self.shoe("i", at: "2026-11-21T10:00:00Z"))
    try harness.put("intents/c.json", Self.shoe("i", at: "2026-11-21T10:00:00Z"))
    #expect(try paths() == ["intents/b.json"])
    try harness.put("intents/a.json", NutritionFixtures.log(id: "i", at: "2026-11-21T10:00:00Z"))
    #expect(try paths() == ["intents/a.json"])
    try harness.put("intents/d.json", Self.shoe("i", at: "2026-11-21T09:00:00Z"))
    #expect(try paths() == ["intents/d.json"])
    try harness.put("intents/d.json", Self.shoe("other", at: "2026-11-21T09:00:00Z"))
    #expect(try paths() == ["intents/d.json", "intents/a.json"])
    harness.remove("intents/a.json")
    harness.remove("intents/a.json")
    #expect(try paths() == ["intents/d.json", "intents/b.json"])
    // The first has ended, but it is still the one that counts.
    try harness.put("intents/a.json", Self.shoe("i", at: "2026-11-14T11:00:00Z"))
    #expect(try paths() == ["intents/d.json"])
  }

  @Test("Intents report when they end, and which files may be removed")
  func ends() throws {
    let harness = try FeedHarness()
    for (id, at) in [("a", "2026-11-14T12:00:00Z"), ("b", "2026-11-15T12:00:00Z"), ("c", "2026-11-16T12:00:00Z")] {
      try harness.put("intents/\(id).json", Self.shoe(id, at: at))
    }
    try harness.put("intents/0.json", Self.shoe("b2", at: "2026-11-15T12:00:00Z"))
    let feed = try #require(harness.feeds[IntentsFeed.self])
    func ends(_ newest: String? = nil, _ from: String, _ to: String) throws -> [String] {
      let range = try harness.instant(from)..<harness.instant(to)
      let newest = try newest.map { try harness.instant($0) }
      return feed.ends(for: "shoes", newest: newest, in: range).map(\.date.description)
    }
    let three = ["2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z"]
    // Two end at the same moment, for different reasons.
    #expect(
      try ends("2026-01-01T00:00:00Z", three[0], "2026-12-01T00:00:00Z") == [three[0], three[1], three[1], three[2]])
    #expect(try ends(nil, "2026-11-21T12:00:01Z", three[2]) == [three[1], three[1]])
    #expect(try ends("2026-11-15T12:00:01Z", three[0], "2026-12-01T00:00:00Z") == [three[2]])
    #expect(try feed.nextProblemChange(after: harness.instant(three[0]))?.description == three[1])
    #expect(try feed.nextProblemChange(after: harness.instant(three[2])) == nil)

    func removable(_ moment: String) throws -> [String] {
      feed.removable(at: try harness.moment(moment)).map(\.description)
    }
    #expect(try removable("2026-11-21T11:59:59Z") == [])
    #expect(try removable(three[0]) == ["intents/a.json"])
    #expect(try removable(three[1]) == ["intents/0.json", "intents/a.json", "intents/b.json"])
    feed.mark(CachePath("intents/a.json"), unusable: true)
    #expect(try removable(three[1]) == ["intents/0.json", "intents/b.json"])
  }

  @Test("An intent with an unknown food is a problem until it is absorbed or ends")
  func problems() throws {
    let harness = try FeedHarness()
    func problems(_ moment: String = Self.noon) throws -> [Problem] {
      let feed = try #require(harness.feeds[IntentsFeed.self])
      return feed.currentProblems(at: try harness.moment(moment), feeds: harness.feeds)
    }
    let rest = NutritionFixtures.log(id: "b").dropFirst().replacing(#","foodId":"oats""#, with: "")
    try harness.put("intents/b.json", "{\n  \"foodId\": \"n\\u0000/o\",\n" + rest)
    try harness.put("intents/a.json", NutritionFixtures.log("nobody", id: "a"))
    try harness.put("intents/good.json", NutritionFixtures.log(id: "good"))
    #expect(try problems().isEmpty)  // the feed has no session
    try harness.put("nutrition/a.json", NutritionFixtures.session())
    let found = try problems()
    #expect(found.map(\.path?.description) == ["intents/a.json", "intents/b.json"])
    #expect(found.map(\.line) == [1, 2] && found.map(\.column) == [66, 13])
    #expect(found.map(\.pointer) == ["/foodId", "/foodId"])
    #expect(found.map(\.message) == [#"unknown food "nobody""#, #"unknown food "n\u{0}/o""#])
    #expect(found.map(\.scope) == ["nutrition", "nutrition"])
    #expect(try problems("2026-11-28T10:59:59Z").count == 2)
    #expect(try problems("2026-11-28T11:00:00Z").isEmpty)
    harness.feeds[IntentsFeed.self]?.mark(CachePath("intents/b.json"), unusable: true)
    #expect(try problems().count == 1)
    try harness.put("nutrition/b.json", NutritionFixtures.session(updated: #""2026-11-21T11:00:01Z""#))
    #expect(try problems().isEmpty)  // absorbed
    harness.remove("nutrition/b.json")
    try harness.put("nutrition/a.json", NutritionFixtures.session(foods: [NutritionFixtures.food("nobody")]))
    #expect(try problems().map(\.path?.description) == ["intents/good.json"])
    harness.remove("nutrition/a.json")
    #expect(try problems().isEmpty)
  }
}

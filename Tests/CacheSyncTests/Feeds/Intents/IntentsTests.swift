import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

@Suite("The effect of intents")
struct IntentsTests {
  static let noon = "2026-11-21T12:00:00Z"

  static func shoe(_ id: String, at: String, type: String = "end-session") -> String {
    #"{"id":"\#(id)","type":"\#(type)","at":"\#(at)","shoeId":"s"}"#
  }

  static func ids(_ harness: FeedHarness, at moment: String = noon, newest: String? = nil) throws -> [String] {
    let feed = try #require(harness.feeds[IntentsFeed.self])
    let newest = try newest.map { try harness.instant($0) }
    return feed.counting(for: "shoes", at: try harness.instant(moment), newest: newest).inForce.map(\.intent.id)
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
      return ["shoes", "nutrition", "tasks"].flatMap {
        feed.counting(for: FeedName($0), at: moment, newest: nil).inForce
      }
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
    func ends(_ from: String, _ to: String) throws -> [String] {
      let range = try harness.instant(from)..<harness.instant(to)
      return harness.feeds.intentEnds(on: ShoesFeed.self, in: range).map(\.date.description)
    }
    let three = ["2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z"]
    // Two end at the same moment, for different reasons.
    #expect(try ends(three[0], "2026-12-01T00:00:00Z") == [three[0], three[1], three[1], three[2]])
    #expect(try ends("2026-11-21T12:00:01Z", three[2]) == [three[1], three[1]])
    try harness.put("shoes/a.json", #"{"shoes":[],"sessions":[],"lastUpdated":"2026-11-15T12:00:01Z"}"#)
    #expect(try ends(three[0], "2026-12-01T00:00:00Z") == [three[2]])
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

  @Test("Of more than 200 intents in force for a feed the oldest are over, which one problem says")
  func bound() throws {
    let harness = try FeedHarness()
    try harness.put("tasks/a.json", #"{"tasks":[],"lastUpdate":"2026-01-01T00:00:00Z"}"#)
    func put(_ number: Int) throws {
      let at = Instant(seconds: 1_795_000_000 + Int64(number))  // 2026-11-18T10:26:40Z and later
      let (type, fields) =
        number.isMultiple(of: 2) ? ("add-task", #","title":"t","dueDate":null"#) : ("end-session", "")
      let name = number.isMultiple(of: 2) ? "task" : "shoe"
      try harness.put(
        "intents/\(name)\(number).json", #"{"id":"\#(number)","type":"\#(type)","at":"\#(at)"\#(fields)}"#)
    }
    func problems() throws -> [Problem] {
      let feed = try #require(harness.feeds[IntentsFeed.self])
      return feed.currentProblems(at: try harness.moment(Self.noon), feeds: harness.feeds)
    }
    func count() throws -> Int? {
      try harness.content("task-count", at: Self.noon)["count"]?.int
    }
    // Two hundred of each of two feeds.
    for number in 0..<400 { try put(number) }
    #expect(try count() == 200 && problems().isEmpty)
    try put(400)
    let message = "more than 200 intents on tasks are in force: this one is over"
    #expect(try count() == 200)
    #expect(try problems().map(\.message) == [message])
    #expect(try problems().map(\.path?.description) == ["intents/task0.json"])
    #expect(try problems().map(\.scope) == ["tasks"])
    try put(402)
    let two = "more than 200 intents on tasks are in force: this one and 1 before it are over"
    #expect(try problems().map(\.message) == [two])
    #expect(try problems().map(\.path?.description) == ["intents/task2.json"])
    // An intent on a task that only an intent adds which is over has no effect, like one on an unknown task.
    try harness.put(
      "intents/done.json",
      #"{"id":"d","type":"complete-task","at":"\#(Self.noon)","taskId":"intent:0"}"#)
    #expect(try problems().map(\.message).contains { $0.hasPrefix("unknown task") })
    for path in ["intents/done.json", "intents/task400.json", "intents/task402.json"] { harness.remove(path) }
    #expect(try count() == 200 && problems().isEmpty)
  }

  @Test("Added tasks beyond 200 are a problem also where they are all the tasks that there are")
  func boundWithoutSession() throws {
    let harness = try FeedHarness()
    for number in 0..<201 {
      let at = Instant(seconds: 1_795_000_000 + Int64(number))
      try harness.put("intents/\(number).json", #"{"id":"\#(number)","type":"add-task","at":"\#(at)","title":"t"}"#)
    }
    let feed = try #require(harness.feeds[IntentsFeed.self])
    let problems = feed.currentProblems(at: try harness.moment(Self.noon), feeds: harness.feeds)
    #expect(problems.map(\.message) == ["more than 200 intents on tasks are in force: this one is over"])
    // The oldest is over, and each of the others is found by its id.
    let moment = try harness.instant(Self.noon)
    #expect(harness.feeds.intent("0", on: TasksFeed.self, at: moment) == nil)
    #expect(harness.feeds.intent("1", on: TasksFeed.self, at: moment) != nil)
    #expect(harness.feeds.intent("200", on: TasksFeed.self, at: moment) != nil)
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

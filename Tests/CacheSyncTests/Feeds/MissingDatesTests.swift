import CacheSync
import CacheSyncSystem
import Testing

/// contract.md section 2: dates that mean none.
@Suite("Dates that mean that there is none")
struct MissingDatesTests {
  private static let none = [
    #""""#, #""0000-00-00""#, #""0000-00-00T00:00:00""#, #""0001-01-01T00:00:00Z""#, #""0001-01-01T00:00:00""#,
    #""0001-01-01""#, #""1900-01-01""#, #""1900-01-01T00:00:00+01:00""#, #""9999-12-31""#, #""9999-12-31T23:59:59Z""#,
    #""2900-01-01T00:00:00Z""#, "-63114076800", "-978307200", #""1970-01-01T00:00:00Z""#, #""1970-01-01""#,
  ]

  @Test("of a task, which is then due today", arguments: none)
  func due(date: String) throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    #expect(try harness.put("tasks/a.json", "[" + taskJSON("1", due: date) + "]") == [])
    let content = try harness.content("todays-tasks", at: "2026-11-24T10:00:00Z")
    #expect(content["count"]?.int == 1 && content["overdueCount"]?.int == 0)
    #expect(content["tasks"]?[0]?["dueDate"] == .null)
  }

  @Test("of a completion, which is then dated by the creation", arguments: none)
  func completed(date: String) throws {
    let harness = try FeedHarness(zone: "UTC")
    let task = taskJSON("1", completed: true, created: #""2026-11-24T08:00:00Z""#, completedAt: date)
    #expect(try harness.put("tasks/a.json", "[\(task)]") == [])
    #expect(try harness.content("completed-today", at: "2026-11-24T10:00:00Z")["count"]?.int == 1)
  }

  @Test(
    "but not these",
    arguments: [
      #""1900-01-02""#, #""1999-12-31""#, #""1970-01-02T00:00:00Z""#, #""2899-12-31T00:00:00Z""#, "0", "-978307199",
    ])
  func dates(date: String) throws {
    let harness = try FeedHarness(zone: "UTC")
    try harness.put("tasks/a.json", "[" + taskJSON("1", due: date) + "]")
    let content = try harness.content("todays-tasks", at: "2900-01-01T00:00:00Z")
    #expect(content["overdueCount"]?.int == 1)
  }

  @Test("of the week of a meal plan, which is then that of its creation", arguments: none.dropLast(3))
  func week(date: String) throws {
    func content(_ member: String) throws -> JSONValue {
      let harness = try FeedHarness(zone: "UTC")
      let plan = #"[{"day_index":1,"meal_type":"dinner","meal_id":"m","meal_name":"Soup"}]"#
      let session =
        #"{"id":"s","plan":\#(plan),"is_finalized":true,"created_at":"2026-11-23T08:00:00Z","#
        + #""updated_at":"2026-11-23T08:00:00Z"\#(member)}"#
      #expect(try harness.put("meal-plan/a.json", session) == [])
      return try harness.content("meal-plan", at: "2026-11-24T10:00:00Z")
    }
    #expect(try content(#","week_start":\#(date)"#) == content(""))
  }

  @Test("of a stamp, for which the file's time then counts", arguments: [#""0001-01-01T00:00:00Z""#, "-63114076800"])
  func stamp(date: String) throws {
    let harness = try FeedHarness(zone: "UTC")
    let (old, new) = (taskJSON("1", "old"), taskJSON("1", "new"))
    try harness.put("tasks/a.json", #"{"tasks":[\#(new)],"lastUpdate":\#(date)}"#, modified: "2026-11-24T08:00:00Z")
    try harness.put("tasks/b.json", #"{"tasks":[\#(old)],"lastUpdate":"2020-01-01T00:00:00Z"}"#)
    #expect(try harness.content("todays-tasks", at: "2026-11-24T10:00:00Z")["tasks"]?[0]?["title"]?.string == "new")
    #expect(Self.warnings("tasks", #"{"tasks":[],"lastUpdate":\#(date)}"#).count == 1)
  }

  @Test("One warning a file counts them")
  func warning() throws {
    let tasks = [taskJSON("1", due: #""""#, completedAt: #""0000-00-00""#), taskJSON("2", due: #""9999-12-31""#)]
    #expect(
      Self.warnings("tasks", "[" + tasks.joined(separator: ",") + "]") == [
        #"3 dates mean that there is none, the first is """#
      ])
    #expect(
      Self.warnings("tasks", "[" + taskJSON("1", due: #""0001-01-01T00:00:00Z""#) + "]") == [
        #""0001-01-01T00:00:00Z" means that there is no date"#
      ])
    #expect(Self.warnings("tasks", "[" + taskJSON("1", due: #""soon""#) + "]").count == 1)
  }

  @Test("An event without a start is left out; an end that never comes stays, and one that means none gives no length")
  func events() throws {
    let harness = try FeedHarness(zone: "UTC")
    let start = #""2026-11-24T12:00:00Z""#
    func event(_ id: String, _ start: String, _ end: String) -> String {
      #"{"id":"\#(id)","title":"\#(id)","startTime":\#(start),"endTime":\#(end)}"#
    }
    let text =
      "["
      + [
        event("none", #""0001-01-01T00:00:00Z""#, start), event("open", start, #""9999-12-31T00:00:00Z""#),
        event("day", start, #""9999-12-31""#), event("short", start, #""0001-01-01T00:00:00Z""#),
        event("broken", start, #""later""#), event("before", start, #""2026-11-24T11:00:00Z""#),
        event("missing", start, "null"),
      ].joined(separator: ",") + "]"
    #expect(try harness.put("events/a.json", text) == [])
    let content = try harness.content("calendar", at: "2026-11-24T10:00:00Z")
    let ends = (content["events"]?.array ?? []).map { "\($0["id"]?.string ?? "") \($0["endTime"]?.string ?? "")" }
    #expect(content["more"]?.int == 1)
    let length = "2026-11-24T12:00:00Z"
    #expect(
      ends == [
        "before \(length)", "broken \(length)", "missing \(length)", "short \(length)", "day 9999-12-31T00:00:00Z",
      ])
    #expect(
      Self.warnings("events", text) == [
        #""none": "0001-01-01T00:00:00Z" means that there is no date: this event is left out"#,
        #""0001-01-01T00:00:00Z" means that there is no date"#,
        #""broken": expected a date with an offset, such as 2026-11-21T09:30:00Z, found "later": endTime counts as absent"#,
        #""before": the event ends before it starts: it has no length"#,
      ])
  }

  private static func warnings(_ feed: FeedName, _ text: String) -> [String] {
    let feed = FeedRegistry.builtIn.feed(named: feed)
    return Array(text.utf8).withUnsafeBytes { feed?.decode($0, at: CachePath("a.json")).warnings.map(\.message) ?? [] }
  }
}

import CacheSyncSystem
import Testing

import CacheSync

/// "Records with the same id are versions of one thing only if they also have the same second mark" (feeds.md: several
/// files).
@Suite("One id, two things")
struct SharedIDsTests {
  private static let noon = "2026-11-24T12:00:00Z"

  private static func titles(_ harness: FeedHarness) throws -> [String] {
    let content = try harness.content("todays-tasks", at: noon)
    return (content["tasks"]?.array ?? []).map {
      "\($0["title"]?.string ?? "")\($0["file"]?.string.map { "@" + $0 } ?? "")"
    }
  }

  @Test(
    "Tasks of two files are one thing if they were created in the same second, or have one title and no such moment",
    arguments: [
      (#""2026-11-01T08:00:05Z""#, #""2026-11-01T09:00:05.7+01:00""#, "B", true),
      (#""2026-11-01T08:00:05Z""#, #""2026-11-01T08:00:06Z""#, "A", false),
      ("null", "null", "A", true), ("null", "null", "B", false),
      // Midnights of UTC and of Berlin say nothing.
      (#""2026-11-01T00:00:00Z""#, #""2026-11-02T00:00:00Z""#, "A", true),
      (#""2026-11-01T00:00:00Z""#, #""2026-11-01T00:00:00Z""#, "B", false),
      (#""2026-10-31T23:00:00Z""#, "null", "A", true), (#""2026-10-31T23:00:00Z""#, "null", "B", false),
      (#""2026-11-01T08:00:05Z""#, "null", "A", false),
    ])
  func tasks(first: String, second: String, title: String, isOne: Bool) throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put("tasks/a.json", #"{"tasks":[\#(taskJSON("1", "A", created: first))],"lastUpdate":1}"#)
    try harness.put("tasks/b.json", #"{"tasks":[\#(taskJSON(#""1""#, title, created: second))],"lastUpdate":2}"#)
    #expect(try Self.titles(harness) == (isOne ? [title] : ["A@tasks/a.json", "\(title)@tasks/b.json"]))
    harness.remove("tasks/b.json")
    #expect(try Self.titles(harness) == ["A"])
  }

  @Test("The zone of the cache decides which midnights say nothing, also after it changes")
  func zone() throws {
    var harness = try FeedHarness(zone: "Europe/Berlin")
    let midnight = #""2026-10-31T23:00:00Z""#
    try harness.put("tasks/a.json", "[" + taskJSON("1", "A", created: midnight) + "]")
    try harness.put("tasks/b.json", "[" + taskJSON("1", "B", created: midnight) + "]")
    #expect(try Self.titles(harness).count == 2)
    harness.calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "America/New_York"))
    harness.feeds.rebuild(in: harness.calendar)
    #expect(try Self.titles(harness) == ["B"])
  }

  @Test("Each file has a warning at its first such record, which names the others")
  func warnings() throws {
    let harness = try FeedHarness()
    try harness.put(
      "tasks/a.json",
      "[" + [taskJSON("9", "x"), "\n" + taskJSON("1", "A"), taskJSON("2", "C")].joined(separator: ",") + "]")
    try harness.put(
      "tasks/b.json",
      #"{"tasks":["# + [taskJSON("2", "D", created: "5.5"), taskJSON("1", "B", created: "4.5")].joined(separator: ",")
        + "]}")
    let lines = harness.feeds.all.flatMap {
      $0.currentProblems(at: try! harness.moment(Self.noon), feeds: harness.feeds)
    }
    .map { $0.line() }
    #expect(
      lines == [
        "tasks/a.json:2:1: warning: 2 ids are also in tasks/b.json, for other tasks: both are shown [/1]",
        "tasks/b.json:1:11: warning: 2 ids are also in tasks/a.json, for other tasks: both are shown [/tasks/0]",
      ])
  }

  @Test("An intent on a shared id needs the file; without it, it is a problem that names the files")
  func intents() throws {
    let harness = try FeedHarness()
    let old = "2026-11-01T00:00:00Z"
    try harness.put("tasks/a.json", "[" + taskJSON("1", "A", created: "4.5") + "]", modified: old)
    try harness.put("tasks/b.json", "[" + taskJSON("1", "B", created: "5.5") + "]", modified: old)
    func intent(_ file: String) -> String {
      #"{"id":"i","type":"complete-task","at":"2026-11-24T09:00:00Z","taskId":1\#(file)}"#
    }
    try harness.put("intents/i.json", intent(""))
    #expect(try Self.titles(harness).count == 2)
    let problems = try #require(harness.feeds[IntentsFeed.self]).currentProblems(
      at: try harness.moment(Self.noon), feeds: harness.feeds)
    #expect(
      problems.map(\.message) == [
        #"several tasks have the id "1": say which with "file", one of tasks/a.json, tasks/b.json"#
      ])
    try harness.put("intents/i.json", intent(#","file":"tasks/b.json""#))
    #expect(try Self.titles(harness) == ["A@tasks/a.json"])
    #expect(try harness.content("completed-today", at: Self.noon)["count"]?.int == 1)
    try harness.put("intents/i.json", intent(#","file":"tasks/elsewhere.json""#))
    #expect(try Self.titles(harness).count == 2)
    // Files move: where the id is not shared, the file does not matter.
    harness.remove("tasks/a.json")
    #expect(try Self.titles(harness) == [])
  }

  @Test("A version in an archive names the task as well")
  func archive() throws {
    let harness = try FeedHarness()
    let old = "2026-11-01T00:00:00Z"
    try harness.put(
      "tasks/archive.json", "[" + taskJSON("1", "Old name", created: "4.5") + "]", modified: "2026-10-01T00:00:00Z")
    try harness.put("tasks/now.json", "[" + taskJSON("1", "A", created: "4.5") + "]", modified: old)
    try harness.put("tasks/other.json", "[" + taskJSON("1", "B", created: "5.5") + "]", modified: old)
    try harness.put(
      "intents/i.json",
      #"{"id":"i","type":"complete-task","at":"2026-11-24T09:00:00Z","taskId":1,"file":"tasks/archive.json"}"#)
    #expect(try Self.titles(harness) == ["B@tasks/other.json"])
  }

  @Test("A widget of some files tells ids apart as the whole cache does")
  func widget() throws {
    let harness = try FeedHarness()
    let plain = try #require(FeedRegistry.builtIn.kind(named: "todays-tasks"))
    let options = TextMap(plain.options.map { ($0.name, $0.standard) })
    var widget = WidgetConfiguration(name: "mine", kind: "todays-tasks", options: options)
    widget.from = CachePath("tasks/home")
    _ = harness.feeds.adopt(FeedRegistry.builtIn.adding([widget]), forgetting: [])
    let old = "2026-11-01T00:00:00Z"
    try harness.put("tasks/home/a.json", "[" + taskJSON("1", "A", created: "4.5") + "]", modified: old)
    try harness.put("tasks/work/b.json", "[" + taskJSON("1", "B", created: "5.5") + "]", modified: old)
    func shown() throws -> [String] {
      (try harness.content("mine", at: Self.noon)["tasks"]?.array ?? []).map {
        "\($0["title"]?.string ?? "") \($0["file"]?.string ?? "")"
      }
    }
    func complete(_ file: String) throws {
      try harness.put(
        "intents/i.json",
        #"{"id":"i","type":"complete-task","at":"2026-11-24T09:00:00Z","taskId":1,"file":"\#(file)"}"#)
    }
    try complete("tasks/work/b.json")
    #expect(try shown() == ["A tasks/home/a.json"])
    try complete("tasks/home/a.json")
    #expect(try shown() == [])
  }

  @Test("Events with one id and other titles are shown side by side, with their files")
  func events() throws {
    let harness = try FeedHarness()
    func event(_ title: String, _ start: String) -> String {
      #"[{"id":"e","title":"\#(title)","startTime":"\#(start)","endTime":null}]"#
    }
    try harness.put("events/a.json", event("A", "2026-11-24T13:00:00Z"))
    try harness.put("events/b.json", event("B", "2026-11-24T14:00:00Z"))
    // A later version of the first.
    try harness.put("events/c.json", event("A", "2026-11-24T15:00:00Z"), modified: "2026-01-02T00:00:00Z")
    let content = try harness.content("calendar", at: Self.noon)
    let shown = (content["events"]?.array ?? []).map { "\($0["title"]?.string ?? "") \($0["file"]?.string ?? "")" }
    #expect(shown == ["B events/b.json", "A events/c.json"])
    #expect(try harness.day("events", "2026-11-24", now: Self.noon)?["ids"]?.array?.count == 2)
  }

  @Test("A session's shoe is the one of its own file")
  func shoes() throws {
    let harness = try FeedHarness()
    func file(_ name: String, start: String, updated: Int) -> String {
      """
      {"shoes":[{"id":"1","name":"\(name)"}],
      "sessions":[{"id":"x","shoeId":1,"start":"\(start)","steps":10,"distance":1}],"lastUpdated":\(updated)}
      """
    }
    try harness.put("shoes/a.json", file("Alpha", start: "2026-11-24T11:00:00Z", updated: 5))
    try harness.put("shoes/b.json", file("Beta", start: "2026-11-24T10:00:00Z", updated: 9))
    let content = try harness.content("quick-selection", at: Self.noon)
    #expect(
      content["currentShoe"]?["name"]?.string == "Alpha" && content["currentShoe"]?["file"]?.string == "shoes/a.json")
    let top = (content["top"]?.array ?? []).map { "\($0["name"]?.string ?? "") \($0["isActive"]?.bool ?? false)" }
    #expect(top == ["Alpha true", "Beta false"])
    try harness.put(
      "intents/i.json",
      #"{"id":"i","type":"select-shoe","at":"2026-11-24T11:30:00Z","shoeId":"1","file":"shoes/b.json"}"#)
    #expect(try harness.content("quick-selection", at: Self.noon)["currentShoe"]?["name"]?.string == "Beta")
  }

  @Test("In one file the later record counts, with a warning at the other")
  func oneFile() throws {
    let feed = try #require(FeedRegistry.builtIn.feed(named: "tasks"))
    let text = "[" + [taskJSON("1", "A"), taskJSON("2", "B"), taskJSON(#""1""#, "C")].joined(separator: ",") + "]"
    let decoded = Array(text.utf8).withUnsafeBytes { feed.decode($0, at: CachePath("tasks/a.json")) }
    #expect(decoded.warnings.map(\.message) == [#""A": a later task has the same id "1": this task is left out"#])
    #expect(decoded.warnings.map(\.offset) == [1])
  }
}

import CacheSync
import CacheSyncSystem
import Testing

private let noon = "2026-11-21T12:00:00Z"

@Suite("Files of tasks")
struct TasksFilesTests {
  @Test(
    "A missing or mistyped field is a problem: an error if no task is left, and a warning if it may be missing",
    arguments: [
      ("", "/0", "an object"),
      (#""title":"T","completed":false,"createdAt":0"#, "/0/id", "missing field 'id'"),
      (#""id":1,"completed":false,"createdAt":0"#, "/0/title", "missing field 'title'"),
      (#""id":1,"title":"T","createdAt":0"#, "/0/completed", "missing field 'completed'"),
      (#""id":1.5,"title":"T","completed":false,"createdAt":0"#, "/0/id", "whole number"),
      (#""id":null,"title":"T","completed":false,"createdAt":0"#, "/0/id", "a string"),
      (#""id":1,"title":null,"completed":false,"createdAt":0"#, "/0/title", "a string"),
      (#""id":1,"title":"T","completed":0,"createdAt":0"#, "/0/completed", "true or false"),
      (#""id":1,"title":"T","completed":false,"createdAt":"2026-11-21""#, "/0/createdAt", "a date"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"description":7"#, "/0/description", "a string"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"dueDate":"soon""#, "/0/dueDate", "a day"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"completedAt":"2026-11-21""#, "/0/completedAt", "a date"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"labels":{}"#, "/0/labels", "an array"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"labels":[{"name":"a"}]"#, "/0/labels/0/id", "missing"),
      (#""id":1,"title":"T","completed":false,"createdAt":0,"labels":[{"id":1}]"#, "/0/labels/0/name", "missing"),
      (
        #""id":1,"title":"T","completed":false,"createdAt":0,"labels":[{"id":1,"name":2}]"#, "/0/labels/0/name",
        "a string"
      ),
      (
        #""id":1,"title":"T","completed":false,"createdAt":0,"labels":[{"id":true,"name":"a"}]"#, "/0/labels/0/id",
        "a string"
      ),
      (
        #""id":1,"title":"T","completed":false,"createdAt":0,"labels":[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c","color":1}]"#,
        "/0/labels/2/color", "a string"
      ),
      (#""id":1,"id":2,"title":"T","completed":false,"createdAt":0"#, "/0/id", "duplicate key 'id'"),
    ])
  func defects(members: String, pointer: String, message: String) throws {
    let harness = try FeedHarness()
    let text = members.isEmpty ? "[7]" : "[{\(members)}]"
    let isWarning = pointer.contains(/createdAt|description|dueDate|completedAt|labels/)
    try harness.put("tasks/a.json", text)
    let feed = try #require(FeedRegistry.builtIn.feed(named: "tasks"))
    let problems = Array(text.utf8).withUnsafeBytes { feed.problems(of: $0, at: CachePath("tasks/a.json")) }
    #expect(problems.map(\.pointer) == [pointer] && problems.map(\.severity) == [isWarning ? .warning : .error])
    #expect(problems[0].message.contains(message), "\(problems[0].message)")
    #expect(try harness.state("task-count", at: noon) == (isWarning ? "current" : "empty"))
  }

  @Test(
    "Both forms of a file are accepted, and no other",
    arguments: [
      ("[]", nil), (#"{"tasks":[]}"#, nil), (#"{"tasks":[],"lastUpdate":0,"more":{"a":[1e999]}}"#, nil),
      (#"{"lastUpdate":0}"#, "missing field 'tasks'"), (#"{"tasks":null}"#, "an array"),
      (#"{"tasks":[],"lastUpdate":[]}"#, nil), (#"{"tasks":[],"lastUpdate":"2026-11-21"}"#, nil),
      ("7", "an array of tasks or an object"), ("null", "an array of tasks or an object"), ("", "end of document"),
    ] as [(String, String?)])
  func forms(text: String, message: String?) throws {
    let defects = try FeedHarness().put("tasks/a.json", text)
    #expect(defects.count == (message == nil ? 0 : 1))
    if let message { #expect(defects.first?.message.contains(message) == true) }
    let checked = Array(text.utf8).withUnsafeBytes { TasksFeed.check($0) }
    #expect(checked == defects)
  }

  @Test("Unknown fields are ignored, and null counts as missing in optional fields")
  func lenient() throws {
    let harness = try FeedHarness()
    let defects = try harness.put(
      "tasks/a.json",
      #"""
      {"tasks":[{"id":2.0,"title":"T","description":null,"completed":false,"dueDate":null,"createdAt":817000000,
      "completedAt":null,"priority":{"deep":[1,2]},"labels":[{"id":1,"name":"n","color":null,"x":0}]}],"version":3}
      """#)
    #expect(defects.isEmpty)
    let task = try harness.content("todays-tasks", at: noon)["tasks"]?[0]
    #expect(task?["id"] == .integer(2) && task?["dueDate"] == .null)
  }

  @Test(
    "A record comes from the latest file, then the greatest path, and in one file the later one counts",
    arguments: [
      // (lastUpdate of a, of b; modified a, b; expected)
      ("2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "a2"),
      ("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "b"),
      (nil, "2026-11-19T00:00:00Z", "2026-11-19T00:00:01Z", "2026-12-01T00:00:00Z", "a2"),
      (nil, "2026-11-19T00:00:00Z", "2026-11-18T00:00:00Z", "2026-12-01T00:00:00Z", "b"),
      (nil, nil, "2026-11-18T00:00:00.001Z", "2026-11-18T00:00:00Z", "a2"),
      (nil, nil, "2026-11-18T00:00:00Z", "2026-11-18T00:00:00Z", "b"),
    ] as [(String?, String?, String, String, String)])
  func union(updateA: String?, updateB: String?, modifiedA: String, modifiedB: String, expected: String) throws {
    func file(_ tasks: String, _ update: String?) -> String {
      update.map { #"{"lastUpdate":"\#($0)","tasks":[\#(tasks)]}"# } ?? "[\(tasks)]"
    }
    let (a, b) = (file(taskJSON("3", "a1") + "," + taskJSON("\"3\"", "a2"), updateA), file(taskJSON("3", "b"), updateB))
    for bFirst in [true, false] {
      let harness = try FeedHarness()
      if bFirst { try harness.put("tasks/b.json", b, modified: modifiedB) }
      try harness.put("tasks/a.json", a, modified: modifiedA)
      if !bFirst { try harness.put("tasks/b.json", b, modified: modifiedB) }
      let content = try harness.content("todays-tasks", at: noon)
      #expect(content["count"]?.int == 1 && content["rectangular"]?.string == expected)
      // As the file that counts wrote it.
      #expect(content["tasks"]?[0]?["id"] == (expected == "b" ? .integer(3) : .string("3")))
      harness.remove(expected == "b" ? "tasks/b.json" : "tasks/a.json")
      #expect(try harness.content("todays-tasks", at: noon)["rectangular"]?.string == (expected == "b" ? "a2" : "b"))
    }
  }

  @Test("The state is stale while a file is unusable or the newest is old, and every file is named as a source")
  func states() throws {
    let harness = try FeedHarness(staleAfter: .seconds(24 * 3600))
    // A bare array has no date of its own, and never goes stale by age.
    try harness.put("tasks/a.json", "[\(taskJSON("1"))]", modified: "2020-01-01T00:00:00Z")
    #expect(try harness.state("task-count", at: noon) == "current")
    try harness.put("tasks/b.json", #"{"tasks":[],"lastUpdate":"2026-11-20T18:00:00.5Z"}"#)
    let timeline = try harness.timeline("task-count", at: noon)
    #expect(timeline.entries[0].state == .current)
    #expect(timeline.entries[1].date.description == "2026-11-21T18:00:00Z" && timeline.entries[1].state == .stale)
    #expect(timeline.sources.count == 2)
    #expect(timeline.sources.named == [CachePath("tasks/a.json"), CachePath("tasks/b.json")])
    try harness.put("tasks/c.json", "[]", unusable: true)
    #expect(try harness.state("completed-today", at: noon) == "stale")
    harness.feeds["tasks"]?.mark(CachePath("tasks/c.json"), unusable: false)
    #expect(try harness.state("completed-today", at: noon) == "current")
    harness.feeds["tasks"]?.mark(CachePath("tasks/a.json"), unusable: true)
    #expect(try harness.state("todays-tasks", at: noon) == "stale")
    harness.remove("tasks/a.json")
    #expect(try harness.state("todays-tasks", at: noon) == "current")
  }
}

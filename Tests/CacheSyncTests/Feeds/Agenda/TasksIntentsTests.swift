import CacheSync
import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

private let noon = "2026-11-21T12:00:00Z"

/// The effect of intents on tasks. Which intents count and when they end is tested in `IntentsTests`.
@Suite("Intents on tasks")
struct TasksIntentsTests {
  private func add(_ id: String, _ title: String, at: String = "2026-11-21T08:00:00Z", due: String? = nil) -> String {
    let due = due.map { #","dueDate":"\#($0)""# } ?? ""
    return #"{"id":"\#(id)","type":"add-task","at":"\#(at)","title":"\#(title)"\#(due)}"#
  }

  private func complete(_ id: String, _ task: String, at: String = "2026-11-21T09:00:00Z") -> String {
    #"{"id":"\#(id)","type":"complete-task","at":"\#(at)","taskId":\#(task)}"#
  }

  @Test("An added task alone makes the kinds current")
  func adding() throws {
    let harness = try FeedHarness()
    try harness.put("intents/a.json", add("a b", "Buy milk", due: "2026-11-21"))
    let content = try harness.content("todays-tasks", at: noon)
    #expect(try harness.state("todays-tasks", at: noon) == "current")
    #expect(content["tasks"]?[0]?["id"]?.string == "intent:a b")
    #expect(content["tasks"]?[0]?["deepLink"]?.string == "cafe://task/intent:a%20b")
    #expect(content["tasks"]?[0]?["dueDate"]?.string == "2026-11-21T00:00:00Z")
    #expect(content["tasks"]?[0]?["labels"]?.array == [])
    let sources = try harness.timeline("completed-today", at: noon).sources
    #expect(sources.named == [CachePath("intents/a.json")])
    // The day index counts only the records of sessions.
    #expect(try harness.day("tasks", "2026-11-21", now: noon) == nil)
    try harness.expectConsistent("todays-tasks", at: noon)
    harness.remove("intents/a.json")
    #expect(try harness.state("todays-tasks", at: noon) == "empty")
  }

  @Test("An added task is sorted among the others, and counts beyond the fifth")
  func merging() throws {
    let harness = try FeedHarness()
    let tasks = (1...6).map { taskJSON("\($0)", "t\($0)", due: $0 < 4 ? #""2026-11-21T0\#($0):00:00Z""# : nil) }
    try harness.put("tasks/a.json", "[\(tasks.joined(separator: ","))]")
    try harness.put("intents/a.json", add("1", "n1", due: "2026-11-21T02:30:00Z"))
    try harness.put("intents/b.json", add("2", "t45"))
    try harness.put("intents/c.json", add("3", "other day", due: "2026-11-22"))
    try harness.put("intents/d.json", complete("4", "\"2\"", at: "2026-11-21T09:00:00Z"))
    let content = try harness.content("todays-tasks", at: noon)
    #expect(content["count"]?.int == 7 && content["more"]?.int == 2)
    #expect(content["tasks"]?.array?.map { $0["title"]?.string } == ["t1", "n1", "t3", "t4", "t45"])
    let progress = try harness.content("task-progress", at: noon)
    #expect(progress["completed"]?.int == 1 && progress["total"]?.int == 8 && progress["progress"]?.double == 0.125)
    let tomorrow = try harness.content("todays-tasks", at: "2026-11-22T12:00:00Z")
    #expect(tomorrow["tasks"]?.array?.map { $0["title"]?.string } == ["other day", "t4", "t45", "t5", "t6"])
    #expect(try harness.content("completed-today", at: "2026-11-22T12:00:00Z")["count"]?.int == 0)
    for kind in ["todays-tasks", "task-count", "task-progress", "completed-today"] as [KindName] {
      try harness.expectConsistent(kind, at: noon)
    }
  }

  @Test("Completing sets the intent's time, even on a completed task or one that an intent added")
  func completing() throws {
    let harness = try FeedHarness()
    try harness.put(
      "tasks/a.json",
      "[\(taskJSON("1", completed: true, completedAt: "\"2026-11-21T01:00:00Z\"")),\(taskJSON("2"))]")
    try harness.put("intents/a.json", complete("c1", "1", at: "2026-11-23T10:00:00Z"))
    try harness.put("intents/b.json", add("x", "new"))
    try harness.put("intents/c.json", complete("c2", "\"intent:x\""))
    #expect(try harness.content("completed-today", at: noon)["count"]?.int == 1)  // intent:x
    #expect(try harness.content("completed-today", at: "2026-11-23T00:00:00Z")["count"]?.int == 1)  // 1
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 1)
    let sources = try harness.timeline("task-count", at: noon).sources
    #expect(sources.count == 4)
  }

  @Test("An intent on a task that is in no file has no effect")
  func unknown() throws {
    let harness = try FeedHarness()
    try harness.put("intents/a.json", complete("c", "9"))
    #expect(try harness.state("task-count", at: noon) == "empty")
    try harness.put("tasks/a.json", "[\(taskJSON("1"))]")
    let timeline = try harness.timeline("task-progress", at: noon)
    #expect(try harness.value(timeline.entries[0].content)["completed"]?.int == 0)
    #expect(timeline.sources.named == [CachePath("tasks/a.json")])

    let tasks = try #require(harness.feeds[TasksFeed.self])
    func knows(_ id: RecordID, at: String = "2026-11-21T09:00:00Z") throws -> Bool {
      let intent = StoredIntent(
        id: "c", at: try harness.instant(at), feed: TasksFeed.name, action: TaskIntent.complete(id))
      return tasks.knows(intent, at: try harness.moment(noon), feeds: harness.feeds)
    }
    #expect(try knows(RecordID("1")))
    #expect(try !knows(RecordID(9)))
    #expect(try !knows(RecordID("intent:x")))
    try harness.put("intents/x.json", add("x", "new"))
    #expect(try knows(RecordID("intent:x")))
    // It was completed before it was added: `at` decides.
    #expect(try !knows(RecordID("intent:x"), at: "2026-11-21T07:00:00Z"))
    let adding = StoredIntent(
      id: "y", at: try harness.instant(noon), feed: TasksFeed.name, action: TaskIntent.add(title: "t", due: nil))
    #expect(tasks.knows(adding, at: try harness.moment(noon), feeds: harness.feeds))
  }

  @Test("An intent ends 168 hours after its time, or once the app has written a later file")
  func ending() throws {
    let harness = try FeedHarness()
    try harness.put("tasks/a.json", "[]", modified: "2026-11-01T00:00:00Z")
    try harness.put("intents/a.json", add("x", "new", at: "2026-11-16T15:30:00Z"))
    let timeline = try harness.timeline("task-count", at: noon)
    let counts = try timeline.entries.map { "\($0.date) \(try harness.value($0.content)["count"]?.int ?? -1)" }
    #expect(
      counts == [
        "2026-11-21T00:00:00Z 1", "2026-11-22T00:00:00Z 1", "2026-11-23T00:00:00Z 1", "2026-11-23T15:30:00Z 0",
        "2026-11-24T00:00:00Z 0", "2026-11-25T00:00:00Z 0", "2026-11-26T00:00:00Z 0", "2026-11-27T00:00:00Z 0",
      ])
    try harness.expectConsistent("task-count", at: noon)
    let tasks = try #require(harness.feeds[TasksFeed.self])
    #expect(tasks.newestSession?.description == "2026-11-01T00:00:00Z")
    // Newer by its modification time.
    try harness.put("tasks/a.json", "[]", modified: "2026-11-16T15:30:01Z")
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 0)
    try harness.put("tasks/a.json", #"{"tasks":[],"lastUpdate":"2026-11-16T15:30:00Z"}"#, modified: noon)
    #expect(try harness.content("task-count", at: noon)["count"]?.int == 1)
    harness.remove("tasks/a.json")
    #expect(tasks.newestSession == nil)
  }

  @Test("The state is stale while the intent's file is unusable")
  func unusable() throws {
    let harness = try FeedHarness()
    try harness.put("intents/a.json", add("x", "new"), unusable: true)
    #expect(try harness.state("task-count", at: noon) == "stale")
  }
}

import CacheSync
import Foundation
import Testing
import TestSupport

@Suite("Reading and writing from an app")
struct SnapshotReaderTests {
  let cache: TemporaryCache

  init() throws { cache = try TemporaryCache() }

  var session: MealPlanSession {
    get throws {
      MealPlanSession(
        id: "w", plan: [.init(dayIndex: 5, mealType: .dinner, mealId: "m1", mealName: "Soup")],
        isFinalized: true, createdAt: try #require(Instant("2026-11-15T10:00:00Z")),
        updatedAt: try #require(Instant("2026-11-16T09:30:00.25Z")), weekStart: LocalDay("2026-11-16"))
    }
  }

  @Test("the feed reads what the model for apps writes, and the model reads it back")
  func model() throws {
    let bytes = try JSONEncoder().encode(session)
    #expect(try JSONDecoder().decode(MealPlanSession.self, from: bytes) == session)
    #expect(bytes.withUnsafeBytes { MealPlanFeed.check($0) }.isEmpty)
    let path = try SessionWriter(cache: cache.path).write(Array(bytes), feed: "meal-plan", name: "week")
    #expect(path == "meal-plan/week.json")
    try cache.sync()
    let snapshot = try SnapshotReader(cache: cache.path).snapshot("meal-plan")
    let saturday = try #require(Instant("2026-11-21T12:00:00Z"))
    #expect(try cache.sync(at: saturday) > 0)
    let entry = try SnapshotReader(cache: cache.path).snapshot("meal-plan").entry(at: saturday)
    #expect(entry.content["meals"]?[2]?["mealName"]?.string == "Soup")
    #expect(snapshot.kind == "meal-plan" && snapshot.widgetKind == "MealPlanWidget")
  }

  @Test(
    "a writer refuses names that the agent would not read",
    arguments: [".x", "x~", "a/b", "", "x.tmp", String(repeating: "n", count: 252)])
  func names(name: String) throws {
    #expect(throws: SessionWriter.Failure.unusableName(name)) {
      try SessionWriter(cache: cache.path).write(Array("{}".utf8), feed: "meal-plan", name: name)
    }
    #expect(throws: SessionWriter.Failure.self) {
      try SessionWriter(cache: cache.path).write(Array("{}".utf8), feed: "meal-plan", name: "fine")
    }
    #expect(!cache.exists("meal-plan/fine.json"))
  }

  @Test("a session file can be validated without a cache, for programs that transfer it")
  func check() throws {
    let bytes = Array(try JSONEncoder().encode(session))
    #expect(
      try SessionWriter.check(bytes, feed: "meal-plan", name: Array("week".utf8)) == Array("meal-plan/week.json".utf8))
    #expect(throws: SessionWriter.Failure.unknownFeed("x")) { try SessionWriter.check(bytes, feed: "x", name: []) }
    #expect(throws: SessionWriter.Failure.unusableName("a~")) {
      try SessionWriter.check(bytes, feed: "meal-plan", name: Array("a~".utf8))
    }
    #expect(throws: SessionWriter.Failure.self) {
      try SessionWriter.check(Array("{}".utf8), feed: "meal-plan", name: Array("week".utf8))
    }
    #expect(throws: SessionWriter.Failure.self) {
      try SessionWriter.check(
        [UInt8](repeating: 0x20, count: 1 << 24) + bytes, feed: "meal-plan", name: Array("week".utf8))
    }
  }

  @Test("a reader gets an error for a missing and for a damaged file")
  func errors() throws {
    let reader = SnapshotReader(cache: cache.path)
    #expect(throws: SnapshotError.missing("meal-plan.json")) { try reader.snapshot("meal-plan") }
    #expect(throws: SnapshotError.missing("../x")) { try reader.snapshot("../x") }
    try cache.write("snapshots/meal-plan.json", "{}")
    #expect(throws: SnapshotError.self) { try reader.snapshot("meal-plan") }
  }

  @Test("in a consistent set, each file has the generation that the manifest gives")
  func consistent() throws {
    try cache.write("meal-plan/a.json", MealPlanFixture.session())
    try cache.write("tasks/a.json", "[]")
    try cache.sync()
    let set = try SnapshotReader(cache: cache.path).consistent()
    #expect(set.generation == 1)
    #expect(
      set.snapshots.keys.sorted() == [
        "completed-today", "meal-plan", "quick-add", "task-count", "task-progress", "todays-tasks",
      ])
    #expect(set.dayIndex["generation"]?.int == 1)
    #expect(try SnapshotReader(cache: cache.path).consistent(["meal-plan"]).snapshots.count == 1)
    // A file with another generation than in the manifest is part of a publication in progress, and is never accepted.
    let file = try cache.text("snapshots/meal-plan.json")
    try cache.write(
      "snapshots/meal-plan.json", file.replacingOccurrences(of: #""generation":1"#, with: #""generation":2"#))
    #expect(throws: SnapshotError.changing) { try SnapshotReader(cache: cache.path).consistent() }
  }

  @Test(
    "updates contain every change after the call, also if the cache's snapshots are created later",
    .timeLimit(.minutes(10)))
  func updates() async throws {
    var updates = SnapshotUpdates(cache: cache.path, kinds: ["meal-plan"]).makeAsyncIterator()
    try cache.write("meal-plan/a.json", MealPlanFixture.session(id: "one"))
    try cache.sync()
    #expect(await updates.next()?.generation == 1)
    try cache.write("meal-plan/a.json", MealPlanFixture.session(id: "two"))
    try cache.sync()
    let second = await updates.next()
    #expect(second?.generation == 2)
    #expect(second?.entries[0].content["session"]?.string == "two")
  }
}

import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// When a bad or missing file counts, and what moves (CONTRACT section 6).
@Suite struct StillnessTests {
  /// When a file, or the list of a directory's names, was last written.
  private func written(_ path: String) throws -> Instant {
    var about = stat()
    try #require(stat(path, &about) == 0)
    return Instant(microseconds: Int64(about.st_mtim.tv_sec) * 1_000_000 + Int64(about.st_mtim.tv_nsec) / 1_000)
  }

  /// The kernel stamps files with the time of its last tick, so a stamp may be this much too early. A test compares two
  /// stamps, of which only the second one's being early counts against the agent.
  private static let tick = Duration.milliseconds(10)

  @Test("A bad file counts when it has been still for 250 ms, not before, and delays no other file")
  func bad() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan("Soup"), "tasks/a.json": "[]"])
    // No flush, because a busy disk may take its time for it.
    let agent = try cache.agent("--durability", "rename")
    try cache.write("meal-plan/b.json", "{")
    let start = try written(cache.file("meal-plan/b.json"))
    let stopwatch = Stopwatch(of: agent.pid)
    try cache.write("tasks/b.json", Sessions.tasksOfAnyDay)
    let dropped = try written(cache.file("tasks/b.json"))
    #expect(try holds { try cache.published("task-count")["entries"]?[0]?["content"]?["count"] == .integer(2) })
    let tasks = try written(cache.file("snapshots/task-count.json"))
    let wait = stopwatch.wait
    #expect(try holds { try cache.published("meal-plan")["problems"]?.array?.count == 1 })
    let problem = try written(cache.file("snapshots/meal-plan.json"))
    #expect(problem - start >= .milliseconds(250) - Self.tick, "\(problem - start)")
    // An agent that kept the good file waiting for the bad one would need 250 ms for it. Which one shows first says nothing: on
    // a busy machine the test itself may take longer than that between the two files.
    #expect(tasks - dropped - wait < .milliseconds(150), "the other feed waited for nothing")
    withExtendedLifetime(agent) {}
  }

  @Test("A file that is gone counts as gone after 250 ms, not before")
  func gone() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay, "meal-plan/a.json": Sessions.plan()])
    let agent = try cache.agent()
    try #require(unlink(cache.file("tasks/a.json")) == 0)
    let start = try written(cache.file("tasks"))
    #expect(try holds { try cache.published("task-count")["entries"]?[0]?["state"] == .string("empty") })
    let seen = try written(cache.file("snapshots/task-count.json"))
    #expect(seen - start >= .milliseconds(250) - Self.tick, "\(seen - start)")
    withExtendedLifetime(agent) {}
  }

  @Test("A file that moves within the cache counts at both ends in one publication")
  func moved() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay, "tasks/sub/x.json": "[]"])
    let agent = try cache.agent()
    var generation = try cache.caughtUp()
    for (from, to) in [("tasks/a.json", "tasks/b.json"), ("tasks/b.json", "tasks/sub/c.json")] {
      try #require(rename(cache.file(from), cache.file(to)) == 0)
      generation += 1
      #expect(try cache.caughtUp() == generation, "\(from) to \(to)")
      let published = try cache.published("todays-tasks")
      #expect(published["entries"]?[0]?["content"]?["count"] == .integer(2))
      #expect(published["sources"]?.strings == [to, "tasks/sub/x.json"].sorted())
    }
    withExtendedLifetime(agent) {}
  }

  @Test("A last good version is tied to its path: a rename of the bad file withdraws it")
  func renamedAway() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay])
    let agent = try cache.agent()
    try cache.write("tasks/a.json", "{")
    try cache.caughtUp()
    #expect(try cache.published("todays-tasks")["entries"]?[0]?["state"] == .string("stale"))
    #expect(try cache.published("todays-tasks")["entries"]?[0]?["content"]?["count"] == .integer(2))
    try #require(rename(cache.file("tasks/a.json"), cache.file("tasks/b.json")) == 0)
    try cache.caughtUp()
    let published = try cache.published("todays-tasks")
    #expect(published["entries"]?[0]?["state"] == .string("empty"))
    #expect(published["problems"]?.array?.compactMap { $0["path"]?.string } == ["tasks/b.json"])
    withExtendedLifetime(agent) {}
  }

  @Test("The counters count: files rejected, events heard, publications made, and nothing that did not happen")
  func counters() throws {
    let cache = try CommandCache(["tasks/a.json": Sessions.tasksOfAnyDay])
    let agent = try cache.agent()
    let generation = try cache.caughtUp()
    func counters() throws -> TextMap<Int> {
      try (cache.status()["counters"]?.object ?? [:]).compactMapValues { $0.int }
    }
    var before = try counters()
    #expect(before["rejected"] == 0 && before["retries"] == 0 && before["overflows"] == 0 && before["rescans"] == 0)
    #expect(before["publications"] == 1)
    try cache.write("tasks/b.json", "{")
    try cache.write("tasks/c.json", "[")
    try cache.caughtUp()
    var after = try counters()
    #expect(after["rejected"] == 2 && after["retries"] == 0)
    #expect(
      try #require(after["events"]) >= #require(before["events"]) + 4 && after["batches"] ?? 0 > before["batches"] ?? 0)
    let made = try cache.caughtUp() - generation
    #expect(after["publications"] == 1 + made && made >= 1)
    // The agent rejects the same bad bytes again, and publishes nothing new.
    before = after
    try cache.write("tasks/b.json", "{")
    try cache.caughtUp()
    after = try counters()
    #expect(after["rejected"] == 3 && after["publications"] == before["publications"])
    withExtendedLifetime(agent) {}
  }
}

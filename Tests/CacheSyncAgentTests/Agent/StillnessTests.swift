import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import Foundation
import Glibc
import Testing
import TestSupport

/// When a bad, missing or moved file is taken into account (contract.md section 6), by a clock that the test sets.
/// `WaitingTests` checks the 250 ms to the nanosecond.
@Suite("Bad, missing and moved files")
struct StillnessTests {
  private static let task = ServedTestCache.task("a")

  private func snapshot(_ served: ServedTestCache, _ kind: String = "todays-tasks") throws -> Snapshot {
    try SnapshotReader(cache: served.cache.path).snapshot(kind)
  }

  @Test("A bad file becomes a problem once it has not changed for 250 ms, and delays no other file")
  func bad() throws {
    let served = try ServedTestCache(["meal-plan/a.json": MealPlanFixture.session(), "tasks/a.json": "[]"])
    try served.drop("meal-plan/b.json", "{")
    try served.drop("tasks/b.json", Self.task)
    served.pass()
    #expect(try served.titles() == ["a"] && served.problems(of: "meal-plan") == 0)
    served.pass(after: .milliseconds(250))
    #expect(try served.problems(of: "meal-plan") == 1)
  }

  @Test("A move within the cache changes both paths in one publication")
  func moved() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.task, "tasks/sub/x.json": "[]"])
    for (from, to) in [("tasks/a.json", "tasks/b.json"), ("tasks/b.json", "tasks/sub/c.json")] {
      let generation = served.report.generation
      try #require(rename(served.cache.file(from).path, served.cache.file(to).path) == 0)
      served.pass()
      #expect(served.report.generation == generation + 1, "\(from) to \(to)")
      #expect(try served.titles() == ["a"])
      #expect(try snapshot(served).sources == [to, "tasks/sub/x.json"].sorted())
    }
  }

  @Test("A last good version belongs to its path: renaming the bad file withdraws it")
  func renamedAway() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.task])
    try served.drop("tasks/a.json", "{")
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(try snapshot(served).entries[0].state == .stale && served.titles() == ["a"])
    try #require(rename(served.cache.file("tasks/a.json").path, served.cache.file("tasks/b.json").path) == 0)
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(try snapshot(served).entries[0].state == .empty)
    #expect(try snapshot(served).problems.map(\.path) == ["tasks/b.json"])
  }

  @Test("The counters count rejected files, batches of events and publications, and nothing else")
  func counters() throws {
    let served = try ServedTestCache(["tasks/a.json": Self.task])
    func counts() -> [Int] {
      let counters = served.report.counters
      return [counters.rejected, counters.batches, counters.publications, counters.retries, counters.rescans]
    }
    #expect(counts() == [0, 0, 1, 0, 0])
    try served.drop("tasks/b.json", "{")
    try served.drop("tasks/c.json", "[")
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(counts() == [2, 1, 2, 0, 0])
    // The agent rejects the same bad bytes again, and publishes nothing.
    try served.drop("tasks/b.json", "{")
    served.pass()
    served.pass(after: .milliseconds(250))
    #expect(counts() == [3, 2, 2, 0, 0])
  }
}

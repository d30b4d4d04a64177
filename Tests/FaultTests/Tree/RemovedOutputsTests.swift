import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  /// Another program removes outputs. The exact times are tested by the unit tests, with a clock that the test sets.
  @Suite("Removed outputs") struct RemovedOutputs {
    private func agent(_ cache: TestCache) throws -> Agent {
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      return try Agent(cache)
    }

    @Test(
      "Outputs that are removed are made again without a sweep, as one publication, and wait returns only then",
      arguments: [
        "rm -rf snapshots", "rm snapshots/todays-tasks.json", "rm snapshots/manifest.json", "mv snapshots away",
        "rm -rf snapshots; mkdir snapshots",
      ])
    func madeAgain(command: String) throws {
      let cache = try TestCache()
      let agent = try agent(cache)
      let before = (try cache.generation() ?? 0, Set(cache.outputs().keys))
      try ChildProcess.shell("cd '\(cache.path)' && \(command)")
      #expect(try agent.settled() == before.0 + 1)
      #expect(try Set(cache.outputs().keys) == before.1 && cache.manifestIsCorrect())
      #expect(try agent.status().messages.isEmpty)
      // It is watched again.
      cache.remove("snapshots/day-index.json")
      try until("the day index is back") { cache.has("snapshots/day-index.json") }
      #expect(try agent.settled() == before.0 + 2)
    }

    @Test("A program that removes what it finds gets a publication after each quiet quarter of a second at most")
    func storm() throws {
      let cache = try TestCache()
      let agent = try agent(cache)
      let (start, before) = (secondsNow(), try #require(try cache.generation()))
      for _ in 0..<60 {
        for name in cache.outputs().keys.sorted().prefix(1) { cache.remove("snapshots/\(name)") }
        usleep(20_000)
      }
      let generation = try agent.settled()
      #expect(generation > before && generation - before <= Int((secondsNow() - start) / 0.25) + 2)
      #expect(try cache.manifestIsCorrect() && cache.firstTitle() == "one")
    }

    @Test("The log has one warning for each bad file at a start, and then a notice for each that is right again")
    func log() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "one"))
      try cache.sync()
      try cache.drop("tasks/a.json", "{")
      try cache.drop("tasks/b.json", "[,")
      try cache.drop("feeds/room.json", "{}")
      let agent = try Agent(cache)
      func lines() -> [String] {
        agent.process.error.split(separator: "\n").filter { $0.contains(".json") }.map(String.init)
      }
      #expect(lines().count == 3 && Set(lines()).count == 3, "\(lines())")
      let warning = "cachesyncd: warning: tasks/a.json:1:2: "
      #expect(lines().contains { $0.hasPrefix(warning) && $0.hasSuffix("; readers keep the last good one") })
      for name in ["tasks/b.json:1:2: ", "feeds/room.json:1:1: "] {
        #expect(lines().contains { $0.hasPrefix("cachesyncd: warning: \(name)") && $0.hasSuffix("; it has no effect") })
      }
      try cache.drop("tasks/a.json", Sessions.task(1, "two"))
      cache.remove("tasks/b.json")
      try agent.settled()
      let notices = ["tasks/a.json is right again", "tasks/b.json is gone"].map { "cachesyncd: notice: \($0)" }
      #expect(lines().dropFirst(3).sorted() == notices)
    }
  }
}

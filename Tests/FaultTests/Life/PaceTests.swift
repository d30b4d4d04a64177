import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Pace") struct Pace {
    @Test("300 fast writes cause at most one publication every 10 ms, and the last one is published")
    func burst() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      let before = try agent.settled()
      let start = secondsNow()
      for number in 1...300 { try cache.drop("tasks/a.json", Sessions.task(1, "\(number)")) }
      try until("the last one shows") { try cache.firstTitle() == "300" }
      // The agent writes the manifest last, so the test reads it only after the snapshot shows.
      let generation = try agent.settled()
      let seconds = secondsNow() - start
      #expect(generation - before <= Int(seconds * 100) + 2, "\(generation - before) publications in \(seconds) s")
      // Two more after a pause: the first is published immediately, and the second a little later, or both together.
      usleep(50_000)
      try cache.drop("tasks/a.json", Sessions.task(1, "first"))
      try cache.drop("tasks/a.json", Sessions.task(1, "second"))
      try until("the second shows") { try cache.firstTitle() == "second" }
      #expect(try (1...2).contains(agent.settled() - generation))
    }

    @Test("During steady publications, wait returns once the earlier drops are published", .timeLimit(.minutes(10)))
    func waitUnderPublications() throws {
      let cache = try TestCache()
      try cache.drop("tasks/mine.json", Sessions.task(1, "mine"))
      let agent = try Agent(cache)
      let producer = Churn { round in
        try? cache.drop("tasks/steady.json", Sessions.task(2, "\(round)"))
        // Every fourth one is invalid until the next is written.
        if round.isMultiple(of: 4) { try? cache.drop("tasks/broken.json", "{") }
        usleep(3000)
      }
      for round in 1...8 {
        try cache.drop("tasks/mine.json", Sessions.task(1, "mine \(round)"))
        let generation = try agent.settled()
        let titles = (try cache.content("todays-tasks")?["tasks"]?.array ?? []).compactMap { $0["title"]?.string }
        #expect(titles.contains("mine \(round)"), "\(titles)")
        #expect(try cache.generation() ?? 0 >= generation)
      }
      producer.end()
    }
  }
}

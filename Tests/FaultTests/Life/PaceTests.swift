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
      // Two more: the first is published as soon as the pace allows, and the second 10 ms later, or both together.
      try cache.drop("tasks/a.json", Sessions.task(1, "first"))
      try cache.drop("tasks/a.json", Sessions.task(1, "second"))
      try until("the second shows") { try cache.firstTitle() == "second" }
      let more = try agent.settled() - generation
      #expect((1...2).contains(more), "\(more) publications")
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
        #expect(titles.contains("mine \(round)"), "round \(round): \(titles)")
        let shown = try cache.generation()
        #expect(shown ?? 0 >= generation, "round \(round)")
      }
      producer.end()
    }
  }
}

import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Pace") struct Pace {
    @Test("300 writes as fast as can be: a publication every 10 ms at most, and the last one shows")
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
      // Two more after a pause: the first is published at once, the second by itself a little later, or both at once.
      usleep(50_000)
      try cache.drop("tasks/a.json", Sessions.task(1, "first"))
      try cache.drop("tasks/a.json", Sessions.task(1, "second"))
      try until("the second shows") { try cache.firstTitle() == "second" }
      #expect(try (1...2).contains(agent.settled() - generation))
    }

    @Test("wait returns under steady publications, with what was dropped before it", .timeLimit(.minutes(10)))
    func waitUnderPublications() throws {
      let cache = try TestCache()
      try cache.drop("tasks/mine.json", Sessions.task(1, "mine"))
      let agent = try Agent(cache)
      let producer = Churn { round in
        try? cache.drop("tasks/steady.json", Sessions.task(2, "\(round)"))
        // Every fourth one is unusable for as long as the next is not there.
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

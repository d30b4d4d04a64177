import CacheSync
import Glibc
import Testing

extension MachineFaults {
  /// Tests with a short event queue. The kernel has one limit for all processes, so an instance that another test opens
  /// meanwhile gets a short queue too.
  @Suite("Event queue") struct EventQueue {
    @Test("The agent releases the watches of directories whose deletion events were dropped", .needsEventQueue)
    func vanishedWhileStopped() throws {
      let cache = try TestCache()
      for number in 0..<200 { try cache.drop("tasks/\(number)/a.json", Sessions.task(number)) }
      let agent = try withShortEventQueue(64) { try Agent(cache) }
      #expect(try agent.status().value["watches"]?.int == 202)
      agent.process.signal(SIGSTOP)
      try ChildProcess.shell("rm -rf '\(cache.path)'/tasks/*")
      try cache.drop("tasks/last.json", Sessions.task(1000))
      agent.process.signal(SIGCONT)
      try agent.settled()
      #expect(try cache.taskCount() == 1)
      try until("their watches are gone") { try agent.status().value["watches"]?.int == 2 }
      #expect(try agent.status().counter("overflows") >= 1)
    }

    @Test(
      "After events are dropped while the agent is stopped, the state is exact, with at most two rescans",
      .needsEventQueue)
    func stoppedWhileFilesAreCreated() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1_000_000))
      let agent = try withShortEventQueue(64) { try Agent(cache) }
      agent.process.signal(SIGSTOP)
      for number in 0..<500 { try cache.write("tasks/f\(number).json", Sessions.task(number)) }
      agent.process.signal(SIGCONT)
      try agent.settled()
      #expect(try cache.taskCount() == 501)
      let status = try agent.status()
      #expect(status.counter("overflows") >= 1)
      #expect((1...2).contains(status.counter("rescans")))
      #expect(try cache.comparable() == cache.freshlySynced())
    }

    @Test(
      "In a storm of dropped events other drops show within 10 s, rescans back off, and the final state is exact",
      .needsEventQueue, .timeLimit(.minutes(10)))
    func overflowStorm() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "0"))
      try cache.makeDirectory("events/storm")
      try cache.makeDirectory("events/burst")
      // A short queue, so that the storm overflows it even on a fast machine.
      let agent = try withShortEventQueue(256) { try Agent(cache) }
      // scripts/test-all.sh waits for this line, and then starts other tests.
      print("overflow storm: begun")
      fflush(nil)
      let storm = Churn { _ in
        for number in 0..<500 { try? cache.write("events/storm/\(number).json", "[]") }
        for number in 0..<500 { cache.remove("events/storm/\(number).json") }
      }
      let start = secondsNow()
      var worst = 0.0
      var drop = 0
      while secondsNow() - start < 10 {
        drop += 1
        // A busy machine may write so slowly that the agent keeps up. While it is stopped, events are dropped for sure.
        agent.process.signal(SIGSTOP)
        for number in 0..<300 { try cache.write("events/burst/\(number).json", "[]") }
        agent.process.signal(SIGCONT)
        try cache.drop("tasks/a.json", Sessions.task(1, String(drop)))
        worst = max(
          worst,
          try until("drop \(drop) shows", by: agent.process, within: 10) { try cache.firstTitle() == String(drop) })
      }
      storm.end()
      for number in 0..<300 { cache.remove("events/burst/\(number).json") }
      try cache.drop("events/last.json", "[]")
      try until("it is exact") { try cache.output("calendar")?["sourceCount"]?.int == 1 }
      try agent.settled()
      let status = try agent.status()
      #expect(status.counter("overflows") >= drop, "the storm was one")
      #expect(status.counter("rescans") <= 40, "\(status.counter("rescans")) rescans in 10 s")
      #expect(try cache.comparable() == cache.freshlySynced())
      print("overflow storm: the worst drop showed after \(worst) s, \(status.counter("rescans")) rescans")
    }
  }
}

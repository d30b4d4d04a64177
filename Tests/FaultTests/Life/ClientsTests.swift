import CacheSync
import Glibc
import Synchronization
import Testing
import TestSupport

extension Faults {
  /// Commands that send requests to the agent: many at once, with short timeouts, or killed before the agent answers.
  @Suite("Clients") struct Clients {
    private func waits(_ count: Int, in cache: TestCache, timeout: String) throws -> [ChildProcess] {
      try (0..<count).map { _ in
        try ChildProcess([Machine.agent, "wait", "--timeout", timeout, "--cache", cache.path])
      }
    }

    /// The agent closes its end of a connection some time after the client.
    private func descriptorsAtRest(_ agent: Agent) throws -> Int {
      try agent.process.waitForRest()
      return agent.resources.descriptors
    }

    private func expectLevel(_ agent: Agent, at before: Int) throws {
      try until("the agent has \(before) descriptors open again") { agent.resources.descriptors <= before }
    }

    @Test("60 waits that time out on a full disk, and killed clients, leave no descriptor", .needsMounts)
    func fullDisk() throws {
      let cache = try TestCache()
      try cache.mountMemory("size=64k")
      try cache.drop("tasks/a.json", Sessions.task(1, "befor"))
      let agent = try Agent(cache)
      try agent.settledByCommand()
      let before = try descriptorsAtRest(agent)
      try cache.fill("filling")
      // The producer overwrites the file with no more bytes than before, because the disk is full for it too.
      let file = open(cache.at("tasks/a.json"), O_WRONLY | O_CLOEXEC)
      let bytes = Array(Sessions.task(1, "after").utf8)
      #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
      close(file)
      try until("it is noticed") { try !agent.status().isWritable }
      for _ in 0..<3 {
        for process in try waits(20, in: cache, timeout: "0.1") { #expect(try process.wait() == 75) }
      }
      try expectLevel(agent, at: before)
      let waiting = try waits(20, in: cache, timeout: "60")
      try until("they wait") { agent.resources.descriptors >= before + 20 }
      for process in waiting { process.signal(SIGKILL) }
      for process in waiting { try process.wait() }
      try expectLevel(agent, at: before)
      cache.remove("filling")
      try until("it is published") { try cache.firstTitle() == "after" }
      try agent.settledByCommand()
      try expectLevel(agent, at: before)
    }

    @Test("Clients that are killed in normal operation leave no descriptor")
    func killed() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      try agent.settledByCommand()
      let before = try descriptorsAtRest(agent)
      var random = SeededGenerator(state: 31)
      for _ in 0..<2 {
        // The agent is stopped, so it answers no client before the test kills it.
        agent.process.signal(SIGSTOP)
        let waiting = try waits(20, in: cache, timeout: "60")
        usleep(UInt32.random(in: 0...100_000, using: &random))
        for process in waiting { process.signal(SIGKILL) }
        agent.process.signal(SIGCONT)
        for process in waiting { try process.wait() }
      }
      for process in try waits(20, in: cache, timeout: "60") {
        usleep(UInt32.random(in: 0...5000, using: &random))
        process.signal(SIGKILL)
      }
      try expectLevel(agent, at: before)
      try agent.settledByCommand()
    }

    private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    @Test(
      "status in a loop with 20,000 unclaimed files does not delay a wait", .needsMounts, .timeLimit(.minutes(10)))
    func manyUnclaimedFiles() throws {
      let cache = try TestCache()
      // The cache is in memory, because making 20,000 files on a disk is slow.
      try cache.mountMemory("size=64m")
      try cache.drop("tasks/a.json", Sessions.task(1, "start"))
      try cache.makeDirectory("other")
      for number in 0..<20_000 { try cache.write("other/\(number).json", "") }
      let agent = try Agent(cache)
      func medianOfDrops(_ name: String) throws -> Double {
        median(
          try (0..<11).map { number in
            try cache.drop("tasks/a.json", Sessions.task(1, "\(name) \(number)"))
            let start = secondsNow()
            try agent.settled()
            let seconds = secondsNow() - start
            #expect(try cache.firstTitle() == "\(name) \(number)")
            return seconds
          })
      }
      var alone = try medianOfDrops("alone")
      let path = cache.path
      let answered = Mutex(0)
      let asking = Churn { _ in
        _ = try? ChildProcess.run(Machine.agent, "status", "--json", "--cache", path)
        answered.withLock { $0 += 1 }
      }
      let beside = try medianOfDrops("beside")
      try until("status goes on") { answered.withLock { $0 } > 1 }
      let rounds = asking.end()
      // Other programs may have started to keep the machine busy meanwhile.
      alone = max(alone, try medianOfDrops("alone again"))
      print("a drop and wait takes \(alone * 1000) ms, beside status \(beside * 1000) ms, \(rounds) rounds of status")
      #expect(beside < alone * 10 + 0.02, "\(beside) s beside status, \(alone) s without")
    }

    @Test("While status walks a directory that does not respond, drops are published", .needsFUSE)
    func heldWalk() throws {
      let (cache, behind) = (try TestCache(), try TestCache())
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      // This directory belongs to no feed, so only `status` makes the agent walk it.
      try cache.makeDirectory("other")
      let other = cache.at("other")
      let server = try ChildProcess(["bindfs", "-f", behind.path, other])
      defer {
        server.signal(SIGCONT)
        _ = try? ChildProcess.shell("umount -l '\(other)'")
      }
      try behind.write("a.json", "")
      try until("it is mounted") { cache.has("other/a.json") }
      let agent = try Agent(cache)
      func unclaimed() throws -> [String] {
        let status = try agent.status()
        #expect(status.code == 0 && status.isWritable && status.messages.isEmpty, "\(status.messages)")
        return (status.value["unclaimed"]?.array ?? []).compactMap(\.string)
      }
      #expect(try unclaimed() == ["other/a.json"])
      server.signal(SIGSTOP)
      // The agent answers without the unclaimed files, and continues the search as long as the directory does not
      // respond. During the second `status`, the search for the first one is still running.
      for round in 1...2 {
        #expect(try unclaimed() == [], "it is held")
        try cache.drop("tasks/a.json", Sessions.task(1, "\(round)"))
        try agent.settled()
        #expect(try cache.firstTitle() == "\(round)")
      }
      server.signal(SIGCONT)
      try until("the directory answers again") { try unclaimed() == ["other/a.json"] }
    }

    @Test("An agent that starts while status checks for one is not refused")
    func startDuringStatus() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let path = cache.path
      let asking = Churn(threads: 3) {
        { _ in _ = try? ChildProcess.run(Machine.agent, "status", "--cache", path) }
      }
      for round in 0..<10 {
        let agent = try Agent(cache, awaitingStart: false)
        try until("round \(round): it serves, or was refused") { agent.holdsLock || !agent.process.isRunning }
        #expect(agent.process.isRunning, "round \(round): \(agent.process.error)")
        try agent.stop(SIGKILL)
      }
      asking.end()
    }
  }
}

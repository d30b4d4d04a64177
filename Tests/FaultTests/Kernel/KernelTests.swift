import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Kernel") struct Kernel {
    @Test("Events dropped while the agent was stopped: the exact state, at most two rescans", .timeLimit(.minutes(3)))
    func stoppedWhileFilesAreCreated() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1_000_000))
      let agent = try Agent(cache)
      agent.process.signal(SIGSTOP)
      for number in 0..<20_000 { try cache.write("tasks/f\(number).json", Sessions.task(number)) }
      agent.process.signal(SIGCONT)
      try agent.settled(seconds: 120)
      #expect(try cache.taskCount() == 20_001)
      let status = try agent.status()
      #expect(status.counter("overflows") >= 1)
      #expect((1...2).contains(status.counter("rescans")))
      #expect(try cache.comparable() == cache.freshlySynced())
    }

    @Test("Directories whose end was told among dropped events are watched no longer", .needsRoot)
    func vanishedWhileStopped() throws {
      let queue = try KernelSetting("fs/inotify/max_queued_events", 64)
      let cache = try TestCache()
      for number in 0..<200 { try cache.drop("tasks/\(number)/a.json", Sessions.task(number)) }
      let agent = try Agent(cache)
      #expect(try agent.status().value["watches"]?.int == 202)
      agent.process.signal(SIGSTOP)
      try ChildProcess.shell("rm -rf '\(cache.path)'/tasks/*")
      try cache.drop("tasks/last.json", Sessions.task(1000))
      agent.process.signal(SIGCONT)
      try agent.settled()
      #expect(try cache.taskCount() == 1)
      try until("their watches are gone") { try agent.status().value["watches"]?.int == 2 }
      #expect(try agent.status().counter("overflows") >= 1)
      withExtendedLifetime(queue) {}
    }

    @Test(
      "A storm of dropped events: other drops show within 10 s, rescans back off, exact at its end",
      .needsRoot, .timeLimit(.minutes(3)))
    func overflowStorm() throws {
      // A short queue, so that the storm overflows it on a fast machine too.
      let queue = try KernelSetting("fs/inotify/max_queued_events", 256)
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "0"))
      try cache.makeDirectory("events/storm")
      let agent = try Agent(cache)
      let storm = Churn { _ in
        for number in 0..<500 { try? cache.write("events/storm/\(number).json", "[]") }
        for number in 0..<500 { cache.remove("events/storm/\(number).json") }
      }
      let start = secondsNow()
      var worst = 0.0
      var drop = 0
      while secondsNow() - start < 30 {
        drop += 1
        try cache.drop("tasks/a.json", Sessions.task(1, String(drop)))
        worst = max(worst, try until("drop \(drop) shows", within: 10) { try cache.firstTitle() == String(drop) })
      }
      storm.end()
      try cache.drop("events/last.json", "[]")
      try until("it is exact", within: 10) { try cache.output("calendar")?["sourceCount"]?.int == 1 }
      try agent.settled()
      let status = try agent.status()
      #expect(status.counter("overflows") >= 1, "the storm was one")
      #expect(status.counter("rescans") <= 40, "\(status.counter("rescans")) rescans in 30 s")
      #expect(try cache.comparable() == cache.freshlySynced())
      print("overflow storm: the worst drop showed after \(worst) s, \(status.counter("rescans")) rescans")
      withExtendedLifetime(queue) {}
    }

    @Test(
      "Directories over the limit of watches are polled, named, and watched again when there are watches", .needsRoot)
    func watchLimit() throws {
      let cache = try TestCache()
      for number in 0..<60 { try cache.drop("tasks/\(number)/a.json", Sessions.task(number)) }
      let before = try Agent(cache)
      let needed = try before.status().value["watches"]?.int ?? 0
      try before.stop()
      let limit = try KernelSetting("fs/inotify/max_user_watches", try watchesInUse() + needed - 20)
      let agent = try Agent(cache)
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(status.value["mode"]?.string == "mixed")
      #expect(status.polled.count >= 10)
      let reason = status.value["polled"]?[0]?["reason"]?.string ?? ""
      #expect(reason.contains("max_user_watches") && reason.contains(where: \.isNumber))
      #expect(agent.process.error.contains("max_user_watches"))
      let polled = try #require(status.polled.last)
      try cache.drop("\(polled)/b.json", Sessions.task(1000))
      try until("a polled directory is seen within 2 s", within: 3) { try cache.taskCount() == 61 }
      // Also a directory that comes only now.
      try cache.drop("\(polled)/deeper/c.json", Sessions.task(1001))
      try until("and a new one", within: 3) { try cache.taskCount() == 62 }
      try limit.set(100_000)
      try until("all are watched again") { try agent.status().value["mode"]?.string == "inotify" }
      try cache.drop("\(polled)/d.json", Sessions.task(1002))
      try agent.settled()
      #expect(try cache.taskCount() == 63)
    }

    @Test("A limit that is reached while the agent runs: what comes then is polled", .needsRoot)
    func watchLimitReachedLater() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(0))
      let agent = try Agent(cache)
      let limit = try KernelSetting("fs/inotify/max_user_watches", 1)
      try cache.makeDirectory("tasks/new")
      try until("it is polled") { try agent.status().polled == ["tasks/new"] }
      try cache.drop("tasks/new/a.json", Sessions.task(1))
      try until("it is seen within 2 s", within: 3) { try cache.taskCount() == 2 }
      #expect(agent.process.error.contains("max_user_watches"))
      withExtendedLifetime(limit) {}
    }

    /// Watches that processes of this user hold.
    private func watchesInUse() throws -> Int {
      let lines = try ChildProcess.shell("cat /proc/[0-9]*/fdinfo/* 2>/dev/null | grep -c '^inotify' || true")
      return Int(lines.split(separator: "\n").first ?? "") ?? 0
    }

    @Test("Without any inotify instance the agent polls, and watches when there is one", .needsRoot)
    func noInstances() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let limit = try KernelSetting("fs/inotify/max_user_instances", 0)
      let agent = try Agent(cache)
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(status.value["mode"]?.string == "polling")
      try cache.drop("tasks/b.json", Sessions.task(2))
      try until("it is polled within 2 s", within: 3) { try cache.taskCount() == 2 }
      try limit.set(1000)
      try until("it is watched again") { try agent.status().value["mode"]?.string == "inotify" }
      try cache.drop("tasks/c.json", Sessions.task(3))
      try agent.settled()
      #expect(try cache.taskCount() == 3)
    }

    @Test("A file system without events is polled, and status says so", .needs("bindfs"))
    func fileSystemWithoutEvents() throws {
      let behind = try TestCache()
      let cache = try TestCache()
      try ChildProcess.shell("bindfs '\(behind.path)' '\(cache.path)'")
      try behind.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(status.value["mode"]?.string == "polling")
      #expect(status.polled.contains("."))
      try behind.drop("tasks/deep/er/b.json", Sessions.task(2))
      try until("a file written behind it is seen within 2 s", within: 3.5) { try cache.taskCount() == 2 }
      behind.remove("tasks/a.json")
      try until("and its end", within: 3.5) { try cache.taskCount() == 1 }
      try behind.drop("tasks/c.json", Sessions.task(3))
      try agent.settled()
      #expect(try cache.taskCount() == 2, "wait makes it poll")
      try agent.stop()
    }
  }
}

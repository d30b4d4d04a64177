import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Kernel") struct Kernel {
    /// The agent polls every 2 s (contract.md section 6). The other 2 s are for the scan, the publication and the
    /// test's own check on a slow machine.
    private static let pollingSeconds = 2 + 2.0

    @Test(
      "Directories over the limit of watches are polled and reported, and watched again when watches are available",
      .needsNamespaces)
    func watchLimit() throws {
      let cache = try TestCache()
      for number in 0..<60 { try cache.drop("tasks/\(number)/a.json", Sessions.task(number)) }
      let before = try Agent(cache)
      let needed = try before.status().value["watches"]?.int ?? 0
      try before.stop()
      let limits = try WatchLimits(cache)
      try limits.set(.watches, needed - 20)
      let agent = try Agent(cache, prefix: limits.prefix)
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(status.value["mode"]?.string == "mixed")
      #expect(try status.polled.count + (#require(status.value["watches"]?.int)) == needed)
      #expect(status.polled.count >= 20)
      for polled in status.value["polled"]?.array ?? [] {
        let reason = polled["reason"]?.string ?? ""
        #expect(reason.contains("fs.inotify.max_user_watches") && reason.contains(" \(needed - 20) "), "\(reason)")
      }
      #expect(agent.process.error.contains("max_user_watches"))
      let polled = try #require(status.polled.last)
      try cache.drop("\(polled)/b.json", Sessions.task(1000))
      try until("a polled directory is seen", by: agent.process, within: Self.pollingSeconds) {
        try cache.taskCount() == 61
      }
      // The agent also finds a directory that is created only now.
      try cache.drop("\(polled)/deeper/c.json", Sessions.task(1001))
      try until("and a new one", by: agent.process, within: Self.pollingSeconds) { try cache.taskCount() == 62 }
      try limits.set(.watches, 100_000)
      try until("all are watched again") { try agent.status().value["mode"]?.string == "inotify" }
      try cache.drop("\(polled)/d.json", Sessions.task(1002))
      try agent.settled()
      #expect(try cache.taskCount() == 63)
    }

    @Test("If the limit is reached while the agent runs, later directories are polled", .needsNamespaces)
    func watchLimitReachedLater() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(0))
      let limits = try WatchLimits(cache)
      let agent = try Agent(cache, prefix: limits.prefix)
      #expect(try agent.status().value["mode"]?.string == "inotify")
      try limits.set(.watches, 1)
      try cache.makeDirectory("tasks/new")
      try until("it is polled") { try agent.status().polled == ["tasks/new"] }
      try cache.drop("tasks/new/a.json", Sessions.task(1))
      try until("it is seen", by: agent.process, within: Self.pollingSeconds) { try cache.taskCount() == 2 }
      #expect(agent.process.error.contains("max_user_watches"))
    }

    @Test("Without an inotify instance the agent polls, and it watches once there is one", .needsNamespaces)
    func noInstances() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let limits = try WatchLimits(cache)
      try limits.set(.instances, 0)
      let agent = try Agent(cache, prefix: limits.prefix)
      let status = try agent.status()
      #expect(status.code == 0)
      #expect(status.value["mode"]?.string == "polling")
      #expect(status.value["polled"]?[0]?["reason"]?.string?.contains("max_user_instances") == true)
      try cache.drop("tasks/b.json", Sessions.task(2))
      try until("it is polled", by: agent.process, within: Self.pollingSeconds) { try cache.taskCount() == 2 }
      try limits.set(.instances, 1000)
      try until("it watches again") { try agent.status().value["mode"]?.string == "inotify" }
      try cache.drop("tasks/c.json", Sessions.task(3))
      try agent.settled()
      #expect(try cache.taskCount() == 3)
    }

    @Test(
      "The agent gets events from an inotify instance that it opens when it has over 1,024 descriptors",
      .needsNamespaces,
      .needs("python3"))
    func instanceAmongManyDescriptors() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let limits = try WatchLimits(cache)
      try limits.set(.instances, 0)
      let agent = try Agent(cache, prefix: limits.prefix)
      #expect(try agent.status().value["mode"]?.string == "polling")
      // Clients that send nothing, each of which costs the agent a descriptor.
      let clients = try ChildProcess([
        "python3", "-c",
        """
        import resource, socket, sys
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        clients = [socket.socket(socket.AF_UNIX) for _ in range(1100)]
        for client in clients: client.connect(sys.argv[1])
        sys.stdin.read()
        """, cache.at(".cachesync/socket"),
      ])
      try until("they are let in") { agent.resources.descriptors > 1100 || !clients.isRunning }
      #expect(clients.isRunning, "\(clients.error)")
      try limits.set(.instances, 1000)
      try until("it watches") { try agent.status().value["mode"]?.string == "inotify" }
      // The C library's select(2) ends the process at a descriptor from 1,024 on.
      try cache.drop("tasks/b.json", Sessions.task(2))
      try agent.settled()
      #expect(try cache.taskCount() == 2)
      let status = try agent.status()
      #expect(status.counter("events") > 0 && status.polled.isEmpty)
      #expect(agent.resources.descriptors > 1100)
    }

    @Test(
      "On a file system whose inodes change by themselves, nothing is published again and no loss is reported",
      .needsFUSE, .needs("mergerfs"),
      .enabled(if: access("/proc/sys/vm/drop_caches", W_OK) == 0, "needs to drop the kernel's caches"))
    func changingInodes() throws {
      let behind = try TestCache()
      let cache = try TestCache()
      try ChildProcess.shell("mergerfs '\(behind.path)' '\(cache.path)'")
      for number in 1...3 { try cache.drop("tasks/\(number).json", Sessions.task(number)) }
      let agent = try Agent(cache)
      try until("the last good versions are kept") { cache.hasLastGood }
      let generation = try agent.settled()
      let before = cache.outputs()
      func dropCaches() throws {
        let inode = FileStamps(cache.at("tasks/1.json"))?.inode
        sync()
        try TestCache.put("/proc/sys/vm/drop_caches", Array("2\n".utf8))
        #expect(FileStamps(cache.at("tasks/1.json"))?.inode != inode, "the inodes change here")
      }
      for _ in 0..<2 {
        try dropCaches()
        let result = try agent.ask("wait", "--sweep")
        #expect(result.output == "\(generation)\n" && cache.outputs() == before)
      }
      // The log has to take a new version after its inode has changed.
      let size = TestCache.read(cache.at(".cachesync/sessions"))?.count ?? 0
      try dropCaches()
      try cache.drop("tasks/1.json", Sessions.task(4))
      try until("it is polled, and kept") { (TestCache.read(cache.at(".cachesync/sessions"))?.count ?? 0) > size }
      #expect(try agent.settled() == generation + 1)
      #expect(!agent.process.error.contains("another program"), "\(agent.process.error)")
      try agent.stop()
    }

    @Test("A file system without events is polled, and status says so", .needsFUSE)
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
      // Without a limit, because the file system is another program's.
      try until("a file written behind it is seen") { try cache.taskCount() == 2 }
      behind.remove("tasks/a.json")
      try until("and its end") { try cache.taskCount() == 1 }
      try behind.drop("tasks/c.json", Sessions.task(3))
      try agent.settled()
      #expect(try cache.taskCount() == 2, "wait makes it poll")
      try agent.stop()
    }
  }
}

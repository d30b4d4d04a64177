import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import Glibc
import Testing
import TestSupport

extension Faults {
  @Suite("Disk") struct Disk {
    @Test(
      "An agent that starts on a read-only disk retries, and publishes once the disk is writable", .needsLoopDevices)
    func readOnlyAtTheStart() throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try cache.remount("ro")
      #expect(try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path).status == 73)
      let agent = try Agent(cache, awaitingStart: false)
      try until("it says what is wrong") { try agent.status().messages.contains { $0.contains("Read-only") } }
      try cache.remount("rw")
      try until("it is published by itself") { try cache.firstTitle() == "after" }
      #expect(try agent.status().isWritable)
      try until("the last good version is kept") { cache.hasLastGood }
      try agent.stop()
      try cache.write("tasks/a.json", "{")
      _ = try Agent(cache)
      #expect(try cache.firstTitle() == "after")
    }

    @Test(
      "A disk can be made read-only within 2 s of any publication, so no replaced file is kept open", .needsLoopDevices,
      arguments: ["flush", "rename"])
    func remountAfterPublications(_ durability: String) throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "start"))
      let agent = try Agent(cache, arguments: ["--durability", durability])
      var random = SeededGenerator(state: 6)
      for round in 0..<12 {
        // Alternates between a single drop and a burst of twenty.
        let last = round.isMultiple(of: 2) ? 0 : 19
        for number in 0...last {
          try cache.drop("tasks/a.json", Sessions.task(1, "\(round) \(number)"))
          usleep(UInt32.random(in: 0...4000, using: &random))
        }
        if round % 4 < 2 {
          try until("it is published") { try cache.firstTitle() == "\(round) \(last)" }
          // The kernel does not make a disk read-only while a deleted file on it is open, even with O_PATH.
          let held = agent.openFiles(below: cache).filter { $0.contains("(deleted)") }
          #expect(held.isEmpty, "round \(round)")
        }
        usleep(UInt32.random(in: 0...60_000, using: &random))
        let stopwatch = Stopwatch(of: agent.process.pid)
        // Calls the system call directly, because mount(8) would take time itself.
        stopwatch.look()
        while mount(nil, cache.path, nil, UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) != 0 {
          stopwatch.look()
          guard stopwatch.elapsed < .seconds(2) else {
            throw TestFailure("round \(round): not read-only within 2 s: \(agent.openFiles(below: cache))")
          }
          usleep(1000)
        }
        try cache.remount("rw")
        try until("it is published") { try cache.firstTitle() == "\(round) \(last)" }
      }
    }

    @Test("If flushing a directory fails, it is flushed again, even if nothing else is to be written", .needsTracing)
    func failingDirectoryFlush() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      let injection = try Injection("error=EIO", calls: "fsync", into: agent)
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try until("it is tried again") { try agent.status().counter("retries") >= 2 }
      #expect(try !agent.status().isWritable)
      #expect(try cache.firstTitle() == "after")
      #expect(try cache.manifestIsCorrect())
      try injection.end()
      try until("it works again") { try agent.status().isWritable }
    }

    @Test("If a flush shared by many caches fails, every old snapshot stays whole", .needsTracing)
    func failingSharedFlush() throws {
      let parent = try TestCache()
      // A flush is shared from 64 publications on.
      let numbers = 0..<70
      for number in numbers { try parent.drop("c\(number)/tasks/a.json", Sessions.task(1, "before")) }
      let process = try ChildProcess(
        Machine.ownMounts + [Machine.agent, "run", "--caches-in", parent.path, "--time-zone", Machine.zone])
      func title(_ number: Int) throws -> String? {
        guard let bytes = TestCache.read(parent.at("c\(number)/snapshots/todays-tasks.json")) else { return nil }
        let value = bytes.withUnsafeBytes { JSONValue.parse($0) }
        return value?["entries"]?[0]?["content"]?["tasks"]?[0]?["title"]?.string
      }
      try until("all are served") { try numbers.allSatisfy { try title($0) == "before" } }
      // The agent saves last good versions up to a second later, each with its own flush.
      try until("the last good versions are kept") {
        numbers.allSatisfy {
          parent.has("c\($0)/snapshots/manifest.json")
            && (TestCache.read(parent.at("c\($0)/.cachesync/sessions"))?.count ?? 0) > 50
        }
      }
      // A save in progress would be a separate batch, and leave fewer than 64 for the next.
      try process.waitForRest()
      // All caches change while the agent is stopped, so that it publishes them in one batch. When it retries, the
      // batches may be smaller, and their flushes fail too.
      let injection = try Injection("error=EIO", calls: "syncfs,fdatasync", into: process)
      process.signal(SIGSTOP)
      for number in numbers { try parent.drop("c\(number)/tasks/a.json", Sessions.task(1, "after")) }
      process.signal(SIGCONT)
      try until("the failure is told") { process.error.contains("Input/output error") }
      #expect(injection.calls.first?.contains("syncfs(") == true, "\(injection.calls)")
      for number in numbers {
        #expect(try title(number) == "before")
        guard number % 10 == 0 else { continue }
        // On a busy machine a retry may take so long that the disk counts as not responding, until that fails too.
        try until("the failure of c\(number) is told", within: 120) {
          try ChildProcess.run(Machine.agent, "status", "--json", "--cache", parent.at("c\(number)")).output
            .contains("Input/output error")
        }
      }
      try injection.end()
      try until("all are published by themselves") { try numbers.allSatisfy { try title($0) == "after" } }
    }

    @Test(
      "An unreadable file is a problem, and is retried after 5 s and when it changes",
      .needsTracing)
    func unreadableFile() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      func isProblem() throws -> Bool {
        try cache.output("todays-tasks")?["problems"]?[0]?["path"]?.string == "tasks/b.json"
      }
      let first = try Injection("error=EIO", calls: "read", on: cache.at("tasks/b.json"), into: agent.process)
      try cache.drop("tasks/b.json", Sessions.task(2))
      let start = secondsNow()
      try cache.drop("tasks/c.json", Sessions.task(3))
      try until("the others are published") { try cache.taskCount() == 2 }
      try until("it is a problem") { try isProblem() }
      try first.end()
      try until("it is tried again") { try cache.taskCount() == 3 }
      #expect(secondsNow() - start >= 5, "not before the 5 s that a disk gets to recover")
      // On a busy machine the disk may recover only after the first retry.
      let retries = try agent.status().counter("retries")
      #expect(retries >= 1)
      try until("the problem is gone") { try !isProblem() }

      let second = try Injection("error=EIO", calls: "read", on: cache.at("tasks/b.json"), into: agent.process)
      try cache.write("tasks/b.json", Sessions.task(2, "unread"))
      try until("it is a problem again") { try isProblem() }
      #expect(try cache.taskCount() == 3, "the last good version stays")
      try second.end()
      try cache.write("tasks/b.json", Sessions.task(2, "changed"))
      try agent.settled()
      #expect(
        try cache.content("todays-tasks")?["tasks"]?.array?.compactMap { $0["title"]?.string }.contains("changed")
          == true)
      #expect(try agent.status().counter("retries") == retries, "the change was enough")
    }

    @Test(
      "If the log of last good versions is lost while the agent runs, it is written again and reported once",
      arguments: ["rm", "truncate -s 100", "echo mine >"])
    func lostLog(_ accident: String) throws {
      let cache = try TestCache()
      let log = cache.at(".cachesync/sessions")
      for id in 1...3 { try cache.drop("tasks/\(id).json", Sessions.task(id)) }
      var agent: Agent? = try Agent(cache)
      try until("the last good versions are kept") { (TestCache.read(log)?.count ?? 0) > 300 }
      let process = try #require(agent?.process)
      try ChildProcess.shell("\(accident) '\(log)'")
      try cache.drop("tasks/4.json", Sessions.task(4))
      try until("it is noticed") { process.error.contains("\(log) was changed by another program") }
      try until("all are kept again") {
        (1...4).allSatisfy { id in
          let text = TestCache.read(log).map { String(decoding: $0, as: UTF8.self) } ?? ""
          return text.hasPrefix("CacheSync sessions") && text.contains("tasks/\(id).json")
        }
      }
      try agent?.stop()
      #expect(process.error.split(separator: "\n").count { $0.contains("by another program") } == 1)
      // Producers drop bad files while no agent runs: the last good versions in the new log are used.
      for id in 1...4 { try cache.drop("tasks/\(id).json", "{") }
      agent = try Agent(cache)
      try agent?.settled()
      #expect(try cache.taskCount() == 4)
      #expect(agent?.process.error.contains("is good for its first") == false)

      // A log that is damaged at the start is a problem in `status` until the next save.
      try agent?.stop()
      try ChildProcess.shell("echo no record >> '\(log)'")
      agent = try Agent(cache)
      func isReported() throws -> Bool {
        try agent?.status().messages.contains { $0.contains("is good for its") } == true
      }
      #expect(try isReported())
      try cache.drop("tasks/5.json", Sessions.task(5))
      try until("the log is whole again") { try !isReported() }
      #expect(try cache.taskCount() == 5)
    }

    @Test("The agent reads a log of last good versions up to a bad sector, and rewrites the log", .needsTracing)
    func badSector() throws {
      let cache = try TestCache()
      let log = cache.at(".cachesync/sessions")
      func sync(failing: Bool) throws -> ChildProcess.Result {
        let prefix = [
          "strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-P", log, "-e", "trace=pread64", "-e",
          // The second piece of the log.
          "inject=pread64:error=EIO:when=2",
        ]
        let process = try ChildProcess(
          (failing ? prefix : []) + [Machine.agent, "sync", "--cache", cache.path, "--time-zone", Machine.zone])
        let status = try process.wait()
        return ChildProcess.Result(status: status, output: process.output, error: process.error)
      }
      func problems() throws -> Int? { try cache.output("todays-tasks")?["problems"]?.array?.count }
      try cache.drop("tasks/a.json", Sessions.task(1))
      #expect(try sync(failing: false).error == "")
      for id in 2...40 { try cache.drop("tasks/\(id).json", Sessions.task(id, String(repeating: "t", count: 20_000))) }
      #expect(try sync(failing: false).error == "")
      #expect((TestCache.read(log)?.count ?? 0) > 39 * 20_000)
      #expect(try cache.taskCount() == 40)

      try cache.drop("tasks/a.json", "{")
      let result = try sync(failing: true)
      #expect(result.status == 0)
      #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
      #expect(result.error.contains("\(log) is good for its first"), "\(result.error)")
      #expect(result.error.contains("Input/output error"))
      #expect(try cache.taskCount() == 40 && problems() == 1)
      // The log is whole again: the agent reports nothing, and uses every last good version.
      for id in 2...40 { try cache.drop("tasks/\(id).json", "{") }
      #expect(try sync(failing: false).error == "")
      #expect(try cache.taskCount() == 40 && problems() == 40)
    }

    @Test(
      "With durability rename nothing is flushed, and with flush something is", .needsTracing,
      arguments: ["rename", "flush"])
    func durability(_ durability: String) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache, arguments: ["--durability", durability])
      try until("the last good version is kept") { cache.hasLastGood }
      let kept = TestCache.read(cache.at(".cachesync/sessions"))
      let trace = try Injection(nil, calls: "fsync,fdatasync,syncfs,sync_file_range,sync,msync", into: agent.process)
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try agent.settled()
      #expect(try cache.firstTitle() == "after")
      // The last good versions are saved up to a second later.
      try until("and the new one") { TestCache.read(cache.at(".cachesync/sessions")) != kept }
      if durability == "flush" {
        try until("it is flushed") { trace.calls.contains { $0.contains("fdatasync(") && $0.contains("/sessions>") } }
      }
      try trace.end()
      #expect(trace.calls.isEmpty == (durability == "rename"), "\(trace.calls)")
    }

    @Test(
      "A file of mode 000 is a problem for an agent that is not root, until its mode changes", .needsRoot,
      .needs("setpriv"))
    func forbiddenFile() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.drop("tasks/b.json", Sessions.task(2))
      try ChildProcess.shell("chmod 000 '\(cache.path)/tasks/b.json' && chown -R 65534:65534 '\(cache.path)'")
      // The build directory may be one that only root can enter.
      try ChildProcess.shell("install -m 755 '\(Machine.agent)' '\(cache.path).agent'")
      let process = try ChildProcess([
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", cache.path + ".agent", "run", "--cache",
        cache.path,
        "--time-zone", Machine.zone,
      ])
      try until("the other is published") { try cache.taskCount() == 1 }
      try until("it is a problem") {
        try cache.output("todays-tasks")?["problems"]?[0]?["path"]?.string == "tasks/b.json"
      }
      chmod(cache.at("tasks/b.json"), 0o644)
      try until("it is read at once", by: process, within: 3) { try cache.taskCount() == 2 }
      #expect(process.isRunning)
    }
  }
}

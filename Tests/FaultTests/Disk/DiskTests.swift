import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Disk") struct Disk {
    /// Drops a session that cannot be published, sees that nothing worse happens, ends the obstacle, and sees it published.
    private func expectPatience(
      _ cache: TestCache, _ agent: Agent, naming words: String, obstacle: () throws -> Void, end: () throws -> Void,
      write: () throws -> Void
    ) throws {
      try obstacle()
      let before = cache.outputs()
      try write()
      try until("the obstacle is named") { try agent.status().messages.contains { $0.contains(words) } }
      let status = try agent.status()
      #expect(!status.isWritable && status.code == 0)
      let busy = try cpuSeconds(of: agent)
      // Several tries happen in this time, and none may show.
      try until("it is tried again") { try agent.status().counter("retries") >= 2 }
      #expect(try cpuSeconds(of: agent) - busy < 2, "no busy loop")
      for (name, bytes) in before { #expect(cache.outputs()[name] == bytes, "\(name) stays as it was") }
      #expect(cache.temporaries.isEmpty)
      #expect(occurrences(of: words, in: agent.process.error) == 1, "told once: \(agent.process.error)")
      try end()
      try until("it is published by itself", within: 30) { try cache.firstTitle() == "after" }
      try agent.settled()
      #expect(try agent.status().isWritable)
      #expect(try agent.status().messages.isEmpty)
      #expect(try cache.manifestIsTrue())
      #expect(cache.temporaries.isEmpty)
    }

    private func occurrences(of words: String, in text: String) -> Int {
      text.split(separator: "\n").filter { $0.contains(words) }.count
    }

    private func cpuSeconds(of agent: Agent) throws -> Double {
      let fields = String(decoding: TestCache.read("/proc/\(agent.process.pid)/stat") ?? [], as: UTF8.self).split(
        separator: " ")
      guard fields.count > 15, let user = Double(fields[13]), let system = Double(fields[14]) else { return 0 }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test("A full disk keeps the old snapshots whole, and sync beside the agent says why it cannot", .needsRoot)
    func fullDisk() throws {
      let cache = try TestCache()
      try cache.mountMemory("size=64k")
      try cache.drop("tasks/a.json", Sessions.task(1, "befor"))
      let agent = try Agent(cache)
      try expectPatience(cache, agent, naming: "No space left on device") {
        try cache.fill("filling")
      } end: {
        cache.remove("filling")
      } write: {
        // In place and no longer than before, because the disk is full for the producer too.
        let file = open(cache.at("tasks/a.json"), O_WRONLY | O_CLOEXEC)
        let bytes = Array(Sessions.task(1, "after").utf8)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
        try until("it is noticed") { try !agent.status().isWritable }
        #expect(try [73, 74].contains(agent.ask("sync").status))
      }
    }

    @Test("A disk without inodes keeps the old snapshots whole", .needsRoot)
    func noInodes() throws {
      let cache = try TestCache()
      try cache.mountMemory("size=1m,nr_inodes=40")
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      try expectPatience(cache, agent, naming: "No space left on device") {
        for number in 0..<100 { try? cache.write("filling\(number)", "") }
      } end: {
        for number in 0..<100 { cache.remove("filling\(number)") }
      } write: {
        try cache.write("tasks/a.json", Sessions.task(1, "after"))
      }
    }

    @Test(
      "A disk that becomes read-only does so in spite of the lock, and status works on it", .needs("mkfs.ext4", "mount")
    )
    func readOnlyRemount() throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      let before = cache.outputs()
      try cache.remount("ro")
      let status = try agent.status()
      #expect(status.code == 0 && !status.isWritable)
      #expect(status.value["hearing"]?.bool == true)
      #expect(cache.outputs() == before)
      try cache.remount("rw")
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try until("it is published", within: 30) { try cache.firstTitle() == "after" }
      #expect(try agent.status().isWritable)
    }

    @Test("An agent that starts on a read-only disk tries on and publishes when it may", .needs("mkfs.ext4", "mount"))
    func readOnlyAtTheStart() throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try cache.remount("ro")
      #expect(try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path).status == 73)
      let agent = try Agent(cache, awaitingStart: false)
      try until("it says what is wrong") { try agent.status().messages.contains { $0.contains("Read-only") } }
      try cache.remount("rw")
      try until("it is published by itself", within: 30) { try cache.firstTitle() == "after" }
      #expect(try agent.status().isWritable)
    }

    @Test(
      "A system call that fails leaves the old snapshots whole and is tried again", .needs("strace"),
      arguments: [
        ("fdatasync", "EIO", "Input/output error"), ("renameat", "EIO", "Input/output error"),
        ("renameat", "EACCES", "Permission denied"),
      ])
    func failingCall(_ call: String, _ error: String, _ words: String) throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      var injection: Injection?
      try expectPatience(cache, agent, naming: words) {
        injection = try Injection("error=\(error)", calls: call, into: agent)
      } end: {
        try injection?.end()
      } write: {
        try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      }
    }

    @Test("A directory that cannot be flushed is flushed again, though nothing new is to be written", .needs("strace"))
    func failingDirectoryFlush() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      let injection = try Injection("error=EIO", calls: "fsync", into: agent)
      try cache.drop("tasks/a.json", Sessions.task(1, "after"))
      try until("it is tried again") { try agent.status().counter("retries") >= 2 }
      #expect(try !agent.status().isWritable)
      #expect(try cache.firstTitle() == "after")
      #expect(try cache.manifestIsTrue())
      try injection.end()
      try until("it works again", within: 30) { try agent.status().isWritable }
    }

    @Test("Shared flushes of many caches that fail leave every old snapshot whole", .needs("strace"))
    func failingSharedFlush() throws {
      let parent = try TestCache()
      for number in 0..<6 { try parent.drop("c\(number)/tasks/a.json", Sessions.task(1, "before")) }
      let process = try ChildProcess([Machine.agent, "run", "--caches-in", parent.path, "--time-zone", "UTC"])
      func title(_ number: Int) throws -> String? {
        guard let bytes = TestCache.read(parent.at("c\(number)/snapshots/todays-tasks.json")) else { return nil }
        let value = bytes.withUnsafeBytes { JSONValue.parse($0) }
        return value?["entries"]?[0]?["content"]?["tasks"]?[0]?["title"]?.string
      }
      try until("all are served") { try (0..<6).allSatisfy { try title($0) == "before" } }
      let strace = try ChildProcess([
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=syncfs,fdatasync", "-e",
        "inject=syncfs,fdatasync:error=EIO", "-p", String(process.pid),
      ])
      try until("strace is attached") {
        !String(decoding: TestCache.read("/proc/\(process.pid)/status") ?? [], as: UTF8.self).contains(
          "TracerPid:\t0\n")
      }
      for number in 0..<6 { try parent.drop("c\(number)/tasks/a.json", Sessions.task(1, "after")) }
      try until("the failure is told") { process.error.contains("Input/output error") }
      for number in 0..<6 { #expect(try title(number) == "before") }
      strace.signal(SIGINT)
      try strace.wait()
      try until("all are published by themselves", within: 30) { try (0..<6).allSatisfy { try title($0) == "after" } }
    }

    @Test("A file that cannot be read is a problem of its own and is read when it can be", .needs("strace"))
    func unreadableFile() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      let strace = try ChildProcess([
        "strace", "-f", "-qq", "-o", "/dev/null", "-P", cache.at("tasks/b.json"), "-e", "trace=read", "-e",
        "inject=read:error=EIO", "-p", String(agent.process.pid),
      ])
      try until("strace is attached") {
        !String(decoding: TestCache.read("/proc/\(agent.process.pid)/status") ?? [], as: UTF8.self).contains(
          "TracerPid:\t0\n")
      }
      try cache.drop("tasks/b.json", Sessions.task(2))
      try cache.drop("tasks/c.json", Sessions.task(3))
      try until("the others are published") { try cache.taskCount() == 2 }
      try until("it is a problem") {
        try cache.output("todays-tasks")?["problems"]?[0]?["path"]?.string == "tasks/b.json"
      }
      strace.signal(SIGINT)
      try strace.wait()
      try until("it is tried again after 5 s", within: 12) { try cache.taskCount() == 3 }
      #expect(try agent.status().counter("retries") >= 1)
    }

    @Test("A file of mode 000 is a problem for an agent that is not root, until the mode changes", .needs("setpriv"))
    func forbiddenFile() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      try cache.drop("tasks/b.json", Sessions.task(2))
      try ChildProcess.shell("chmod 000 '\(cache.path)/tasks/b.json' && chown -R 65534:65534 '\(cache.path)'")
      // The products may lie where only root may go.
      try ChildProcess.shell("install -m 755 '\(Machine.agent)' '\(cache.path).agent'")
      let process = try ChildProcess([
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", cache.path + ".agent", "run", "--cache",
        cache.path,
        "--time-zone", "UTC",
      ])
      try until("the other is published") { try cache.taskCount() == 1 }
      try until("it is a problem") {
        try cache.output("todays-tasks")?["problems"]?[0]?["path"]?.string == "tasks/b.json"
      }
      chmod(cache.at("tasks/b.json"), 0o644)
      try until("it is read at once", within: 3) { try cache.taskCount() == 2 }
      #expect(process.isRunning)
    }
  }
}

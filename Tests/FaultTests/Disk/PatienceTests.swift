import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Retries") struct Patience {
    /// Drops a session that cannot be published, checks that nothing worse happens, removes the obstacle, and checks
    /// that it is published. The exact times of the retries are tested by `WaitingTests`, with a clock that the test
    /// sets.
    private func expectPatience(
      _ cache: TestCache, _ agent: Agent, naming words: String, obstacle: () throws -> Void, end: () throws -> Void,
      write: () throws -> Void
    ) throws {
      let start = secondsNow()
      try obstacle()
      let before = cache.outputs()
      try write()
      try until("the obstacle is named") { try agent.status().messages.contains { $0.contains(words) } }
      let status = try agent.status()
      #expect(!status.isWritable && status.code == 0)
      try until("it is tried again") { try agent.status().counter("retries") >= 2 }
      let used = agent.process.processorSecondsInOne()
      #expect(used < 0.3, "\(used) s of the processor in a second: a busy loop")
      // The agent retries after 1 s, 2 s, 4 s and so on. So no second has two tries, except those that a command
      // requests.
      let retries = try agent.status().counter("retries")
      #expect(retries <= Int(secondsNow() - start) + 2, "\(retries) tries in \(secondsNow() - start) s")
      for (name, bytes) in before { #expect(cache.outputs()[name] == bytes, "\(name) stays as it was") }
      #expect(cache.temporaries.isEmpty)
      #expect(occurrences(of: words, in: agent.process.error) == 1, "told once: \(agent.process.error)")
      try end()
      try until("it is published by itself") { try cache.firstTitle() == "after" }
      try agent.settled()
      #expect(try agent.status().isWritable)
      #expect(try agent.status().messages.isEmpty)
      #expect(try cache.manifestIsCorrect())
      #expect(cache.temporaries.isEmpty)
    }

    private func occurrences(of words: String, in text: String) -> Int {
      text.split(separator: "\n").filter { $0.contains(words) }.count
    }

    @Test(
      "On a full disk the old snapshots stay whole, and sync with a running agent reports the reason", .needsMounts,
      arguments: ["flush", "rename"])
    func fullDisk(durability: String) throws {
      let cache = try TestCache()
      try cache.mountMemory("size=64k")
      try cache.drop("tasks/a.json", Sessions.task(1, "befor"))
      let agent = try Agent(cache, arguments: ["--durability", durability])
      try expectPatience(cache, agent, naming: "No space left on device") {
        try cache.fill("filling")
      } end: {
        cache.remove("filling")
      } write: {
        // The producer overwrites the file with no more bytes than before, because the disk is full for it too.
        let file = open(cache.at("tasks/a.json"), O_WRONLY | O_CLOEXEC)
        let bytes = Array(Sessions.task(1, "after").utf8)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
        try until("it is noticed") { try !agent.status().isWritable }
        #expect(try [73, 74].contains(agent.ask("sync").status))
      }
    }

    @Test("On a disk without inodes the old snapshots stay whole", .needsMounts)
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
      "A disk can become read-only despite the lock; status still works, and the agent continues once it is writable",
      .needsLoopDevices)
    func readOnlyRemount() throws {
      let cache = try TestCache()
      try cache.mountDisk()
      try cache.drop("tasks/a.json", Sessions.task(1, "before"))
      let agent = try Agent(cache)
      // The session is written before the disk becomes read-only, and published only afterwards. A disk with a file
      // open for writing cannot be made read-only, so the agent is stopped when it has none.
      try until("it writes nothing") {
        agent.process.signal(SIGSTOP)
        if (try? cache.remount("ro")) != nil { return true }
        agent.process.signal(SIGCONT)
        return false
      }
      try cache.remount("rw")
      try expectPatience(cache, agent, naming: "Read-only file system") {
        try cache.drop("tasks/a.json", Sessions.task(1, "after"))
        try cache.remount("ro")
        agent.process.signal(SIGCONT)
      } end: {
        #expect(try agent.status().value["hearing"]?.bool == true)
        try cache.remount("rw")
      } write: {
      }
    }

    @Test(
      "If a system call fails, the old snapshots stay whole, and it is retried", .needsTracing,
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
  }
}

import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

extension Faults {
  @Suite("Deletion") struct Deletion {
    @Test("If the only cache is removed during the start, after its first publication, it is served when it returns")
    func goneDuringTheStart() throws {
      for round in 0..<16 {
        let cache = try TestCache()
        try cache.drop("tasks/a.json", Sessions.task(1, "before"))
        let agent = try Agent(cache, awaitingStart: false)
        let deadline = secondsNow() + 20
        while !cache.has("snapshots/manifest.json"), secondsNow() < deadline { usleep(50) }
        usleep([0, 0, 100, 1000][round / 2 % 4])
        // A rename removes the cache at once, and rm -rf file by file.
        if round.isMultiple(of: 2) {
          #expect(rename(cache.path, cache.path + ".away") == 0)
        } else {
          try ChildProcess.shell("rm -rf '\(cache.path)'")
        }
        #expect(mkdir(cache.path, 0o755) == 0)
        try cache.drop("tasks/a.json", Sessions.task(1, "after"))
        try until("round \(round): it is served again, or the agent ended") {
          try cache.firstTitle() == "after" || !agent.process.isRunning
        }
        #expect(agent.process.isRunning, "round \(round): \(agent.process.error)")
      }
    }

    @Test("rm -rf of a cache right after a publication succeeds, and the agent goes on")
    func deletedAfterPublication() throws {
      let caches = try (0..<10).map { _ in try TestCache() }
      let agents = try caches.map { cache in
        try cache.drop("tasks/a.json", Sessions.task(1, "start"))
        return try Agent(cache)
      }
      var random = SeededGenerator(state: 10)
      for round in 0..<5 {
        var due: [(moment: Double, cache: TestCache)] = []
        for cache in caches {
          // Enough files that the agent gets the events of the deletion while rm is running.
          try cache.makeDirectory("tasks/more")
          for number in 0..<60 { try cache.write("tasks/more/\(number).json", Sessions.task(2 + number, "z")) }
          try cache.drop("tasks/a.json", Sessions.task(1, "round \(round)"))
          try until("round \(round) is published") { try cache.firstTitle() == "round \(round)" }
          // The last good versions are saved a second later.
          due.append((secondsNow() + Double.random(in: 0...1.5, using: &random), cache))
        }
        for (moment, cache) in due.sorted(by: { $0.moment < $1.moment }) {
          usleep(UInt32(max(0, moment - secondsNow()) * 1e6))
          try cache.delete()
          #expect(!cache.has("."), "round \(round)")
        }
        for cache in caches { #expect(mkdir(cache.path, 0o755) == 0) }
      }
      for (cache, agent) in zip(caches, agents) {
        try cache.drop("tasks/a.json", Sessions.task(1, "end"))
        try until("it is served again") { try cache.firstTitle() == "end" }
        #expect(agent.process.isRunning)
      }
    }

    @Test("During a deletion, the agent restores nothing in its own directory")
    func halfDeleted() throws {
      let cache = try TestCache()
      for name in ["a", "b"] { try cache.drop("tasks/\(name).json", Sessions.task(1)) }
      let agent = try Agent(cache)
      try until("the last good versions are kept") { cache.hasLastGood }
      // rm -r also deletes the files in a directory before the directory itself.
      agent.process.signal(SIGSTOP)
      cache.remove("tasks/a.json")
      for name in try FileManager.default.contentsOfDirectory(atPath: cache.at(".cachesync")) {
        cache.remove(".cachesync/\(name)")
      }
      let removed = Instant.now
      agent.process.signal(SIGCONT)
      // The agent gets the session's event immediately, but does not touch its directory for half a second. The
      // kernel's stamps show when it has restored something.
      try until("the agent takes its lock again") { cache.has(".cachesync/lock") }
      try expectPause(since: removed, in: cache)
      // It publishes then, and rm would find new files. The lock's file exists before it is locked and requests are
      // answered.
      try agent.untilItServes()
      try cache.delete()
      #expect(mkdir(cache.path, 0o755) == 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "again"))
      try until("it is served again") { try cache.firstTitle() == "again" }
    }

    /// Expects that no file in the agent's own directory was written in the half second after it was emptied.
    private func expectPause(since moment: Instant, in cache: TestCache) throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: cache.at(".cachesync"))
      let returned = names.compactMap { FileStamps(cache.at(".cachesync/\($0)"))?.changed }.min()
      #expect(try #require(returned) - moment >= .milliseconds(500) - FileStamps.tick, "\(names)")
    }

    @Test("If the agent first saves last good versions during a deletion, it creates no file that blocks the deletion")
    func deletedDuringTheFirstSave() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache, awaitingStart: false)
      // Here the mark of the flush is the publication's last file.
      try until("it is published and on disk") { cache.has(".cachesync/\(CacheLayout.flushed)") }
      // rm -r also deletes only what it listed. The save is due a second after the publication, while the lock still
      // exists.
      let listed = try FileManager.default.contentsOfDirectory(atPath: cache.at(".cachesync"))
      cache.remove(".cachesync/socket")
      try until("the last good versions are saved") { cache.hasLastGood }
      let removed = Instant.now
      for name in listed { cache.remove(".cachesync/\(name)") }
      // On a busy machine the test may take longer than the half second that the agent allows for a deletion.
      if rmdir(cache.at(".cachesync")) != 0 { try expectPause(since: removed, in: cache) }
      try cache.delete()
      #expect(mkdir(cache.path, 0o755) == 0)
      try cache.drop("tasks/a.json", Sessions.task(1, "again"))
      try until("it is served again") { try cache.firstTitle() == "again" }
      #expect(agent.process.isRunning)
    }

    @Test(
      "While a tree of 2,000 session files is deleted, publications are at least 10 ms apart, and the last one is empty"
    )
    func treeDeleted() throws {
      let cache = try TestCache()
      for number in 0..<2000 { try cache.drop("tasks/\(number % 50)/\(number).json", Sessions.task(number)) }
      let agent = try Agent(cache)
      let before = try agent.settled()
      let start = secondsNow()
      try ChildProcess.shell("rm -rf '\(cache.path)/tasks'")
      try until("it is empty") { try cache.output("todays-tasks")?["entries"]?[0]?["state"]?.string == "empty" }
      let generation = try agent.settled()
      let seconds = secondsNow() - start
      #expect(generation - before <= Int(seconds * 100) + 2, "\(generation - before) publications in \(seconds) s")
      #expect(try cache.taskCount() == 0)
    }
  }
}

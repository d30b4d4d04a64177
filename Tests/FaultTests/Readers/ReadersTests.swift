import CacheSync
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

extension Faults {
  @Suite("Readers") struct Readers {
    @Test(
      "While 50 sessions of every feed are dropped a second, four readers see no torn, missing or older file",
      .timeLimit(.minutes(10)), arguments: ["flush", "rename"])
    func fourReadersUnderDrops(_ durability: String) throws {
      let cache = try TestCache()
      for feed in Sessions.feeds {
        try cache.drop("\(Sessions.directory(of: feed))/0.json", Sessions.session(of: feed, 0))
      }
      let agent = try Agent(cache, arguments: ["--durability", durability])
      let readers = ReaderLoop(cache, readers: 4)
      let generation = try #require(try cache.generation())
      let start = secondsNow()
      let drops = Int(setting("FAULTS_SECONDS", or: 10)) * 50
      var drop = 0
      // On a busy machine the agent publishes fewer sets. The drops go on until readers have seen some.
      while try drop < drops || cache.generation() ?? 0 <= generation + 10, secondsNow() - start < 120 {
        drop += 1
        let feed = Sessions.feeds[drop % Sessions.feeds.count]
        try cache.drop("\(Sessions.directory(of: feed))/\(drop % 40).json", Sessions.session(of: feed, drop))
        let rest = start + Double(drop) / 50 - secondsNow()
        if rest > 0 { usleep(UInt32(rest * 1e6)) }
      }
      let last = try agent.settled()
      let (reads, faults) = readers.end()
      #expect(faults.isEmpty, "\(faults.prefix(5))")
      #expect(reads > 1000 && last > generation + 10, "\(reads) files read of \(last) generations")
      #expect(try cache.comparable() == cache.freshlySynced())
    }

    @Test("A reader that compares generations with the manifest never accepts a mixed set", .timeLimit(.minutes(10)))
    func neverAMixedSet() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.tasks(1))
      let agent = try Agent(cache, arguments: ["--durability", "rename"])
      let churn = Churn { round in try? cache.drop("tasks/a.json", Sessions.tasks(round % 97 + 1)) }
      let reader = SnapshotReader(cache: FilePath(cache.path))
      var counts: Set<Int> = []
      // Mixed sets that a reader without the comparison saw. Without any, the comparing reader would have none to
      // refuse.
      var mixed = 0
      let start = secondsNow()
      while mixed < 10 || counts.count < 20, secondsNow() - start < 120 {
        let one = try cache.content("task-count")?["count"]?.int
        if try cache.taskCount() != one { mixed += 1 }
        guard let set = try consistent(reader) else { continue }
        let count = set.snapshots["todays-tasks"]?.entries[0].content["count"]?.int
        counts.insert(count ?? -1)
        #expect(set.snapshots["task-count"]?.entries[0].content["count"]?.int == count)
        #expect(set.snapshots["task-progress"]?.entries[0].content["total"]?.int == count)
        #expect(set.snapshots.values.allSatisfy { $0.generation <= set.generation })
      }
      churn.end()
      try agent.settled()
      #expect(mixed >= 10 && counts.count >= 20, "\(mixed) mixed sets seen, \(counts.count) different ones accepted")
    }

    @Test(
      "On FUSE, where a file that is replaced is missing for moments, the library and show find every file", .needsFUSE,
      .timeLimit(.minutes(10)))
    func replacementOnFUSE() throws {
      let (front, behind) = (try TestCache(), try TestCache())
      try ChildProcess.shell("bindfs '\(behind.path)' '\(front.path)'")
      try front.drop("tasks/a.json", Sessions.tasks(7))
      try #require(ChildProcess.run(Machine.agent, "sync", "--cache", front.path).status == 0)
      let names = ["tasks/a.json", "snapshots/task-count.json", "snapshots/manifest.json"]
      let files = try names.map { try #require(TestCache.read(front.at($0))) }
      // The same bytes again and again, each by a rename over the last.
      let churn = Churn { round in try? front.drop(names[round % 3], String(decoding: files[round % 3], as: UTF8.self))
      }
      let reader = SnapshotReader(cache: FilePath(front.path))
      var gaps = 0
      let start = secondsNow()
      var shows = 0
      while gaps < 20 || shows < 20, secondsNow() - start < 120 {
        for _ in 0..<50 {
          if TestCache.read(front.at(names[1])) == nil { gaps += 1 }
          #expect(try reader.snapshot("task-count").entries[0].content["count"]?.int == 7)
          #expect(try reader.consistent(["task-count"]).snapshots.count == 1)
          #expect(reader.kinds().contains("task-count"))
        }
        let show = try ChildProcess.run(Machine.agent, "show", "task-count", "--format", "line", "--cache", front.path)
        #expect(show.status == 0 && show.output.hasPrefix("7 tasks"), "\(show)")
        shows += 1
      }
      churn.end()
      // A machine may show no gap. Then this proves nothing, and says so.
      if gaps == 0 { print("no gap seen in \(shows * 50) reads: the test proved nothing here") }
    }

    /// A consistent set, or nil if publications were too fast.
    private func consistent(_ reader: SnapshotReader) throws -> SnapshotReader.Consistent? {
      let set = Result { try reader.consistent() }
      if case .failure(let error) = set, error as? SnapshotError == .changing { return nil }
      return try set.get()
    }

    @Test(
      "If an agent is killed before either shared flush, every output is old or new, and the next run repairs the rest",
      .needsPtrace, arguments: [1, 2])
    func killedAtSharedFlush(_ n: Int) throws {
      let parent = try TestCache()
      // A flush is shared from 64 publications on.
      let names = (0..<70).map { "c\($0)" }
      for name in names { try parent.drop("\(name)/tasks/a.json", Sessions.task(1)) }
      func sync() throws -> Int32 {
        try ChildProcess.run(Machine.agent, "sync", "--caches-in", parent.path, "--time-zone", Machine.zone).status
      }
      func outputs(_ name: String) -> [String: [UInt8]] { TestCache.files(in: parent.at("\(name)/snapshots")) }
      #expect(try sync() == 0)
      let old = outputs("c0")
      for name in names { try parent.drop("\(name)/tasks/a.json", Sessions.tasks(3)) }
      let killed = try ChildProcess([
        Machine.helper, "kill", "\(n)/syncfs", Machine.agent, "run", "--caches-in", parent.path, "--time-zone",
        Machine.zone,
      ])
      #expect(try killed.wait() == 137)
      let found = try names.map { try TestCache.comparable(outputs($0)) }
      #expect(try sync() == 0)
      let new = try TestCache.comparable(outputs("c0"))
      let before = try TestCache.comparable(old)
      for outputs in found {
        #expect(
          outputs == (n == 1 ? before : new), "nothing is renamed before the first flush, everything before the second")
      }
      for name in names {
        #expect(try TestCache.comparable(outputs(name)) == new)
        let state = try FileManager.default.contentsOfDirectory(atPath: parent.at("\(name)/.cachesync"))
        #expect(!state.contains { $0.hasPrefix("tmp") })
      }
    }

    @Test("After 40 kills of run under churn, files are whole, generations unique, and outputs those of a fresh sync")
    func runKilledUnderChurn() throws {
      let cache = try TestCache()
      try cache.drop("tasks/0.json", Sessions.task(0))
      let readers = ReaderLoop(cache, readers: 4)
      let churn = Churn { round in
        let number = round % 30
        if round % 7 == 3 { cache.remove("tasks/\(number).json") }
        if round % 11 == 5 { try? cache.write("tasks/\(number).json", "{") }
        try? cache.drop("tasks/\(number).json", Sessions.task(number, "round \(round)"))
        usleep(2000)
      }
      let seed = setting("FAULTS_SEED", or: 4)
      var generator = SeededGenerator(state: seed)
      try Agent(cache).stop(SIGKILL)
      for round in 0..<setting("FAULTS_KILLS", or: 40) {
        let before = try cache.generation() ?? 0
        let agent = try Agent(cache, awaitingStart: false)
        try until("it has the lock") { agent.holdsLock }
        // Otherwise, on a busy machine, few would reach their first publication.
        if round % 3 == 0 { try until("it publishes") { try (cache.generation() ?? 0) > before } }
        usleep(UInt32.random(in: 0...200_000, using: &generator))
        try agent.stop(SIGKILL)
      }
      churn.end()
      let (reads, faults) = readers.end()
      #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(5))")
      let generation = try cache.generation() ?? 0
      #expect(reads > 1000 && generation > 13, "\(reads) files read of \(generation) generations")
      let agent = try Agent(cache)
      try agent.settled()
      #expect(cache.temporaries.isEmpty)
      #expect(try cache.manifestIsCorrect())
      #expect(try cache.comparable() == cache.freshlySynced(), "seed \(seed)")
    }

    @Test("Power loss with durability flush leaves no empty or partial snapshot", .needsLoopDevices)
    func powerLoss() throws {
      let cache = try TestCache()
      try cache.mountDisk(options: "loop,noauto_da_alloc")
      for round in 1...6 {
        try cache.drop("tasks/a.json", Sessions.tasks(round))
        var agent: Agent? = try Agent(cache)
        let churn = Churn { round in
          try? cache.drop("tasks/a.json", Sessions.tasks(round % 60 + 1))
          usleep(1000)
        }
        // The test cuts the power during a publication, not before it.
        let generation = try #require(try cache.generation())
        try until("it publishes") { try (cache.generation() ?? 0) >= generation + 4 + round }
        #expect(try ChildProcess.run(Machine.helper, "cut", cache.path).status == 0)
        churn.end()
        try agent?.stop(SIGKILL)
        agent = nil
        try cache.unmount()
        try until("the disk is free again") {
          try ChildProcess.run("/bin/sh", "-c", "losetup -j '\(cache.path).img' | grep -q .").status != 0
        }
        try cache.mountDiskAgain(options: "loop,noauto_da_alloc")
        let outputs = cache.outputs()
        #expect(outputs.count > 3)
        _ = try TestCache.comparable(outputs)
        #expect(
          try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path, "--time-zone", Machine.zone).status == 0)
        #expect(try cache.manifestIsCorrect())
        #expect(cache.temporaries.isEmpty)
      }
    }
  }
}

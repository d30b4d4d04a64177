import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Readers") struct Readers {
    @Test(
      "Four readers see no torn, missing or older file while 50 sessions a second are dropped", .timeLimit(.minutes(3)))
    func fourReadersUnderDrops() throws {
      let cache = try TestCache()
      try cache.drop("tasks/0.json", Sessions.task(0))
      let agent = try Agent(cache, arguments: ["--durability", "rename"])
      let readers = ReaderLoop(cache, readers: 4)
      let seconds = Double(setting("FAULTS_SECONDS", or: 60))
      let start = secondsNow()
      var drops = 0
      while secondsNow() - start < seconds {
        drops += 1
        try cache.drop("tasks/\(drops % 40).json", Sessions.task(drops % 40, "drop \(drops)"))
        let next = start + Double(drops) / 50
        let rest = next - secondsNow()
        if rest > 0 { usleep(UInt32(rest * 1e6)) }
      }
      try agent.settled()
      let (reads, faults) = readers.end()
      #expect(faults.isEmpty, "\(faults.prefix(5))")
      #expect(reads > 1000)
      #expect(drops > Int(seconds * 40))
      #expect(try cache.comparable() == cache.freshlySynced())
    }

    @Test("A reader that compares generations with the manifest never accepts a mixed set")
    func neverAMixedSet() throws {
      let cache = try TestCache()
      try cache.drop("tasks/a.json", Sessions.tasks(1))
      let agent = try Agent(cache)
      let churn = Churn { round in try? cache.drop("tasks/a.json", Sessions.tasks(round % 97 + 1)) }
      var accepted = 0
      var refused = 0
      var counts: Set<Int> = []
      let start = secondsNow()
      while secondsNow() - start < 10 {
        guard let manifest = try cache.output("manifest"), let files = manifest["files"]?.object else { continue }
        var values: [String: JSONValue] = [:]
        for name in files.keys { values[name] = try cache.output(String(name.dropLast(5))) }
        guard files.allSatisfy({ values[$0.key]?["generation"]?.int == $0.value["generation"]?.int }) else {
          refused += 1
          continue
        }
        accepted += 1
        let count = values["todays-tasks.json"]?["entries"]?[0]?["content"]?["count"]?.int
        counts.insert(count ?? -1)
        #expect(values["task-count.json"]?["entries"]?[0]?["content"]?["count"]?.int == count)
        #expect(values["task-progress.json"]?["entries"]?[0]?["content"]?["total"]?.int == count)
      }
      churn.end()
      try agent.settled()
      #expect(accepted > 20 && counts.count > 5, "\(accepted) sets accepted, \(refused) refused")
    }

    @Test(
      "sync killed before any of its system calls leaves every output old or new, and the next run repairs", .needsRoot)
    func syncKilledEverywhere() throws {
      let cache = try TestCache()
      func sync() throws -> ChildProcess.Result {
        try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path, "--time-zone", "UTC")
      }
      try cache.drop("tasks/a.json", Sessions.task(1))
      #expect(try sync().status == 0)
      try ChildProcess.shell("cp -a '\(cache.path)' '\(cache.path).old'")
      let old = cache.outputs()
      try cache.drop("tasks/a.json", Sessions.tasks(3))
      let new = try cache.freshlySynced()
      var n = 0
      var killed = 0
      while true {
        n += 1
        try ChildProcess.shell(
          "cd '\(cache.path)' && rm -rf snapshots .cachesync && cp -a '\(cache.path).old/snapshots' '\(cache.path).old/.cachesync' ."
        )
        let status = try ChildProcess.run(
          Machine.helper, "kill", String(n), Machine.agent, "sync", "--cache", cache.path, "--time-zone", "UTC"
        ).status
        let found = cache.outputs()
        let comparable = try TestCache.comparable(found)
        for (name, bytes) in found where old[name] != bytes {
          #expect(comparable[name] == new[name], "\(name) is neither old nor new after a kill before call \(n)")
        }
        #expect(Set(found.keys) == Set(old.keys))
        #expect(try sync().status == 0)
        #expect(try cache.comparable() == new, "after a kill before call \(n)")
        #expect(try cache.manifestIsTrue())
        #expect(cache.temporaries.isEmpty, "\(cache.temporaries) after a kill before call \(n)")
        if status == 0 { break }
        #expect(status == 137)
        killed += 1
        guard killed < 1000 else { throw TestFailure("sync makes no end of system calls") }
      }
      #expect(killed > 20)
    }

    @Test("run killed 200 times under churn: whole files, no generation for two contents, and then as a fresh sync")
    func runKilledUnderChurn() throws {
      let cache = try TestCache()
      try cache.drop("tasks/0.json", Sessions.task(0))
      let readers = ReaderLoop(cache, readers: 1)
      let churn = Churn { round in
        let number = round % 30
        if round % 7 == 3 { cache.remove("tasks/\(number).json") }
        if round % 11 == 5 { try? cache.write("tasks/\(number).json", "{") }
        try? cache.drop("tasks/\(number).json", Sessions.task(number, "round \(round)"))
        usleep(2000)
      }
      let seed = setting("FAULTS_SEED", or: 4)
      var generator = SeededGenerator(state: seed)
      for _ in 0..<setting("FAULTS_KILLS", or: 200) {
        let agent = try Agent(cache, awaitingStart: false)
        usleep(UInt32.random(in: 20_000...220_000, using: &generator))
        try agent.stop(SIGKILL)
      }
      churn.end()
      let (_, faults) = readers.end()
      #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(5))")
      let agent = try Agent(cache)
      try agent.settled()
      #expect(cache.temporaries.isEmpty)
      #expect(try cache.manifestIsTrue())
      #expect(try cache.comparable() == cache.freshlySynced(), "seed \(seed)")
    }

    @Test("Power loss with durability flush leaves no empty or partial snapshot", .needs("mkfs.ext4", "mount"))
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
        usleep(UInt32(200_000 + 30_000 * round))
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
        #expect(try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path, "--time-zone", "UTC").status == 0)
        #expect(try cache.manifestIsTrue())
        #expect(cache.temporaries.isEmpty)
      }
    }
  }
}

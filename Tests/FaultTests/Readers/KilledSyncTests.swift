import CacheSync
import Testing

extension Faults {
  @Suite("Killed sync") struct KilledSync {
    /// The state before `sync` is killed, and what `sync` is to publish.
    enum Publishing: String, CustomTestStringConvertible {
      case first, changed, withNewOutputs

      var testDescription: String { rawValue }
    }

    @Test(
      "If sync is killed before any system call, every output is old or new, and the next run repairs the rest",
      .needsPtrace,
      arguments: [
        (Publishing.first, Durability.flush), (.changed, .flush), (.withNewOutputs, .rename),
      ])
    func syncKilledEverywhere(_ publishing: Publishing, _ durability: Durability) throws {
      let cache = try TestCache()
      let command = [
        Machine.agent, "sync", "--cache", cache.path, "--time-zone", Machine.zone, "--durability", durability.rawValue,
      ]
      if publishing != .first {
        try cache.drop("tasks/a.json", Sessions.task(1))
        try cache.sync(durability: durability)
        try ChildProcess.shell(
          "mkdir '\(cache.path).old' && cd '\(cache.path)' && cp -a snapshots .cachesync '\(cache.path).old'")
      }
      let old = cache.outputs()
      try cache.drop("tasks/a.json", Sessions.tasks(3))
      if publishing == .withNewOutputs { try cache.drop("events/a.json", Sessions.session(of: "events", 1)) }
      let new = try cache.freshlySynced()
      #expect(Set(new.keys).isStrictSuperset(of: old.keys) == (publishing != .changed))
      var n = 0
      var killed = 0
      while true {
        n += 1
        try ChildProcess.shell(
          "cd '\(cache.path)' && rm -rf snapshots .cachesync && if [ -e '\(cache.path).old' ]; then cp -a '\(cache.path).old/.' .; fi"
        )
        let status = try ChildProcess([Machine.helper, "kill", String(n)] + command).wait()
        let found = cache.outputs()
        let comparable = try TestCache.comparable(found)
        for (name, bytes) in found where old[name] != bytes {
          #expect(comparable[name] == new[name], "\(name) is neither old nor new after a kill before call \(n)")
        }
        #expect(Set(found.keys).isSuperset(of: old.keys) && Set(found.keys).isSubset(of: new.keys))
        try cache.sync(durability: durability)
        #expect(try cache.comparable() == new, "after a kill before call \(n)")
        #expect(try cache.manifestIsCorrect())
        #expect(cache.temporaries.isEmpty, "\(cache.temporaries) after a kill before call \(n)")
        if status == 0 { break }
        #expect(status == 137)
        killed += 1
        guard killed < 1000 else { throw TestFailure("sync makes no end of system calls") }
      }
      #expect(killed > 20)
    }
  }
}

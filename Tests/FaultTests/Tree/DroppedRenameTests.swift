import CacheSync
import Foundation
import Glibc
import Testing

extension Faults {
  /// The kernel has one watch for each directory, whatever path leads to it.
  @Suite("Dropped renames") struct DroppedRenames {
    /// How many events the kernel queues for the agent.
    private static let queueLength =
      TestCache.read("/proc/sys/fs/inotify/max_queued_events").flatMap {
        Int(String(decoding: $0, as: UTF8.self).filter(\.isNumber))
      } ?? 16_384

    @Test(
      "Directories that are renamed while events are dropped are watched under their new names",
      arguments: [
        "mv tasks/old tasks/renamed",
        "mv tasks/parent tasks/elder",
        "mv tasks/old tasks/away; mv tasks/away tasks/old",
        "mv tasks/old tasks/x; mv tasks/parent/child tasks/old; mv tasks/x tasks/parent/child",
        "mv tasks/parent tasks/x; mv tasks/old tasks/parent; mv tasks/x tasks/parent/child; mkdir tasks/old",
      ])
    func renamed(_ changes: String) throws {
      let cache = try TestCache()
      for (number, path) in ["old", "old/deep", "parent", "parent/child"].enumerated() {
        try cache.drop("tasks/\(path)/a.json", Sessions.task(number))
      }
      try cache.makeDirectory("events")
      try cache.write("events/0.part", "")
      let agent = try Agent(cache)
      agent.process.signal(SIGSTOP)
      // The kernel reports each rename as two events, and the agent may read some before it stops. It ignores `.part`
      // names.
      for number in 0..<Self.queueLength {
        rename(cache.at("events/\(number).part"), cache.at("events/\(number + 1).part"))
      }
      try ChildProcess.shell("cd '\(cache.path)' && \(changes)")
      agent.process.signal(SIGCONT)
      try agent.settled()
      #expect(try agent.status().counter("overflows") >= 1)
      let directories = try ChildProcess.shell("cd '\(cache.path)' && find tasks -type d").split(separator: "\n")
      // No sweep is due for a quarter of an hour, nothing is polled, and no command makes the agent look.
      #expect(try agent.status().value["mode"]?.string == "inotify")
      for (index, directory) in directories.enumerated() {
        try cache.drop("\(directory)/heard.json", Sessions.task(100 + index))
        try until("\(directory) is heard") { try cache.taskCount() == 5 + index }
      }
      try agent.settled()
      #expect(try cache.comparable() == cache.freshlySynced())
    }

    @Test("A wait that arrives while a rescan is due also waits for files that the rescan finds missing")
    func waitBeforeRescan() throws {
      let cache = try TestCache()
      for number in 0..<5 { try cache.drop("tasks/\(number)/a.json", Sessions.task(number)) }
      try cache.makeDirectory("events")
      try cache.write("events/0.part", "")
      let agent = try Agent(cache)
      for round in 0..<4 {
        agent.process.signal(SIGSTOP)
        for number in 0..<Self.queueLength {
          rename(cache.at("events/\(number).part"), cache.at("events/\(number + 1).part"))
        }
        rename(cache.at("events/\(Self.queueLength).part"), cache.at("events/0.part"))
        try FileManager.default.removeItem(atPath: cache.at("tasks/\(round)"))
        agent.process.signal(SIGCONT)
        // From the second round on there was a recent rescan, so the next one is delayed (RescanBackoff).
        try agent.wait()
        #expect(try cache.taskCount() == 4 - round, "round \(round)")
      }
      #expect(try agent.status().counter("overflows") >= 2)
    }

    @Test(
      "If a directory has two mounts, a drop shows under both paths, and unmounting one does not affect the other",
      .needsMounts)
    func twoMounts() throws {
      let cache = try TestCache()
      try cache.makeDirectory("tasks/one")
      try cache.makeDirectory("tasks/two")
      try ChildProcess.shell("mount --bind '\(cache.at("tasks/one"))' '\(cache.at("tasks/two"))'")
      defer { umount2(cache.at("tasks/two"), Int32(MNT_DETACH)) }
      let agent = try Agent(cache)
      func problems() throws -> [String] {
        (try cache.output("todays-tasks")?["problems"]?.array ?? []).compactMap { $0["path"]?.string }
      }
      // The test drops bad files because problems have paths. Two files with the same task would count as one.
      try cache.drop("tasks/one/first.json", "no JSON")
      try until("it is seen under both paths") {
        try problems() == ["tasks/one/first.json", "tasks/two/first.json"]
      }
      #expect(umount2(cache.at("tasks/two"), Int32(MNT_DETACH)) == 0)
      try until("it is seen under one") { try problems() == ["tasks/one/first.json"] }
      try cache.drop("tasks/one/second.json", "no JSON")
      try until("that one is still heard") { try problems() == ["tasks/one/first.json", "tasks/one/second.json"] }
      try cache.drop("tasks/two/third.json", "no JSON")
      try until("and so is what the mount covered") { try problems().contains("tasks/two/third.json") }
      #expect(try agent.status().value["mode"]?.string == "inotify")
    }
  }
}

import CacheSync
import Foundation
import Glibc
import Synchronization
import Testing

extension Faults {
  /// What other file systems do that ext4 does not.
  @Suite("Other file systems") struct OtherFileSystems {
    /// Measured on btrfs of kernel 6.18: a tenth of the listings leave out a file that another program replaces all the
    /// time, so a quarter of the runs lost it.
    @Test(
      "A file that is replaced all the time is in every sync, although listings of btrfs leave it out",
      .needsImages(of: "btrfs"))
    func listings() throws {
      let cache = try TestCache()
      try cache.mountDisk(of: "btrfs", megabytes: 128)
      try cache.drop("tasks/replaced.json", Sessions.task(0))
      for number in 1...300 { try cache.drop("tasks/\(number).json", Sessions.task(number)) }
      let ends = Atomic<Bool>(false)
      let path = cache.at("tasks/replaced.json")
      let writer = Thread {
        while !ends.load(ordering: .relaxed) {
          try? TestCache.put(path + ".new", Array(Sessions.task(0).utf8))
          rename(path + ".new", path)
        }
      }
      writer.start()
      defer { ends.store(true, ordering: .relaxed) }
      for round in 0..<24 {
        // The names that an earlier run knew are in its log. Without it, only the listings count.
        if round % 2 == 0 { try? FileManager.default.removeItem(atPath: cache.at(".cachesync")) }
        let sync = try ChildProcess.run(Machine.agent, "sync", "--cache", cache.path)
        #expect(sync.status == 0, "\(sync.error)")
        let count = try cache.taskCount()
        #expect(count == 301, "round \(round)")
      }
    }

    @Test(
      "A subvolume that is rolled back is served as another directory, with a greater generation",
      .needsImages(of: "btrfs"), arguments: ["--cache", "--caches-in"])
    func rollback(option: String) throws {
      let disk = try TestCache()
      try disk.mountDisk(of: "btrfs", megabytes: 128)
      let cache = disk.at("home")
      try ChildProcess.shell("btrfs -q subvolume create '\(cache)'")
      try disk.drop("home/tasks/a.json", Sessions.task(1))
      let agent = try ChildProcess(
        [Machine.agent, "run", option, option == "--cache" ? cache : disk.path, "--time-zone", Machine.zone])
      func published() -> (count: Int, generation: Int)? {
        let snapshot = TestCache.read("\(cache)/snapshots/task-count.json").flatMap { bytes in
          bytes.withUnsafeBytes { JSONValue.parse($0) }
        }
        guard let count = snapshot?["entries"]?[0]?["content"]?["count"]?.int,
          let generation = snapshot?["generation"]?.int
        else { return nil }
        return (count, generation)
      }
      try until("it is published") { published()?.count == 1 }
      try ChildProcess.shell("btrfs -q subvolume snapshot '\(cache)' '\(disk.path)/.before'")
      try disk.drop("home/tasks/b.json", Sessions.task(2))
      try until("the second file is published") { published()?.count == 2 }
      let before = try #require(published()).generation
      try ChildProcess.shell(
        "btrfs -q subvolume delete '\(cache)' && btrfs -q subvolume snapshot '\(disk.path)/.before' '\(cache)'")
      // Long before the sweep after 15 minutes.
      try until("the older state is served", by: agent, within: 10) {
        published().map { $0.count == 1 && $0.generation > before } ?? false
      }
      try disk.drop("home/tasks/c.json", Sessions.task(3))
      try until("its events are received") { published()?.count == 2 }
      try ChildProcess.shell("btrfs -q subvolume delete '\(cache)'")
      try until("its end is noticed", by: agent, within: 10) { agent.error.contains("is gone") }
    }

    /// The kernel refuses a rename between two project ids: EXDEV.
    @Test(
      "If snapshots gets a project id for a quota, its hidden directory is made again, and the agent says so once",
      .needsImages(of: "xfs"), .needs("xfs_io"), arguments: ["rename", "flush"])
    func projectID(durability: String) throws {
      let cache = try TestCache()
      try cache.mountDisk(of: "xfs", megabytes: 320)
      try cache.drop("cachesync.json", #"{"durability":"\#(durability)"}"#)
      try cache.drop("tasks/a.json", Sessions.task(1))
      let agent = try Agent(cache)
      try ChildProcess.shell("xfs_io -c 'chproj 42' -c 'chattr +P' '\(cache.at("snapshots"))'")
      for number in 2...4 {
        try cache.drop("tasks/\(number).json", Sessions.task(number))
        try agent.settled()
        #expect(try cache.taskCount() == number)
      }
      #expect(agent.process.error.split(separator: "\n").filter { $0.contains("it was made again") }.count == 1)
      #expect(try agent.status().code == 0)
    }
  }
}

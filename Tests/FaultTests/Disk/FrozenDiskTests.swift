import CacheSync
import Glibc
import Testing

extension IndependentFaults {
  /// One disk of several hangs.
  @Suite("Frozen disk") struct FrozenDisk {
    /// A disk that takes no write while this is held.
    private final class Freeze {
      private let holder: ChildProcess

      /// The one that thaws it is no child of ours and sits in the disk: it hears of our end by the end of a pipe, however
      /// we end, and nothing that tidies up takes the disk from it.
      init(_ path: String) throws {
        holder = try ChildProcess([
          "setsid", "-f", "sh", "-c", "cd \"$0\" && fsfreeze -f . && echo frozen && cat > /dev/null; fsfreeze -u .",
          path,
        ])
        let holder = holder
        try until("it is frozen") { holder.output.contains("frozen") }
      }
    }

    /// Three caches, of which the first is on a disk of its own.
    private func makeCaches() throws -> (own: TestCache, directory: CachesDirectory) {
      let (own, parent) = (try TestCache(), try TestCache())
      try own.mountDisk()
      try parent.makeDirectory("frozen")
      try ChildProcess.shell("mount --bind '\(own.path)' '\(parent.at("frozen"))'")
      return (own, try CachesDirectory(["frozen", "b", "c"], in: parent))
    }

    private func end(_ directory: CachesDirectory) { umount2(directory.parent.at("frozen"), Int32(MNT_DETACH)) }

    @Test(
      "The other caches are served as ever; status says of it since when; it is published when it answers again",
      .needsLoopDevices, .needs("fsfreeze"))
    func othersAreServed() throws {
      let (own, caches) = try makeCaches()
      defer { end(caches) }
      var freeze: Freeze?
      try caches.whileStopped {
        try caches.drop("after", in: "frozen")
        freeze = try Freeze(own.path)
      }
      for round in 0..<5 {
        for name in ["b", "c"] {
          try caches.drop("\(round)", in: name)
          try until("a drop in \(name) shows", within: 5) { try caches.title(in: name) == "\(round)" }
          #expect(try caches.ask("wait", about: name).status == 0)
        }
      }
      try caches.drop("new", in: "d")
      try until("a new cache is served", within: 5) { try caches.title(in: "d") == "new" }

      var since: [String?] = []
      for _ in 0..<2 {
        let status = try caches.status(of: "frozen")
        #expect(status.code == 0 && !status.isWritable)
        #expect(status.value["alive"]?.bool == true)
        let problem = (status.value["problems"]?.array ?? []).first {
          $0["message"]?.string?.contains("does not answer") == true
        }
        since.append(problem?["since"]?.string)
      }
      #expect(since[0] != nil && since[0] == since[1], "\(since)")
      let other = try caches.status(of: "b")
      #expect(other.code == 0 && other.isWritable && other.messages.isEmpty, "\(other.messages)")
      #expect(try caches.title(in: "frozen") == "before")
      #expect(freeze != nil)
      freeze = nil
      try until("it is published by itself", within: 30) { try caches.title(in: "frozen") == "after" }
      #expect(try caches.ask("wait", about: "frozen").status == 0)
      let status = try caches.status(of: "frozen")
      #expect(status.code == 0 && status.isWritable && status.messages.isEmpty, "\(status.messages)")
    }

    @Test(
      "SIGTERM while it hangs: the others finish, and the agent ends with 74 within 2 s",
      .needsLoopDevices, .needs("fsfreeze"))
    func terminated() throws {
      let (own, caches) = try makeCaches()
      defer { end(caches) }
      var freeze: Freeze?
      try caches.whileStopped {
        try caches.drop("after", in: "frozen")
        freeze = try Freeze(own.path)
      }
      try caches.drop("last", in: "b")
      try until("the drop in b shows") { try caches.title(in: "b") == "last" }
      let start = secondsNow()
      caches.process.signal(SIGTERM)
      // The kernel keeps the thread that waits for the disk, and with it the process's number; all else of it is gone.
      let state = "/proc/\(caches.process.pid)/stat"
      try until("it has ended", within: 10) {
        String(decoding: TestCache.read(state) ?? [], as: UTF8.self).contains(") Z ") || !caches.process.isRunning
      }
      // 2 s are the agent's (FAULTS 22), the rest is the machine's.
      #expect(secondsNow() - start < 2 + 2)
      #expect(freeze != nil)
      freeze = nil
      #expect(try caches.process.wait(within: 20) == 74)
      #expect(caches.process.error.contains("does not answer"), "\(caches.process.error)")
      #expect(try caches.title(in: "frozen") == "before")
    }
  }
}

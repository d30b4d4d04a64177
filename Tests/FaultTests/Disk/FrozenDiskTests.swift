import CacheSync
import Glibc
import Testing
import TestSupport

extension Faults {
  /// An agent serves caches on several disks, and one disk hangs.
  @Suite("Frozen disk") struct FrozenDisk {
    /// A disk that blocks all writes while this object exists.
    private final class Freeze {
      private let holder: ChildProcess

      /// Freezes the disk. Another process thaws it when the pipe from the test process closes, however that process
      /// ends. That process is not a child of the test. Its working directory is on the disk, so it reaches the disk
      /// even when it is unmounted.
      init(_ path: String) throws {
        holder = try ChildProcess([
          "setsid", "-f", "sh", "-c", "cd \"$0\" && fsfreeze -f . && echo frozen && cat > /dev/null; fsfreeze -u .",
          path,
        ])
        let holder = holder
        try until("it is frozen") { holder.output.contains("frozen") }
      }
    }

    /// Three caches. The first is on its own disk, which hangs.
    private final class Caches {
      let directory: CachesDirectory
      private let own: TestCache
      private var freeze: Freeze?

      /// - Parameter title: the title that is dropped into the first cache just before its disk hangs, or nil: then the
      /// agent
      /// has nothing to do there.
      init(dropping title: String?) throws {
        let parent = try TestCache()
        own = try TestCache()
        try own.mountDisk()
        try parent.makeDirectory("frozen")
        try ChildProcess.shell("mount --bind '\(own.path)' '\(parent.at("frozen"))'")
        directory = try CachesDirectory(["frozen", "b", "c"], in: parent)
        try directory.whileStopped {
          if let title { try directory.drop(title, in: "frozen") }
          freeze = try Freeze(own.path)
        }
      }

      func thaw() { freeze = nil }

      func end() {
        thaw()
        umount2(directory.parent.at("frozen"), Int32(MNT_DETACH))
      }
    }

    /// The time since when a disk does not respond, according to `status`, or nil if it reports none.
    private func unresponsiveSince(_ status: Agent.Status) -> String? {
      #expect(status.code == 0 && status.value["alive"]?.bool == true)
      let problem = (status.value["problems"]?.array ?? []).first {
        $0["message"]?.string?.contains("not responding") == true
      }
      #expect(status.isWritable == (problem == nil))
      return problem?["since"]?.string
    }

    @Test(
      "While a disk hangs, the other caches are served, status says since when, and its cache follows once it responds",
      .needsLoopDevices, .needs("fsfreeze"))
    func othersAreServed() throws {
      let hanging = try Caches(dropping: "after")
      defer { hanging.end() }
      let caches = hanging.directory
      for round in 0..<5 {
        for name in ["b", "c"] {
          try caches.drop("\(round)", in: name)
          try until("a drop in \(name) shows", by: caches.process, within: 5) {
            try caches.title(in: name) == "\(round)"
          }
          #expect(try caches.ask("wait", about: name).status == 0)
        }
      }
      try caches.drop("new", in: "d")
      try until("a new cache is served", by: caches.process, within: 5) { try caches.title(in: "d") == "new" }

      let since = try #require(try unresponsiveSince(caches.status(of: "frozen")))
      #expect(try unresponsiveSince(caches.status(of: "frozen")) == since)
      let other = try caches.status(of: "b")
      #expect(other.code == 0 && other.isWritable && other.messages.isEmpty, "\(other.messages)")
      #expect(try caches.title(in: "frozen") == "before")
      hanging.thaw()
      try until("it is published by itself") { try caches.title(in: "frozen") == "after" }
      #expect(try caches.ask("wait", about: "frozen").status == 0)
      let status = try caches.status(of: "frozen")
      #expect(status.code == 0 && status.isWritable && status.messages.isEmpty, "\(status.messages)")
    }

    @Test(
      "If status is the first to find that a disk hangs, twenty requests make the agent try the disk once",
      .needsLoopDevices, .needs("fsfreeze"))
    func askedWhileIdle() throws {
      let begin = Instant.now
      let hanging = try Caches(dropping: nil)
      defer { hanging.end() }
      let caches = hanging.directory
      let since = try #require(try unresponsiveSince(caches.status(of: "frozen")))
      #expect(try #require(Instant(since)).seconds >= begin.seconds)
      var (asked, control) = (0.0, 0.0)
      for _ in 0..<19 {
        let start = secondsNow()
        #expect(try unresponsiveSince(caches.status(of: "frozen")) == since)
        let middle = secondsNow()
        _ = try caches.status(of: "b")
        (asked, control) = (asked + middle - start, control + secondsNow() - middle)
      }
      // The agent waits 2 s for a disk to respond. If it tried for every `status`, the requests would take 38 s longer
      // than those for a cache on a good disk.
      #expect(asked - control < 19, "\(asked) s, and \(control) s for a good disk")
      hanging.thaw()
      try until("it answers again") { try unresponsiveSince(caches.status(of: "frozen")) == nil }
      try caches.drop("after", in: "frozen")
      #expect(try caches.ask("wait", about: "frozen").status == 0)
      #expect(try caches.title(in: "frozen") == "after")
    }

    @Test(
      "On SIGTERM while a disk hangs, the other caches finish, and the agent exits with 74 within 2 s",
      .needsLoopDevices, .needs("fsfreeze"))
    func terminated() throws {
      let hanging = try Caches(dropping: "after")
      defer { hanging.end() }
      let caches = hanging.directory
      try caches.drop("last", in: "b")
      try until("the drop in b shows") { try caches.title(in: "b") == "last" }
      let stopwatch = Stopwatch(of: caches.process.pid)
      caches.process.signal(SIGTERM)
      // The kernel keeps the thread that waits for the disk, and so the process id. The rest of the process has ended.
      let state = "/proc/\(caches.process.pid)/stat"
      try until("it has ended") {
        stopwatch.look()
        return String(decoding: TestCache.read(state) ?? [], as: UTF8.self).contains(") Z ")
          || !caches.process.isRunning
      }
      // FAULTS 22 gives the agent 2 s; the test allows a slow machine 2 s more.
      #expect(stopwatch.elapsed < .seconds(2 + 2))
      hanging.thaw()
      #expect(try caches.process.wait() == 74)
      #expect(caches.process.error.contains("not responding"), "\(caches.process.error)")
      #expect(try caches.title(in: "frozen") == "before")
    }
  }
}

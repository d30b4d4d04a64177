import CacheSync
import Glibc
import Testing

extension Faults {
  @Suite("Shared flushes") struct SharedFlushes {
    /// The threads that made a system call, from lines that begin with the thread's number.
    private func threads(of calls: [String], where isWanted: (String) -> Bool) -> Set<String> {
      Set(calls.filter(isWanted).compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    @Test(
      "The agent flushes the whole file system only for many caches, and not on the event thread", .needsTracing,
      // 300, because a busy machine may split them into several batches. One of these has at least the 64 that share a
      // flush.
      arguments: [(10, false), (300, true)])
    func wholeFileSystem(_ count: Int, _ isShared: Bool) throws {
      let names = (0..<count).map { "c\($0)" }
      let caches = try CachesDirectory(names, in: try TestCache(), prefix: Machine.ownMounts)
      let tracing = try Injection(nil, calls: "syncfs,read", into: caches.process)
      for title in ["one", "two", "three"] {
        try caches.whileStopped { for name in names { try caches.drop(title, in: name) } }
        try until("all are published") { try names.allSatisfy { try caches.title(in: $0) == title } }
      }
      try tracing.end()
      let flushing = threads(of: tracing.calls) { $0.contains("syncfs(") }
      let hearing = threads(of: tracing.calls) { $0.contains("read(") && $0.contains("inotify") }
      #expect(flushing.isEmpty != isShared, "\(tracing.calls.filter { $0.contains("syncfs(") })")
      #expect(!hearing.isEmpty)
      #expect(flushing.isDisjoint(with: hearing))
    }
  }
}

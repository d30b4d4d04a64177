import CacheSync
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

/// What following snapshots does to the app around it. Each test runs in its own process, with its own limits.
@Suite("Following snapshots in an app", .timeLimit(.minutes(5)))
struct FollowingInAppsTests {
  @Test("an app with more than 1,100 open descriptors follows snapshots")
  func manyDescriptors() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for _ in 0..<1200 { try #require(open("/dev/null", O_RDONLY) >= 0) }
      let cache = try TemporaryCache()
      var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      // The second update proves that the iterator hears events: it may have found the first by looking.
      for generation in 1...2 {
        try cache.publish("meal-plan", generation: generation)
        #expect(await updates.next()?.generation == generation)
      }
    }
  }

  @Test("an app's allocator stays as the app has it: threads still get arenas of their own")
  func arenas() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      try cache.publish("meal-plan", generation: 1)
      #expect(await updates.next()?.generation == 1)
      let before = try Self.arenaCount()
      // All threads run at once, each with a first allocation. The C library gives each a new arena while it may make more.
      let threads = (0..<64).map { _ in
        Thread {
          free(malloc(1000))
          sleep(60)
        }
      }
      for thread in threads { thread.start() }
      let deadline = ContinuousClock.now + .seconds(50)
      while try Self.arenaCount() == before, ContinuousClock.now < deadline { usleep(10_000) }
      #expect(try Self.arenaCount() > before)
    }
  }

  /// How many arenas the C library has: it tells of each as a heap (malloc_info(3)).
  static func arenaCount() throws -> Int {
    typealias MallocInfo = @convention(c) (Int32, OpaquePointer?) -> Int32
    let symbol = try #require(dlsym(nil, "malloc_info"))
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    let stream = open_memstream(&text, &size)
    _ = unsafeBitCast(symbol, to: MallocInfo.self)(0, OpaquePointer(try #require(stream)))
    fclose(stream)
    defer { free(text) }
    return String(cString: try #require(text)).components(separatedBy: "<heap nr=").count - 1
  }

  @Test("two hundred iterators, asked or not, dropped or cancelled, leave no descriptor and no thread behind")
  func nothingLeaks() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      let path = cache.path
      // The first iterator makes what the process needs once, such as the threads that tasks run on.
      try await Self.followAndCancel(path)
      let descriptors = try Self.count("fd")
      let threads = try Self.count("task")
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            // Each looks for the snapshots it follows when it is made, so one kind is a small part of the work of all.
            for _ in 0..<18 { _ = SnapshotUpdates(cache: path, kinds: ["meal-plan"]).makeAsyncIterator() }
            for _ in 0..<2 { try await Self.followAndCancel(path) }
          }
        }
        try await group.waitForAll()
      }
      // An idle thread may take a moment to end. As many threads as there are processors stay, to run tasks.
      let most = threads + ProcessInfo.processInfo.processorCount
      let deadline = ContinuousClock.now + .seconds(50)
      // What is judged is what the loop saw: a thread of the pool may start again after it.
      var (open, running) = (try Self.count("fd"), try Self.count("task"))
      while open > descriptors || running > most, ContinuousClock.now < deadline {
        usleep(10_000)
        (open, running) = (try Self.count("fd"), try Self.count("task"))
      }
      #expect(open <= descriptors && running <= most)
      if open > descriptors || running > most {
        print("descriptors \(descriptors) before and \(open) after; threads \(threads) and \(running), \(most) allowed")
      }
    }
  }

  /// Ends a task while it waits for a snapshot.
  static func followAndCancel(_ cache: FilePath) async throws {
    let waiting = Task { await Self.next(of: cache) }
    try await Task.sleep(for: .milliseconds(20))
    waiting.cancel()
    await waiting.value
  }

  static func next(of cache: FilePath) async {
    var updates = SnapshotUpdates(cache: cache).makeAsyncIterator()
    _ = await updates.next()
  }

  /// How many descriptors (`fd`) or threads (`task`) this process has.
  static func count(_ what: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count
  }

  @Test("a change that cannot be read for want of descriptors is told when there are some again")
  func noDescriptors() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      try cache.publish("meal-plan", generation: 1)
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      // Standard input, output and error are all that may be opened.
      var few = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few) == 0)
      // A plain thread, because a sleeping task takes descriptors.
      let giving = Thread { [limit] in
        usleep(300_000)
        _ = withUnsafePointer(to: limit) { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), $0) }
      }
      giving.start()
      #expect(await updates.next()?.generation == 1)
    }
  }
}

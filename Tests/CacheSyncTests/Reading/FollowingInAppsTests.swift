import CacheSync
import Dispatch
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

/// The side effects on an app that follows snapshots. Each test runs in its own process, with its own limits.
@Suite("Following snapshots in an app", .timeLimit(.minutes(10)))
struct FollowingInAppsTests {
  @Test("an app with more than 1,100 open descriptors follows snapshots")
  func manyDescriptors() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for _ in 0..<1200 { try #require(open("/dev/null", O_RDONLY) >= 0) }
      let cache = try TemporaryCache()
      var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      // The second update proves that the iterator receives events. It may have found the first one by listing the
      // directory.
      for generation in 1...2 {
        try cache.publish("meal-plan", generation: generation)
        #expect(await updates.next()?.generation == generation)
      }
    }
  }

  @Test("an app's allocator is not changed: threads still get their own arenas")
  func arenas() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      try cache.publish("meal-plan", generation: 1)
      #expect(await updates.next()?.generation == 1)
      let before = try Self.arenaCount()
      // All threads run at once, each with a first allocation. The C library gives each a new arena up to its limit.
      let (allocated, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      for _ in 0..<64 {
        Thread.detachNewThread {
          free(malloc(1000))
          allocated.signal()
          end.wait()
        }
      }
      for _ in 0..<64 { Self.wait(for: allocated) }
      let after = try Self.arenaCount()
      #expect(after > before, "\(before) arenas before the threads, and \(after) with them")
    }
  }

  /// Blocks the thread. A semaphore's own function is not available where a test may suspend.
  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  /// How many arenas the C library has. It reports each as a heap (malloc_info(3)).
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

  @Test("two hundred iterators, used or not, dropped or cancelled, leave no descriptor and no thread behind")
  func nothingLeaks() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      let path = cache.path
      // The first iterator creates what the process needs once, such as the threads for tasks.
      await Self.followAndCancel(path)
      let descriptors = try Self.count("fd")
      let threads = try Self.count("task")
      await withTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            // Each iterator looks for its snapshots when it is made, so with one kind the work is a small part.
            for _ in 0..<18 { _ = SnapshotUpdates(cache: path, kinds: ["meal-plan"]).makeAsyncIterator() }
            for _ in 0..<2 { await Self.followAndCancel(path) }
          }
        }
        await group.waitForAll()
      }
      // An idle thread may take a moment to end. As many threads as there are processors stay, to run tasks.
      let most = threads + ProcessInfo.processInfo.processorCount
      let deadline = ContinuousClock.now + .seconds(50)
      // The count in the loop is what matters, because a thread of the pool may start again after it.
      var (open, running) = (try Self.count("fd"), try Self.count("task"))
      while open > descriptors || running > most, ContinuousClock.now < deadline {
        usleep(10_000)
        (open, running) = (try Self.count("fd"), try Self.count("task"))
      }
      #expect(
        open <= descriptors && running <= most,
        "descriptors \(descriptors) before and \(open) after; threads \(threads) and \(running), \(most) allowed")
    }
  }

  /// Cancels a task while it waits for a snapshot.
  static func followAndCancel(_ cache: FilePath) async {
    let waiting = Task(executorPreference: TaskQueue.shared) { await Self.next(of: cache) }
    // The task has nothing left to do until the kernel reports something.
    await TaskQueue.shared.untilIdle()
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

  @Test("a change that cannot be read for lack of descriptors is reported when there are descriptors again")
  func noDescriptors() async {
    await #expect(processExitsWith: .success) {
      let cache = try TemporaryCache()
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let received = Journal()
      let iterator = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
      try cache.publish("meal-plan", generation: 1)
      // Only standard input, output and error may be open.
      var few = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few) == 0)
      let following = Task(executorPreference: TaskQueue.shared) {
        var updates = iterator
        received.add("\(await updates.next()?.generation ?? 0)")
      }
      // The follower has failed to read, and waits.
      await TaskQueue.shared.untilIdle()
      #expect(received.lines == [])
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      await following.value
      #expect(received.lines == ["1"])
    }
  }
}

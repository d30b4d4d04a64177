import CacheSync
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@Suite("Following snapshots", .timeLimit(.minutes(10)))
struct SnapshotUpdatesTests {
  let cache: TemporaryCache

  init() throws { cache = try TemporaryCache() }

  @Test("a late reader gets the newest of each kind once, and then the next changes")
  func newestOfEachKind() async throws {
    var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
    for generation in 1...500 {
      try cache.publish("meal-plan", generation: generation)
      try cache.publish("task-count", generation: generation)
    }
    let both = [await updates.next(), await updates.next()]
    #expect(Set(both.map { $0?.kind }) == ["meal-plan", "task-count"])
    #expect(both.allSatisfy { $0?.generation == 500 })
    try cache.publish("budget", generation: 501)
    #expect(await updates.next()?.kind == "budget")
  }

  @Test("a snapshot that is replaced by the same bytes is not an update")
  func sameBytes() async throws {
    try cache.publish("meal-plan", generation: 1)
    var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
    try cache.publish("meal-plan", generation: 1)
    try cache.publish("task-count", generation: 2)
    #expect(await updates.next()?.kind == "task-count")
    try cache.publish("task-count", generation: 2)
    try cache.publish("meal-plan", generation: 3)
    #expect(await updates.next()?.generation == 3)
  }

  @Test("if wanted, the current snapshots come first, in order, and nothing comes twice")
  func startingWithCurrent() async throws {
    try cache.publish("task-count", generation: 1)
    try cache.publish("meal-plan", generation: 2)
    var updates = SnapshotUpdates(cache: cache.path, startingWithCurrent: true).makeAsyncIterator()
    try cache.publish("budget", generation: 3)
    try cache.publish("meal-plan", generation: 4)
    var told: [String?] = []
    for _ in 1...3 { told.append(await updates.next()?.kind) }
    #expect(told == ["meal-plan", "budget", "task-count"])
    try cache.publish("calories", generation: 5)
    #expect(await updates.next()?.generation == 5)
    let kinds = ["budget", "calories", "meal-plan"]
    var some = SnapshotUpdates(cache: cache.path, kinds: kinds, startingWithCurrent: true).makeAsyncIterator()
    for kind in kinds { #expect(await some.next()?.kind == kind) }
  }

  @Test("only the requested kinds are updates, including one that this library does not know")
  func kinds() async throws {
    var updates = SnapshotUpdates(cache: cache.path, kinds: ["of-tomorrow", "../x", ""]).makeAsyncIterator()
    try cache.publish("meal-plan", generation: 1)
    try cache.publish("of-tomorrow", generation: 2)
    #expect(await updates.next()?.kind == "of-tomorrow")
  }

  enum Place: CaseIterable { case there, missing, link, linkToNothing }
  enum Change: CaseIterable { case snapshotsAnew, snapshotsRenamed, cacheAnew, cacheRenamed }

  @Test(
    "following continues if snapshots/ or the cache is removed and created again, wherever the path led at first",
    arguments: Place.allCases, Change.allCases)
  func goesOn(_ place: Place, _ change: Change) async throws {
    var path = cache.path
    if place == .link || place == .linkToNothing {
      path = FilePath(cache.url.path + "-link")
      try #require(symlink(cache.url.path, path.string) == 0)
    }
    defer { if path != cache.path { unlink(path.string) } }
    if place == .missing || place == .linkToNothing { try FileManager.default.removeItem(at: cache.url) }
    var updates = SnapshotUpdates(cache: path).makeAsyncIterator()
    mkdir(cache.url.path, 0o755)
    try cache.publish("meal-plan", generation: 1)
    #expect(await updates.next()?.generation == 1)
    let aside = cache.url.path + "-aside"
    defer { try? FileManager.default.removeItem(atPath: aside) }
    for generation in 2...4 {
      try? FileManager.default.removeItem(atPath: aside)
      switch change {
      case .snapshotsAnew: try cache.remove("snapshots")
      case .snapshotsRenamed: try #require(rename(cache.file("snapshots").path, aside) == 0)
      case .cacheAnew: try FileManager.default.removeItem(at: cache.url)
      case .cacheRenamed: try #require(rename(cache.url.path, aside) == 0)
      }
      mkdir(cache.url.path, 0o755)
      try cache.publish("meal-plan", generation: generation)
      #expect(await updates.next()?.generation == generation)
    }
  }

  @Test("a link that replaces the cache is followed, and so is a directory that replaces the link")
  func linkLater() async throws {
    let other = try TemporaryCache()
    try cache.publish("meal-plan", generation: 1)
    var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
    try FileManager.default.removeItem(at: cache.url)
    try #require(symlink(other.url.path, cache.url.path) == 0)
    try other.publish("meal-plan", generation: 2)
    #expect(await updates.next()?.generation == 2)
    try other.publish("meal-plan", generation: 3)
    #expect(await updates.next()?.generation == 3)
    unlink(cache.url.path)
    mkdir(cache.url.path, 0o755)
    try cache.publish("meal-plan", generation: 4)
    #expect(await updates.next()?.generation == 4)
  }

  @Test("a kind whose event the kernel dropped is still an update")
  func overflow() async throws {
    let limit = Int(
      try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).dropLast())
    let events = try #require(limit)
    // Moving a file between two names fills the queue: the kernel merges an event only with an equal one before it.
    let names = try ["x", "y"].map { try cache.write("snapshots/\($0)", "").path }
    var updates = SnapshotUpdates(cache: cache.path).makeAsyncIterator()
    for number in 0...events { try #require(rename(names[number % 2], names[1 - number % 2]) == 0) }
    for (generation, kind) in ["meal-plan", "budget", "task-count"].enumerated() {
      try cache.publish(kind, generation: generation + 1)
    }
    var kinds: Set<String?> = []
    for _ in 1...3 { kinds.insert(await updates.next()?.kind) }
    #expect(kinds == ["meal-plan", "budget", "task-count"])
  }

  @Test("a cancelled task gets nil, whether it was cancelled while it waited or before")
  func cancelled() async throws {
    let updates = SnapshotUpdates(cache: cache.path)
    let waiting = Task(executorPreference: TaskQueue.shared) {
      var iterator = updates.makeAsyncIterator()
      return [await iterator.next(), await iterator.next()]
    }
    // The task has nothing left to do until the kernel reports something.
    await TaskQueue.shared.untilIdle()
    waiting.cancel()
    #expect(await waiting.value == [nil, nil])
    try cache.publish("meal-plan", generation: 1)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = updates.makeAsyncIterator()
      return await iterator.next()
    }
    #expect(await late.value == nil)
  }
}

import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent

/// A clock that plays something once, the next time that someone reads it.
private final class PlayingClock: UptimeClock {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  func play(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

  func now() -> Uptime {
    let body = action.withLock { action in
      defer { action = nil }
      return action
    }
    body?()
    return Uptime(nanoseconds: 1_000_000_000_000)
  }
}

@Suite("A cache that is replaced")
struct ReplacedCacheTests {
  @Test("A directory that takes the path while another one is opened there is the one that is served")
  func replacedWhileOpening() throws {
    let (cache, other) = (try TemporaryCache(), try TemporaryCache())
    try other.write("tasks/a.json", ServedTestCache.task("other"))
    let clock = PlayingClock()
    let environment = CacheEnvironment(
      clock: FixedClock(instant: SystemWallClock().now()), uptime: clock, zones: TimeZones(environment: "UTC"))
    let host = CacheHost(
      hasNews: {}, answer: { _, _ in }, budget: DescriptorBudget(limit: 1024, openCount: 0), freed: FreedMemory())
    let served = ServedCache(
      ServedCache.Configuration(
        path: try CacheRoot.resolve(cache.path), environment: environment, logger: quietLogger, host: host),
      pool: WorkerPool())
    defer { served.shutDown() }
    // The clock is read after the directory is opened and before it is watched.
    let (path, away, replacement) = (cache.url.path, cache.url.path + ".away", other.url.path)
    defer { try? FileManager.default.removeItem(atPath: away) }
    clock.play {
      rename(path, away)
      rename(replacement, path)
    }
    try served.attach(isStart: true)
    served.process()
    #expect(served.open?.root.isInPlace == true)
    #expect(cache.exists("snapshots/todays-tasks.json"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: away).isEmpty, "nothing is written to the first one")
  }

  @Test("A directory that replaces a deleted one is served at once, even if it could have the same inode")
  func sameInode() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("old")])
    try served.cache.remove(".cachesync")
    served.pass()
    #expect(!served.report.isServing)
    try FileManager.default.removeItem(at: served.cache.url)
    try served.cache.write("tasks/a.json", ServedTestCache.task("new"))
    served.pass()
    #expect(served.report.isServing)
    #expect(try served.titles() == ["new"])
  }

  @Test("A directory that comes and goes every second gets two lines, and then one an hour")
  func comesAndGoes() throws {
    let served = try ServedTestCache(["tasks/a.json": ServedTestCache.task("one")])
    served.journal.clear()
    let away = served.cache.url.path + ".away"
    defer { try? FileManager.default.removeItem(atPath: away) }
    for _ in 0..<20 {
      try #require(rename(served.cache.url.path, away) == 0)
      served.pass(after: .seconds(1))
      try #require(rename(away, served.cache.url.path) == 0)
      served.pass(after: .seconds(1))
    }
    #expect(served.journal.count(of: "gone; waiting for") == 1)
    #expect(served.journal.count(of: "serving") == 1)
    served.pass(after: .seconds(3600))
    #expect(served.journal.count(of: "19 more times in the last hour") == 2, "that it is gone, and that it is missing")
  }
}

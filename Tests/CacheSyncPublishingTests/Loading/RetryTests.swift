import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@Suite("Retries of failed reads")
struct RetryTests {
  @Test(
    "A failed read is retried after 5 s, doubling to 5 min, and after 5 s again once it succeeded",
    arguments: [
      // A name that is too long for the system is an error for every user, even root: ENAMETOOLONG.
      String(repeating: "n", count: 300),
      // What it leads to may come without an event: git-annex has its contents where the agent watches nothing.
      "../.git/annex/objects/missing",
    ])
  func doubles(target: String) throws {
    let cache = try TemporaryCache()
    let clock = ManualClock()
    try FileManager.default.createDirectory(at: cache.file("tasks"), withIntermediateDirectories: true)
    let link = cache.file("tasks/a.json")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    var environment = cache.laterEnvironment
    environment.uptime = clock
    let contents = try OneShot.contents(of: cache.path, environment: environment)
    let path = CachePath("tasks/a.json")
    func untilRetry() -> Duration? {
      contents.files.rejections[path]?.retry.map { .nanoseconds($0.due.nanoseconds - clock.now().nanoseconds) }
    }
    #expect(untilRetry() == .seconds(5))
    // Other events look at every link, and change nothing about when it is retried.
    contents.load(path, feed: "tasks")
    #expect(untilRetry() == .seconds(5))
    for seconds in [10, 20, 40, 80, 160, 300, 300] as [Int64] {
      clock.advance(by: try #require(untilRetry()))
      contents.lookAgain(at: clock.now())
      #expect(untilRetry() == .seconds(seconds))
    }
    #expect(contents.counters.retries == 7)
    try FileManager.default.removeItem(at: link)
    try cache.write("tasks/a.json", "[]")
    clock.advance(by: .seconds(300))
    contents.lookAgain(at: clock.now())
    #expect(contents.nextDeadline == nil && contents.files.rejections.isEmpty)
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    contents.load(path, feed: "tasks")
    #expect(untilRetry() == .seconds(5))
  }

  @Test("Unreadable settings are retried like sessions")
  func settings() throws {
    let cache = try TemporaryCache()
    let link = cache.file("cachesync.json")
    let tooLong = String(repeating: "n", count: 300)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: tooLong)
    let contents = CacheContents(
      root: try CacheRoot(resolved: CacheRoot.resolve(cache.path)), environment: cache.environment)
    let before = Uptime.now()
    contents.loadSettings()
    let due = try #require(contents.settingsFile.retryDue)
    #expect(due >= before.advanced(by: .seconds(5)) && due <= Uptime.now().advanced(by: .seconds(5)))
    #expect(contents.settingsFile.problem != nil && contents.nextDeadline == due)
    try FileManager.default.removeItem(at: link)
    try cache.write("cachesync.json", #"{"timeZone":"Asia/Tokyo"}"#)
    contents.lookAgain(at: due)
    #expect(contents.settings.timeZone == "Asia/Tokyo")
    #expect(contents.settingsFile.problem == nil && contents.nextDeadline == nil)
  }
}

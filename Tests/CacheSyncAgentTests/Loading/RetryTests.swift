import CacheSync
import CacheSyncAgent
import CacheSyncSystem
import Foundation
import Testing
import TestSupport

@Suite("Reading that fails")
struct RetryTests {
  @Test("is tried again after 5 s, doubling to 5 min, and after 5 s again once it worked")
  func doubles() async throws {
    let cache = try TemporaryCache()
    // A name that is too long for the system is an error for every user, root too: ENAMETOOLONG.
    let tooLong = String(repeating: "n", count: 300)
    try FileManager.default.createDirectory(at: cache.file("tasks"), withIntermediateDirectories: true)
    let link = cache.file("tasks/a.json")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: tooLong)
    try await cache.settle()
    let contents = try OneShot.contents(of: cache.path, environment: cache.environment)
    let path = CachePath("tasks/a.json")
    try #require(contents.files.rejections[path] != nil)
    func expectRetry(after seconds: Int64, since before: Uptime) throws -> Uptime {
      let due = try #require(contents.files.rejections[path]?.retry?.due)
      #expect(due <= Uptime.now().advanced(by: .seconds(seconds)), "\(seconds) s")
      #expect(due >= before.advanced(by: .seconds(seconds)), "\(seconds) s")
      return due
    }
    var due = try #require(contents.files.rejections[path]?.retry?.due)
    #expect(due <= Uptime.now().advanced(by: Retry.first))
    for seconds in [10, 20, 40, 80, 160, 300, 300] as [Int64] {
      let before = Uptime.now()
      contents.lookAgain(at: due)
      due = try expectRetry(after: seconds, since: before)
    }
    #expect(contents.counters.retries == 7)
    try FileManager.default.removeItem(at: link)
    try cache.write("tasks/a.json", "[]")
    contents.lookAgain(at: due)
    #expect(contents.nextDeadline == nil && contents.files.rejections.isEmpty)
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: tooLong)
    try await cache.settle()
    let before = Uptime.now()
    contents.load(path, feed: "tasks")
    _ = try expectRetry(after: 5, since: before)
  }

  @Test("Settings that cannot be read are tried again like sessions")
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

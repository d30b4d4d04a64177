import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage
import Testing

/// The other tests of it are those of `export --all --watch` and `render --all --watch`.
@Suite(.timeLimit(.minutes(10))) struct CacheFollowerTests {
  private let cache: CommandCache
  private let follower: CacheFollower

  init() throws {
    cache = try CommandCache(["tasks/a.json": "[]"])
    follower = try CacheFollower(FilePath(cache.path))
  }

  private func publish() throws { try #require(try cache.run("sync").status == 0) }

  @Test("A wait ends at the next publication, also if that came before the wait")
  func publication() throws {
    try publish()
    follower.wait(until: nil)
  }

  @Test("A wait ends when the files are out of date, without a publication")
  func outOfDate() {
    let end = Instant.now.advanced(by: .milliseconds(20))
    follower.wait(until: end)
    #expect(Instant.now >= end)
    follower.wait(until: .now.advanced(by: .seconds(-60)))
  }

  @Test(
    "A failure of the settings ends a program that has written nothing yet; other failures end none, and none ends one that has",
    arguments: [(CacheSyncSystem.ExitStatus.configuration, true), (.noInput, false), (.inputOutput, false)])
  func failures(_ status: CacheSyncSystem.ExitStatus, ends: Bool) throws {
    func wait() throws {
      try publish()
      try follower.wait(after: Failure("tried by a test", status))
    }
    if ends { #expect(throws: Failure.self) { try wait() } } else { try wait() }
    follower.wait(until: .now)
    try cache.write("meal-plan/a.json", Sessions.plan())
    try wait()
  }
}

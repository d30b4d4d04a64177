import CacheSyncSystem
import Foundation
import Glibc
import Testing

import CacheSync
@testable import CacheSyncPublishing
import TestSupport

@Suite("Reading many files", .timeLimit(.minutes(10)))
struct ManyFilesTests {
  private let cache: TemporaryCache
  private let root: CacheRoot

  init() throws {
    cache = try TemporaryCache()
    root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
  }

  private func loader(clock: any WallClock = SystemWallClock()) -> SessionLoader {
    SessionLoader(reading: SessionReading(root: root), limit: 1 << 20, clock: clock, isPruning: false)
  }

  private func path(_ number: Int) -> String { "tasks/\(number).json" }

  /// Good files and bad ones of every sort, more than the agent reads at a time.
  private func makeFiles(_ count: Int) throws {
    for number in 0..<count {
      switch number % 50 {
      case 7: try cache.write(path(number), "[")
      case 17: continue
      case 27: #expect(mkfifo(cache.file(path(number)).path, 0o600) == 0)
      case 37:
        try FileManager.default.createDirectory(at: cache.file(path(number)), withIntermediateDirectories: true)
      default:
        try cache.write(
          path(number),
          #"[{"id":\#(number),"title":"Task \#(number)","description":"","completed":false,"createdAt":1}]"#)
      }
    }
  }

  @Test("Many files read together give the same snapshots and problems as when read one by one")
  func sameContents() throws {
    try makeFiles(400)
    let many = CacheContents(root: root, environment: cache.environment)
    many.readEverything(isPatient: false)
    let single = CacheContents(root: root, environment: cache.environment)
    for number in 0..<400 { single.load(CachePath(path(number)), feed: "tasks", isPatient: false) }
    #expect(many.files.rejections.mapValues(\.note.problem) == single.files.rejections.mapValues(\.note.problem))
    // By hand: of every 50 files, one is cut off, one missing, one a FIFO and one a directory.
    #expect(many.files.rejections.count == 3 * 8)
    #expect(many.files.paths.count { many.files[$0]?.verdict?.isHeld == true } == 400 - 4 * 8)
    let moment = many.moment(at: try #require(Instant("2026-11-21T12:00:00Z")))
    for kind in many.projector.kinds {
      #expect(
        many.projector.snapshot(of: kind, at: moment).encoded()
          == single.projector.snapshot(of: kind, at: moment).encoded())
    }
  }

  @Test("A file's age is its age when it was read, even if it is processed later")
  func age() throws {
    try cache.write("tasks/a.json", "[]")
    let path = CachePath("tasks/a.json")
    let changed = try cache.identity("tasks/a.json").changedNanoseconds / 1000
    for (after, isRacy) in [(0, true), (19_000, true), (21_000, false)] as [(Int64, Bool)] {
      let clock = FixedClock(instant: Instant(microseconds: changed + after))
      let seen = loader(clock: clock).look(
        at: path, for: try #require(FeedRegistry.builtIn.feed(named: TasksFeed.name)), lastGood: nil)
      guard case .session(_, _, let isRacyThen, _) = seen.content else {
        Issue.record("the file is good")
        continue
      }
      #expect(isRacyThen == isRacy, "\(after) us after the change")
    }
  }
}

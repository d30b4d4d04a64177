import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import SystemPackage
import Testing
import TestSupport

@Suite("Conflict copies of sync tools, and ignored files")
struct ConflictCopiesTests {
  let cache: TemporaryCache

  init() throws { cache = try TemporaryCache() }

  private static let mark = ".sync-conflict-20261124-101500-ABCDEF7"

  private func contents() throws -> CacheContents {
    try OneShot.contents(of: cache.path, environment: cache.environment)
  }

  private func problems(_ contents: CacheContents, of kind: String) throws -> [String?] {
    let kind = try #require(contents.registry.kind(named: KindName(kind)))
    return contents.projector.problems(of: kind, at: contents.moment(at: .now)).map { $0.path?.description }
  }

  @Test("Conflict copies are warnings of status, check and their feed's kinds, and are not read")
  func warnings() throws {
    try cache.write("meal-plan/a.json", MealPlanFixture.session(id: "one"))
    try cache.write("meal-plan/a\(Self.mark).json", "not even JSON")
    try cache.write("meal-plan/sub (conflicted copy 2026-11-24 101500)/b.json", MealPlanFixture.session(id: "two"))
    try cache.write("cachesync\(Self.mark).json", "{}")
    let contents = try contents()
    #expect(contents.files.paths.map(\.description) == ["meal-plan/a.json"])
    let paths = [
      "cachesync\(Self.mark).json", "meal-plan/a\(Self.mark).json", "meal-plan/sub (conflicted copy 2026-11-24 101500)",
    ]
    let notes = contents.allProblems(at: contents.moment(at: .now)).map(\.problem)
    #expect(notes.map { $0.path?.description } == paths && notes.allSatisfy { $0.severity == .warning })
    #expect(notes[1].message.contains("'meal-plan/a.json'") && notes[2].message.contains("'meal-plan/sub'"))
    let check = SessionCheck(cache: cache.path, environment: cache.environment)
    #expect(try check.wholeCache().filter { $0.path != CachePath("meal-plan/a.json") } == notes)
    #expect(try check.file(cache.path.appending("meal-plan/a\(Self.mark).json"), feed: nil) == [notes[1]])
    #expect(try problems(contents, of: "meal-plan") == Array(paths.dropFirst()), "settings are of no kind")
  }

  @Test("A conflict copy alone does not make its feed present, and deleting it ends the warning")
  func alone() throws {
    try cache.write("meal-plan/a\(Self.mark).json", MealPlanFixture.session(id: "one"))
    let contents = try contents()
    #expect(contents.present.isEmpty && contents.problems.conflictCopies.count == 1)
    try cache.remove("meal-plan/a\(Self.mark).json")
    contents.reconcileAll { _, _ in }
    #expect(contents.problems.conflictCopies.isEmpty)
  }

  @Test("Status lists the files that a feed would read under another name, with the reason")
  func ignored() throws {
    for name in [
      "meal-plan/.a.json", "meal-plan/b.part.JSON", "meal-plan/old~/c.json", "events/d.crdownload.ics",
      "meal-plan/a\(Self.mark).json", "meal-plan/.git/e.json", "meal-plan/@eaDir/f.json", "meal-plan/g.tmp", ".h.json",
      "other/i.tmp.json", ".cachesync/j.json", "snapshots/k.tmp.json", "other/@eaDir/l.json", "other/m.JSON",
    ] { try cache.write(name, "{}") }
    let root = try CacheRoot(resolved: CacheRoot.resolve(cache.path))
    let left = LeftFiles(in: root, FeedRegistry.builtIn.layout)
    #expect(
      left.ignored.map { "\($0.path): \($0.reason)" } == [
        "events/d.crdownload.ics: 'd.crdownload.ics' has the part 'crdownload', which marks unfinished work",
        "meal-plan/.a.json: '.a.json' begins with '.'",
        "meal-plan/b.part.JSON: 'b.part.JSON' has the part 'part', which marks unfinished work",
        "meal-plan/old~/c.json: 'old~' ends in '~'",
      ])
    #expect(left.unclaimed.map(\.description) == ["other/m.JSON"])
  }
}

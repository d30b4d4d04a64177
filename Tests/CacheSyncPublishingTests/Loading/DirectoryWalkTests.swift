import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Glibc
import Testing
import TestSupport

@Suite("A walk over a cache")
struct DirectoryWalkTests {
  private let cache: TemporaryCache

  init() throws { cache = try TemporaryCache() }

  /// What a walk reports, one line each: the directories in their order, then the rest sorted.
  private func walk(from start: CachePath = .root, entering enter: (CachePath) -> Void = { _ in }) throws -> [String] {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    var (entered, found): ([String], [String]) = ([], [])
    DirectoryWalk(root: root, layout: FeedRegistry.builtIn.layout).walk(
      from: start,
      enter: { path, directory in
        #expect(directory >= 0)
        enter(path)
        entered.append("in \(path)")
      },
      file: { found.append("\($1): \($0)") }, link: { found.append("link: \($0)") },
      copy: { found.append("copy: \($0)") },
      unfinished: { name, _ in found.append("unfinished: \(String(decoding: name, as: UTF8.self))") },
      failed: { found.append("failed: \($0): \($1)") })
    return entered + found.sorted()
  }

  @Test("A walk finds session files, links, conflict copies and unfinished files where sessions may be")
  func everything() throws {
    let copy = "tasks/a.sync-conflict-20261121-120000-ABCDEFG.json"
    // The name of a file that a writer has not finished: the prefix, and a number to base 36.
    let unfinished = ".cachesync-1a2b3c"
    for name in [
      "tasks/a.json", "tasks/sub/b.json", "tasks/.hidden/c.json", "tasks/d.txt", "other/e.json", "snapshots/f.json",
      "latest-session.json", copy, "tasks/\(unfinished)",
    ] { try cache.write(name, "") }
    try FileManager.default.createSymbolicLink(atPath: cache.file("tasks/link").path, withDestinationPath: "sub")
    let found = try walk()
    #expect(
      found == [
        "in ", "in tasks", "in tasks/sub", "copy: \(copy)", "link: tasks/link", "meal-plan: latest-session.json",
        "tasks: tasks/a.json", "tasks: tasks/sub/b.json", "unfinished: \(unfinished)",
      ])
    #expect(try walk(from: CachePath("tasks/sub")) == ["in tasks/sub", "tasks: tasks/sub/b.json"])
  }

  @Test("The caller learns of a directory before it is listed, so that no file that is written meanwhile is missed")
  func order() throws {
    try cache.write("tasks/a.json", "")
    let found = try walk { path in
      guard path == CachePath("tasks") else { return }
      #expect(throws: Never.self) { try cache.write("tasks/b.json", "") }
    }
    #expect(found.suffix(2) == ["tasks: tasks/a.json", "tasks: tasks/b.json"])
  }

  @Test("A directory that cannot be listed is reported, unless it has vanished or is not a directory")
  func failures() throws {
    try cache.write("tasks/a.json", "")
    #expect(try walk(from: CachePath("tasks/gone")) == [])
    #expect(try walk(from: CachePath("tasks/a.json")) == [])
    let long = "tasks/" + String(repeating: "n", count: 300)
    #expect(try walk(from: CachePath(long)).map { $0.hasPrefix("failed: \(long)") } == [true])
  }
}

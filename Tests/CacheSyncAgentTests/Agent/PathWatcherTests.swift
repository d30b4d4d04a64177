import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent

@Suite("Where a path leads")
@LoopActor
struct PathWatcherTests {
  private let folder: TemporaryCache
  /// The directory of the test, without links.
  private let base: FilePath

  init() throws {
    folder = try TemporaryCache()
    base = try folder.path.resolvingLinks()
    for name in ["r1/cache", "r2/cache", "a/b", "plain"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    try link("one", to: "r1")
    try link("chain", to: "a/../one")
    try link("dangling", to: "nowhere")
    try link("loop", to: "loop")
    try link("absolute", to: base.appending("r2").string)
    try link("..data", to: "./r1")
  }

  private func link(_ name: String, to target: String) throws {
    try #require(symlink(target, folder.file(name).path) == 0)
  }

  /// The destination and the links of a path in the directory of the test, relative to that directory.
  private func look(_ path: String) -> (path: String, links: [String], isWatched: Bool) {
    let destination = PathWatcher(base.pushing(FilePath(path))) {}.look()
    let prefix = base.string.count + 1
    return (
      String(destination.path.string.dropFirst(prefix)), destination.links.map { String($0.string.dropFirst(prefix)) },
      destination.isWatched
    )
  }

  @Test(
    "Every link is followed, wherever it is on the path, and names that are missing are kept",
    arguments: [
      ("plain", "plain", []), ("one", "r1", ["one"]), ("one/cache", "r1/cache", ["one"]),
      ("chain/cache", "r1/cache", ["chain", "one"]), ("absolute/cache", "r2/cache", ["absolute"]),
      ("..data/cache", "r1/cache", ["..data"]), ("a/./b/../../one", "r1", ["one"]),
      ("dangling", "nowhere", ["dangling"]), ("dangling/cache", "nowhere/cache", ["dangling"]),
      ("missing/deep/cache", "missing/deep/cache", []),
    ])
  func destinations(_ path: String, _ expected: String, _ links: [String]) {
    let found = look(path)
    #expect(found.path == expected && found.links == links && found.isWatched)
  }

  @Test("A link to itself is followed 40 times, as the kernel does") func loop() {
    let found = look("loop")
    #expect(found.path == "loop" && found.links.count == 40)
  }

  @Test(
    "A change of any name that matters is reported, whether it is a link or was missing",
    arguments: [
      ("one", "ln -sfn r2 one"), ("chain/cache", "ln -s r2 new && mv -T new one"), ("chain", "ln -sfn r2 chain"),
      ("..data/cache", "rm ..data"), ("dangling", "mkdir nowhere"), ("dangling/cache", "mv r2 nowhere"),
      ("plain", "rmdir plain"), ("missing/deep/cache", "ln -s r2 missing"), ("one/cache", "rmdir r1/cache"),
    ])
  func changes(_ path: String, _ command: String) throws {
    let changes = Journal()
    let watcher = PathWatcher(base.pushing(FilePath(path))) { changes.add("changed") }
    watcher.look()
    try shell("touch unrelated")
    InotifyWatcher.shared.drain()
    #expect(changes.lines.isEmpty)
    try shell(command)
    InotifyWatcher.shared.drain()
    #expect(!changes.lines.isEmpty)
    withExtendedLifetime(watcher) {}
  }

  @Test("After a look, only the names on the present way are watched, and with the watcher's end none") func unwatched()
    throws
  {
    let changes = Journal()
    var watcher: PathWatcher? = PathWatcher(base.appending("one").appending("cache")) { changes.add("changed") }
    watcher?.look()
    try shell("ln -sfn r2 one")
    watcher?.look()
    InotifyWatcher.shared.drain()
    changes.clear()
    try shell("rmdir r1/cache")
    InotifyWatcher.shared.drain()
    #expect(changes.lines.isEmpty)
    try shell("rmdir r2/cache")
    InotifyWatcher.shared.drain()
    #expect(!changes.lines.isEmpty)
    changes.clear()
    watcher = nil
    try shell("ln -sfn r1 one")
    InotifyWatcher.shared.drain()
    #expect(changes.lines.isEmpty)
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", command]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}

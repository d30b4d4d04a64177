import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent
@testable import CacheSyncPublishing

@Suite("A directory of caches")
@LoopActor
struct CacheCollectionTests {
  private let parent: TemporaryCache
  private let changes = Journal()

  init() throws { parent = try TemporaryCache() }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(at: parent.file(name), withIntermediateDirectories: true)
  }

  private func collection() throws -> CacheCollection {
    func record(_ sign: String) -> @LoopActor (FilePath) -> Void {
      { [changes] in changes.add(sign + ($0.lastComponent?.string ?? "")) }
    }
    return try CacheCollection(parent.path, appeared: record("+"), disappeared: record("-"))
  }

  private func play(
    _ flag: some BinaryInteger, _ name: String, isDirectory: Bool = true, in collection: CacheCollection
  ) {
    let mask = UInt32(truncatingIfNeeded: flag) | (isDirectory ? UInt32(IN_ISDIR) : 0)
    collection.receive(InotifyEvent(watch: 1, mask: mask, cookie: 0, name: Array(name.utf8)), in: .root)
  }

  @Test(
    "A collection lists directories, without files, links, hidden directories, the file system's own or conflict copies"
  )
  func list() throws {
    for name in ["b", "a", ".hidden", "lost+found", "a (conflicted copy 2026-11-21)", "é"] { try make(name) }
    try parent.write("file", "")
    try FileManager.default.createSymbolicLink(
      atPath: parent.file("link").path, withDestinationPath: parent.file("a").path)
    let collection = try collection()
    defer { collection.stop() }
    collection.list()
    #expect(changes.lines == ["+a", "+b", "+é"])
    let paths = try CacheCollection.paths(in: parent.path)
    #expect(paths.map { $0.lastComponent?.string } == ["a", "b", "é"])
    #expect(paths.allSatisfy { collection.lists($0) } && !collection.lists(parent.path))
  }

  @Test("Each directory that appears or disappears is reported once, whether an event or a listing finds it")
  func comingAndGoing() throws {
    let collection = try collection()
    defer { collection.stop() }
    play(IN_CREATE, "a", in: collection)
    play(IN_MOVED_TO, "a", in: collection)
    play(IN_CREATE, "b", isDirectory: false, in: collection)
    play(IN_CREATE, ".b", in: collection)
    #expect(changes.lines == ["+a"])
    play(IN_MOVED_FROM, "a", in: collection)
    play(IN_DELETE, "a", in: collection)
    #expect(changes.lines == ["+a", "-a"])
    play(IN_CREATE, "a", in: collection)
    try make("c")
    changes.clear()
    // Events were dropped: "a" was deleted, and "c" was created.
    collection.overflowed()
    #expect(changes.lines == ["-a", "+c"])
  }

  @Test("If the directory is moved away and another takes its path, the new one is listed")
  func replaced() throws {
    try make("old")
    let collection = try collection()
    defer { collection.stop() }
    collection.list()
    changes.clear()
    let away = parent.url.appendingPathExtension("away")
    try FileManager.default.moveItem(at: parent.url, to: away)
    defer { try? FileManager.default.removeItem(at: away) }
    collection.receive(InotifyEvent(watch: 1, mask: UInt32(IN_MOVE_SELF), cookie: 0, name: []), in: .root)
    #expect(changes.lines == ["-old"])
    try make("new")
    // The parent directory's event reports that the path exists again.
    InotifyWatcher.shared.drain()
    #expect(changes.lines == ["-old", "+new"])
  }

  @Test("A directory that returns between the look for it and the watch of its name is listed at once")
  func returnedUnseen() throws {
    try make("old")
    let away = parent.url.appendingPathExtension("away")
    let collection = try CacheCollection(
      parent.path, appeared: { [changes] in changes.add("+" + ($0.lastComponent?.string ?? "")) },
      disappeared: { [changes] in changes.add("-" + ($0.lastComponent?.string ?? "")) },
      watchReturn: { path, changed in
        try? FileManager.default.moveItem(at: away, to: parent.url)
        return NameWatcher(forPresenceOf: path, changed)
      })
    defer { collection.stop() }
    collection.list()
    changes.clear()
    try FileManager.default.moveItem(at: parent.url, to: away)
    collection.receive(InotifyEvent(watch: 1, mask: UInt32(IN_MOVE_SELF), cookie: 0, name: []), in: .root)
    #expect(changes.lines == ["+old"])
    // It is watched again, too.
    try make("new")
    InotifyWatcher.shared.drain()
    #expect(changes.lines.contains("+new"))
  }

  @Test("A directory of caches that does not exist is an error")
  func missing() throws {
    #expect(throws: CacheError.self) {
      try CacheCollection(FilePath(parent.file("nothing").path), appeared: { _ in }, disappeared: { _ in })
    }
  }
}

import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing

import CacheSync
import TestSupport

@Suite("Links among session files", .timeLimit(.minutes(10)))
struct SessionReadingTests {
  private let cache: TemporaryCache
  private let reading: SessionReading
  private let path = CachePath("tasks/link.json")

  init() throws {
    cache = try TemporaryCache()
    let root = try CacheRoot(resolved: CacheRoot.resolve(cache.path))
    reading = SessionReading(root: root)
    try cache.write("tasks/a.json", "a")
    try cache.write("store/b.json", "b")
    try cache.write("store/deep/c.json", "c")
    try link("store/linked", to: "deep")
    try link("store/chain.json", to: "chain2.json")
    try link("store/chain2.json", to: "linked/c.json")
    try link("store/two.json", to: "one.json")
    try link("store/one.json", to: "two.json")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: cache.file(name).path, withDestinationPath: target)
  }

  /// What is read through a link, or the reason why it is not.
  private func result(_ target: String) throws -> String {
    let directory = try #require(reading.root.path.lastComponent?.string)
    let full = target.replacingOccurrences(of: "ROOT", with: reading.root.path.string)
      .replacingOccurrences(of: "NAME", with: directory)
    try link("tasks/link.json", to: full)
    switch reading.look(at: path, limit: 100) {
    case .absent: return "absent"
    case .unusable(_, let failure):
      #expect(try reading.read(path, limit: 100) { _, _ in true } == nil, "what is unusable is not read either")
      return failure.message
    case .file(_, let isLink):
      #expect(isLink)
      return try reading.read(path, limit: 100) { bytes, _ in String(decoding: bytes, as: UTF8.self) } ?? "nothing"
    }
  }

  @Test(
    "A link to a file in the cache is read",
    arguments: [
      ("a.json", "a"), ("./../tasks//a.json", "a"), ("../store/b.json", "b"), ("../store/linked/c.json", "c"),
      ("../store/linked/../b.json", "b"), ("../store/chain.json", "c"), ("ROOT/store/b.json", "b"),
      ("ROOT/store/../tasks/./a.json", "a"), ("//ROOT/store/linked/c.json", "c"), ("../../NAME/store/b.json", "b"),
      ("../../NAME/../NAME/store/b.json", "b"), ("/../ROOT/tasks/a.json", "a"),
    ])
  func inside(target: String, content: String) throws { #expect(try result(target) == content) }

  @Test(
    "A link that leaves the cache is refused, whatever it leads to",
    arguments: [
      "/etc/passwd", "/", "..", "../..", "ROOT", "ROOT/..", "../../NAME.json", "ROOT.json",
      "../../../../../../../../..",
      "/proc/self/root/ROOT/tasks/a.json", "/proc/self/cwd", "/nowhere/x.json", "../../../nowhere/x.json",
      "../store/linked/../../../etc/passwd",
    ])
  func outside(target: String) throws { #expect(try result(target) == "is a link that leaves the cache") }

  @Test(
    "A dangling link is reported",
    arguments: [
      ("nowhere.json", "is a link to something that does not exist"),
      ("a.json/", "is a link to something that does not exist"),
      ("a.json/..", "is a link to something that does not exist"),
      ("../store/nowhere/../b.json", "is a link to something that does not exist"),
      ("link.json", "is a link that leads back to itself"),
      ("../store/one.json", "is a link that leads back to itself"),
      ("../store", "is a link to a directory, FIFO, socket or device, not a file"),
      ("../store/linked", "is a link to a directory, FIFO, socket or device, not a file"),
      ("../store/pipe.json", "is a link to a directory, FIFO, socket or device, not a file"),
    ])
  func nowhere(target: String, message: String) throws {
    #expect(mkfifo(cache.file("store/pipe.json").path, 0o600) == 0)
    #expect(try result(target) == message)
  }

  /// 40 links, as many as the kernel follows (path_resolution(7)), including the link itself.
  @Test(
    "A chain of 40 links is followed, and a longer one is not",
    arguments: [(40, "a"), (41, "is a link that leads back to itself")])
  func chain(length: Int, expected: String) throws {
    for number in 1..<length {
      try link("store/n\(number)", to: number == length - 1 ? "../tasks/a.json" : "n\(number + 1)")
    }
    #expect(try result("../store/n1") == expected)
    let file = open(cache.file("tasks/link.json").path, O_RDONLY)
    #expect((file >= 0) == (expected == "a"), "as the kernel does")
    if file >= 0 { close(file) }
  }

  @Test("A file below a linked directory is not a session file")
  func belowLinkedDirectory() throws {
    let path = CachePath("store/linked/c.json")
    guard case .absent = reading.look(at: path, limit: 100) else {
      Issue.record("it is looked at")
      return
    }
    #expect(try reading.read(path, limit: 100) { _, _ in true } == nil)
  }

  @Test("If a directory is swapped for a link while a path is resolved, the path never leaves the cache")
  func swapping() async throws {
    let elsewhere = try TemporaryCache()
    try elsewhere.write("b.json", "secret")
    try link("tasks/link.json", to: "../swapped/b.json")
    try cache.write("swapped/b.json", "b")
    let (place, directory, out) = (cache.file("swapped").path, cache.file("directory").path, cache.file("out").path)
    #expect(symlink(elsewhere.url.path, out) == 0)
    let isOver = Atomic(false)
    async let swapper: Void = Task.detached {
      while !isOver.load(ordering: .relaxed) {
        rename(place, directory)
        rename(out, place)
        rename(place, out)
        rename(directory, place)
      }
    }.value
    var readCount = 0
    while readCount < 200 {
      let content = try? reading.read(path, limit: 100) { bytes, _ in String(decoding: bytes, as: UTF8.self) }
      guard let content else { continue }
      readCount += 1
      #expect(content == "b")
    }
    isOver.store(true, ordering: .relaxed)
    await swapper
  }
}

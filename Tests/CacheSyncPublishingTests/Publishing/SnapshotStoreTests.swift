import CacheSyncSystem
import Foundation
import Glibc
import Synchronization
import Testing

import CacheSync
@testable import CacheSyncPublishing
import TestSupport

@Suite("Publishing")
struct SnapshotStoreTests {
  let cache: TemporaryCache
  let root: CacheRoot
  let state: StateDirectory
  let noon: Instant

  init() throws {
    cache = try TemporaryCache()
    root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    state = try StateDirectory(root: root)
    noon = try #require(Instant("2026-11-21T12:00:00Z"))
  }

  func document(_ value: Int) -> OutputDocument { .holding { $0.member("value", value) } }

  @Test(
    "A publication writes only what changed, under one generation, and the manifest last",
    arguments: [Durability.flush, .rename])
  func targeted(durability: Durability) throws {
    let store = SnapshotStore(root: root)
    let first = try store.publish(
      [("a.json", document(1)), ("b.json", document(2))], at: noon, durability: durability, state: state)
    #expect(first?.generation == 1 && first?.written == ["a.json", "b.json"])
    let before = try cache.identity("snapshots/a.json")
    let second = try store.publish(
      [("a.json", document(1)), ("b.json", document(3))], at: noon, durability: durability, state: state)
    #expect(second?.generation == 2 && second?.written == ["b.json"])
    #expect(try cache.identity("snapshots/a.json") == before)
    #expect(
      try cache.text("snapshots/b.json") == #"{"generation":2,"publishedAt":"2026-11-21T12:00:00Z","value":3}"# + "\n")
    // 63 bytes and the newline: counted by hand from the line above.
    #expect(
      try cache.text("snapshots/manifest.json")
        == #"{"files":{"a.json":{"bytes":64,"generation":1},"b.json":{"bytes":64,"generation":2}},"#
        + #""generation":2,"publishedAt":"2026-11-21T12:00:00Z","schema":1}"# + "\n")
    #expect(try cache.names(in: "snapshots") == [".tmp", "a.json", "b.json", "manifest.json"])
    #expect(try cache.names(in: "snapshots/.tmp").isEmpty)
    // A flush leaves a mark for the next run.
    #expect(
      try cache.names(in: ".cachesync") == (durability == .flush ? ["flushed", "holder", "lock"] : ["holder", "lock"]))
  }

  @Test("If nothing changed, nothing is written, not even the manifest")
  func nothingNew() throws {
    let store = SnapshotStore(root: root)
    _ = try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state)
    let manifest = try cache.identity("snapshots/manifest.json")
    #expect(try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state) == nil)
    #expect(try cache.identity("snapshots/manifest.json") == manifest)
    let restarted = SnapshotStore(root: root)
    restarted.readExistingOutputs(named: ["a.json"])
    #expect(try restarted.publish([("a.json", document(1))], at: noon, durability: .rename, state: state) == nil)
    #expect(try cache.identity("snapshots/manifest.json") == manifest)
  }

  @Test("Generations continue from the greatest one in any output, and the manifest is repaired")
  func generations() throws {
    try cache.write("snapshots/a.json", #"{"generation":41,"publishedAt":"2026-11-21T12:00:00Z","value":1}"# + "\n")
    let store = SnapshotStore(root: root)
    store.readExistingOutputs(named: ["a.json"])
    #expect(store.generation == 41)
    let publication = try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state)
    #expect(publication?.generation == 42 && publication?.written == [])
    #expect(try cache.text("snapshots/manifest.json").contains(#""a.json":{"bytes":65,"generation":41}"#))
  }

  @Test(
    "Damaged files are written again",
    arguments: [
      "", "{", #"{"generation":7}"#, #"{"generation":7,"publishedAt":"2026-11-21T12:00:00Z","value":1}"#, "\0\0",
    ])
  func damaged(text: String) throws {
    try cache.write("snapshots/a.json", text)
    let store = SnapshotStore(root: root)
    store.readExistingOutputs(named: ["a.json"])
    let publication = try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state)
    #expect(publication?.written == ["a.json"])
    #expect(try cache.text("snapshots/a.json").hasSuffix(#""value":1}"# + "\n"))
  }

  @Test(
    "An output that another program removed or changed is restored, with a generation greater than all in the outputs")
  func putBack() throws {
    let store = SnapshotStore(root: root)
    _ = try store.publish(
      [("a.json", document(1)), ("b.json", document(2))], at: noon, durability: .rename, state: state)
    #expect(!store.verify())
    try cache.remove("snapshots/a.json")
    try cache.write("snapshots/b.json", #"{"generation":90,"publishedAt":"2026-11-21T12:00:00Z","value":9}"# + "\n")
    #expect(store.verify())
    let publication = try store.publish(
      [("a.json", document(1)), ("b.json", document(2))], at: noon, durability: .rename, state: state)
    #expect(publication?.generation == 91 && publication?.written == ["a.json", "b.json"])
    try cache.remove("snapshots/manifest.json")
    #expect(store.verify())
    #expect(try store.publish([], at: noon, durability: .rename, state: state)?.generation == 92)
    #expect(cache.exists("snapshots/manifest.json"))
  }

  @Test("A discarded draft leaves no trace, and the next publication uses its generation")
  func givesUp() throws {
    let store = SnapshotStore(root: root)
    _ = try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state)
    do {
      let pending = try #require(try store.draft([("a.json", document(2))], at: noon, durability: .flush, state: state))
      try pending.prepare(with: WorkerPool())
      #expect(pending.generation == 2)
      #expect(try cache.text("snapshots/a.json").contains(#""value":1"#))
      #expect(try cache.names(in: "snapshots/.tmp").count == 2)
    }
    // The store discards the draft: it removes the temporaries, and no reader has seen the generation.
    #expect(try cache.names(in: "snapshots/.tmp").isEmpty)
    #expect(try store.publish([("a.json", document(2))], at: noon, durability: .rename, state: state)?.generation == 2)
  }

  @Test(
    "A directory that vanishes between drafting and writing counts as removed", arguments: [Durability.rename, .flush],
    [true, false])
  func directoryGoes(durability: Durability, isClosed: Bool) throws {
    let store = SnapshotStore(root: root)
    _ = try store.publish([("a.json", document(1))], at: noon, durability: durability, state: state)
    let publication = try #require(
      try store.draft([("a.json", document(2))], at: noon, durability: durability, state: state))
    if isClosed { publication.close() }
    try cache.remove("snapshots")
    Publication.publish([publication], with: WorkerPool())
    #expect(publication.failure == .outputsRemoved)
    #expect(!cache.exists("snapshots"))
  }

  /// After how many renames the writer stops. There are three files and the manifest: 0 is none, 3 all but the
  /// manifest.
  @Test(
    "If a publication stops after any step, readers see whole files, and the next writer finishes it", arguments: 0...4,
    [Durability.flush, .rename])
  func stopsHalfway(renames: Int, durability: Durability) throws {
    let names = ["a.json", "b.json", "c.json", "manifest.json"]
    func documents(_ value: Int) -> [(name: String, document: OutputDocument)] {
      names.dropLast().map { ($0, document(value)) }
    }
    do {
      let store = SnapshotStore(root: root)
      _ = try store.publish(documents(1), at: noon, durability: .rename, state: state)
      let pending = try #require(try store.draft(documents(2), at: noon, durability: durability, state: state))
      try pending.prepare(with: WorkerPool())
      for _ in 0..<renames { _ = try pending.renameNext() }
      // With `rename` a file is written just before its rename, and readers see it before the next one is written.
      #expect(try cache.names(in: "snapshots/.tmp").count == (durability == .flush ? 4 - renames : 0))
      // What a reader finds now.
      for (index, name) in names.enumerated() {
        let value = try #require(Array(cache.text("snapshots/\(name)").utf8).withUnsafeBytes { JSONValue.parse($0) })
        let isNew = index < renames
        #expect(value["generation"]?.int == (isNew ? 2 : 1), "\(name)")
        if name != "manifest.json" { #expect(value["value"]?.int == (isNew ? 2 : 1), "\(name)") }
      }
      // A reader that compares generations accepts the whole old set or the whole new set.
      let manifest = try #require(
        Array(cache.text("snapshots/manifest.json").utf8).withUnsafeBytes { JSONValue.parse($0) })
      let agrees = try names.dropLast().allSatisfy { name in
        let found = try Array(cache.text("snapshots/\(name)").utf8).withUnsafeBytes { JSONValue.parse($0) }
        return found?["generation"]?.int == manifest["files"]?[name]?["generation"]?.int
      }
      #expect(agrees == (renames == 0 || renames == 4))
    }
    let next = SnapshotStore(root: root)
    next.readExistingOutputs(named: names.dropLast())
    let publication = try next.publish(documents(2), at: noon, durability: .rename, state: state)
    #expect(publication?.written == (renames == 4 ? nil : Array(names.dropLast().dropFirst(renames))))
    #expect(publication.map { $0.generation == (renames == 0 ? 2 : 3) } ?? true, "no generation for two contents")
    #expect(try cache.names(in: "snapshots") == [".tmp"] + names)
    #expect(try cache.names(in: "snapshots/.tmp").isEmpty && cache.names(in: ".cachesync") == ["holder", "lock"])
    for name in names.dropLast() { #expect(try cache.text("snapshots/\(name)").hasSuffix(#""value":2}"# + "\n")) }
  }

  @Test("A link or FIFO with an output's name is replaced and never opened")
  func planted() throws {
    let victim = try cache.write("victim.txt", "mine")
    try FileManager.default.createDirectory(at: cache.file("snapshots"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: cache.file("snapshots/a.json"), withDestinationURL: victim)
    #expect(mkfifo(cache.file("snapshots/b.json").path, 0o644) == 0)
    let store = SnapshotStore(root: root)
    store.readExistingOutputs(named: ["a.json", "b.json"])
    _ = try store.publish(
      [("a.json", document(1)), ("b.json", document(2))], at: noon, durability: .flush, state: state)
    #expect(try cache.text("victim.txt") == "mine")
    #expect(try cache.identity("snapshots/a.json").type == .regular)
    #expect(try cache.identity("snapshots/b.json").type == .regular)
  }

  @Test("Readers keep the whole version that they opened, mapped, sent or linked")
  func readersKeepWhatTheyHave() throws {
    // Long enough for several pages of memory, and of a length that differs from one value to the next.
    func content(_ value: Int) -> String { String(repeating: "\(value),", count: 5000 + value) }
    func expected(_ value: Int) -> String {
      #"{"generation":\#(value),"publishedAt":"2026-11-21T12:00:00Z","value":"\#(content(value))"}"# + "\n"
    }
    let store = SnapshotStore(root: root)
    func publish(_ value: Int) throws {
      let document = OutputDocument.holding { $0.member("value", content(value)) }
      _ = try store.publish([("a.json", document)], at: noon, durability: .rename, state: state)
    }
    try publish(1)
    let opened = try FileHandle(forReadingFrom: cache.file("snapshots/a.json"))
    try publish(2)
    let mapped = try Data(contentsOf: cache.file("snapshots/a.json"), options: .alwaysMapped)
    try publish(3)
    // As in a web server: the socket holds pages of a closed file.
    var sockets: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    do {
      let file = try FileHandle(forReadingFrom: cache.file("snapshots/a.json"))
      let count = expected(3).utf8.count
      #expect(sendfile(sockets[1], file.fileDescriptor, nil, count) == count)
    }
    try publish(4)
    try FileManager.default.linkItem(at: cache.file("snapshots/a.json"), to: cache.file("kept.json"))
    for value in 5...12 { try publish(value) }
    #expect(String(decoding: try #require(try opened.readToEnd()), as: UTF8.self) == expected(1))
    #expect(String(decoding: mapped, as: UTF8.self) == expected(2))
    close(sockets[1])
    let received = try #require(try FileHandle(fileDescriptor: sockets[0], closeOnDealloc: true).readToEnd())
    #expect(String(decoding: received, as: UTF8.self) == expected(3))
    #expect(try cache.text("kept.json") == expected(4))
    #expect(try cache.names(in: ".cachesync") == ["holder", "lock"])
  }

  @Test("A link in place of the store's own directory is refused")
  func linkedDirectory() throws {
    let elsewhere = try TemporaryCache()
    try FileManager.default.createSymbolicLink(at: cache.file("snapshots"), withDestinationURL: elsewhere.url)
    let store = SnapshotStore(root: root)
    let error = #expect(throws: PublishError.self) {
      try store.publish([("a.json", document(1))], at: noon, durability: .rename, state: state)
    }
    #expect(error?.status == .noPermission)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path).isEmpty)
  }

  @Test("Only one writer at a time has the lock")
  func lock() throws {
    let other = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    #expect(throws: StateDirectory.Failure.self) { _ = try StateDirectory(root: other) }
    #expect(StateDirectory.holder(of: other) == .agent)
  }

  @Test("A command that checks for a running writer does not block a new writer")
  func lookingAtTheLock() async throws {
    let cache = try TemporaryCache()
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let lookCount = Atomic(0)
    let isOver = Atomic(false)
    async let command: Void = Task.detached {
      while !isOver.load(ordering: .relaxed) {
        _ = StateDirectory.holder(of: root)
        lookCount.add(1, ordering: .relaxed)
      }
    }.value
    while lookCount.load(ordering: .relaxed) == 0 { await Task.yield() }
    var refusedCount = 0
    for _ in 0..<2000 {
      do throws(StateDirectory.Failure) {
        let state = try StateDirectory(root: root)
        #expect(StateDirectory.holder(of: root) == .agent)
        withExtendedLifetime(state) {}
      } catch {
        refusedCount += 1
      }
      awaitFreeLock(of: root)
      #expect(StateDirectory.holder(of: root) == nil)
    }
    isOver.store(true, ordering: .relaxed)
    await command
    #expect(refusedCount == 0)
  }
}

import CLinux
import Foundation
import Glibc
import Testing

@testable import CacheSync

/// Files that were replaced are written again, on file systems where that pays, and no reader is disturbed.
@Suite("Files that were replaced a moment ago")
struct TemporariesTests {
  let cache: TemporaryCache
  let root: CacheRoot
  let state: StateDirectory
  let store: SnapshotStore

  init() throws {
    cache = try TemporaryCache()
    root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    state = try StateDirectory(root: root, letsGoWhenQuiet: false)
    store = SnapshotStore(root: root, isRewriting: true)
  }

  /// Whether the tests run where files are written again at all.
  static var isExt: Bool {
    guard let directory = Descriptor(open(FileManager.default.temporaryDirectory.path, O_RDONLY)) else { return false }
    return clinux_filesystem_is_ext(clinux_filesystem_type(directory.raw))
  }

  /// Long enough for several pages of memory, and of a length that differs from one value to the next.
  private func content(_ value: Int) -> String { String(repeating: "\(value),", count: 5000 + value) }

  @discardableResult
  private func publish(_ value: Int, durability: Durability = .rename) throws -> SnapshotStore.Publication {
    let document = OutputDocument.holding { $0.member("value", content(value)) }
    let publication = try store.publish(
      [("a.json", document)], at: .referenceDate, durability: durability, state: state)
    return try #require(publication)
  }

  /// What a whole file of a value and generation holds.
  private func expected(_ value: Int, generation: Int) -> String {
    #"{"generation":\#(generation),"publishedAt":"2001-01-01T00:00:00Z","value":"\#(content(value))"}"# + "\n"
  }

  private func inode() throws -> UInt64 { try cache.identity("snapshots/a.json").inode }

  @Test("are written again, and what is published is whole each time", .enabled(if: isExt))
  func writtenAgain() throws {
    var inodes: Set<UInt64> = []
    var times: Set<Int64> = []
    for value in [1, 9, 2, 8, 3, 7, 30, 4, 6] {
      let generation = try publish(value).generation
      #expect(try cache.text("snapshots/a.json") == expected(value, generation: generation))
      inodes.insert(try inode())
      times.insert(try cache.identity("snapshots/a.json").modifiedNanoseconds)
    }
    #expect(inodes.count == 2)
    #expect(times.count == 9, "readers may go by a file's time")
  }

  @Test("are left to whoever has them open, maps them, was sent their bytes or linked them")
  func readersKeepWhatTheyHave() throws {
    try publish(1)
    let text = expected(1, generation: 1)
    let opened = try FileHandle(forReadingFrom: cache.file("snapshots/a.json"))
    try publish(2)
    let mapped = try Data(contentsOf: cache.file("snapshots/a.json"), options: .alwaysMapped)
    try publish(3)
    // What a web server does: the socket holds pages of a file that nobody has open any more.
    var sockets: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
    let sent = expected(3, generation: 3)
    do {
      let file = try FileHandle(forReadingFrom: cache.file("snapshots/a.json"))
      #expect(sendfile(sockets[1], file.fileDescriptor, nil, sent.utf8.count) == sent.utf8.count)
    }
    try publish(4)
    try FileManager.default.linkItem(at: cache.file("snapshots/a.json"), to: cache.file("kept.json"))
    for value in 5...12 { try publish(value) }
    #expect(String(decoding: try #require(try opened.readToEnd()), as: UTF8.self) == text)
    #expect(String(decoding: mapped, as: UTF8.self) == expected(2, generation: 2))
    close(sockets[1])
    let received = try #require(try FileHandle(fileDescriptor: sockets[0], closeOnDealloc: true).readToEnd())
    #expect(String(decoding: received, as: UTF8.self) == sent)
    #expect(try cache.text("kept.json") == expected(4, generation: 4))
  }

  @Test("make whoever comes to open them wait until they are whole", .enabled(if: isExt))
  func latecomersWait() throws {
    // In place of a reader who found the old name before the file was replaced, and opens it only now.
    let name = "tmp-1"
    let text = try cache.write(".cachesync/\(name)", "a longer old text")
    #expect(chmod(text.path, 0o644 & ~Umask.current) == 0)
    let spare = Temporaries.Spare(
      number: 1, name: "a.json", identity: try cache.identity(".cachesync/\(name)"), generation: 2, holder: -1)
    guard let file = AtomicFile(reusing: spare, in: state.raw, mode: 0o644) else {
      Issue.record("the file cannot be written again")
      return
    }
    #expect(open(cache.file(".cachesync/\(name)").path, O_RDONLY | O_NONBLOCK) == -1 && errno == EWOULDBLOCK)
    try file.write(Array("whole".utf8))
    #expect(try cache.text(".cachesync/\(name)") == "whole")
  }

  @Test("wait for the rename that replaced them to be on disk, where that is promised", .enabled(if: isExt))
  func powerLoss() throws {
    try publish(1, durability: .flush)
    let first = try inode()
    try publish(2, durability: .flush)
    // The directory is not flushed: after power loss the first file may still be the one under the name.
    try publish(3, durability: .flush)
    let third = try inode()
    #expect(third != first)
    #expect(try temporaryCount() == 4)  // two files and two manifests
    store.noteDirectoryFlush(through: 2, hasFailed: false)
    try publish(4, durability: .flush)
    #expect(try inode() == first)
  }

  @Test("stay where they are when somebody else wrote into them, and are never deleted by another name")
  func foreign() throws {
    try publish(1)
    try cache.write("elsewhere.json", "mine")
    #expect(rename(cache.file("elsewhere.json").path, cache.file("snapshots/a.json").path) == 0)
    try FileManager.default.linkItem(at: cache.file("snapshots/a.json"), to: cache.file("kept.json"))
    try publish(2)
    // The manifest alone got a name.
    #expect(try temporaryCount() == (Self.isExt ? 1 : 0))
    for value in 3...4 { try publish(value) }
    #expect(try cache.text("kept.json") == "mine")
  }

  private func temporaryCount() throws -> Int { try cache.names(in: ".cachesync").count { $0.hasPrefix("tmp-") } }

  @Test("have few names, also when readers hold every version")
  func fewNames() throws {
    var readers: [FileHandle] = []
    for value in 1...12 {
      try publish(value)
      readers.append(try FileHandle(forReadingFrom: cache.file("snapshots/a.json")))
      readers.append(try FileHandle(forReadingFrom: cache.file("snapshots/manifest.json")))
      #expect(try temporaryCount() <= 6)  // three of each name
    }
    for (value, reader) in zip(1..., stride(from: 0, to: readers.count, by: 2).map { readers[$0] }) {
      #expect(
        String(decoding: try #require(try reader.readToEnd()), as: UTF8.self) == expected(value, generation: value))
    }
  }

  @Test("say when they are removed that somebody removes everything", .enabled(if: isExt))
  func removed() throws {
    for value in 1...3 { try publish(value) }
    for name in try cache.names(in: ".cachesync") where name.hasPrefix("tmp-") {
      try cache.remove(".cachesync/\(name)")
    }
    #expect(throws: PublishError.outputsRemoved) { try publish(4) }
    #expect(try temporaryCount() == 0)
  }

  @Test("are not kept by name where publications come now and then", arguments: [Durability.flush, .rename])
  func nowAndThen(durability: Durability) throws {
    let other = try TemporaryCache()
    let root = try CacheRoot(resolved: try CacheRoot.resolve(other.path))
    let (state, store) = (try StateDirectory(root: root), SnapshotStore(root: root, isRewriting: true))
    for value in 1...2 {
      let document = OutputDocument.holding { $0.member("value", value) }
      _ = try store.publish(
        [("a.json", document), ("b.json", document)], at: .referenceDate, durability: durability, state: state)
    }
    #expect(try other.names(in: ".cachesync") == ["lock"])
  }

  @Test("are gone when nothing has been replaced for a moment, or when they are in the way")
  func letGo() async throws {
    for value in 1...3 { try publish(value) }
    #expect(try cache.names(in: ".cachesync").count == (Self.isExt ? 3 : 1))
    _ = state.temporaries.letGo(keeping: 0)
    #expect(try cache.names(in: ".cachesync") == ["lock"])
    try publish(4)
    try publish(5)

    DiskWorkers.shared.letGoWhenQuiet(of: state.temporaries)
    let deadline = Uptime.now().advanced(by: .seconds(10))
    while try cache.names(in: ".cachesync") != ["lock"], Uptime.now() < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try cache.names(in: ".cachesync") == ["lock"])
  }
}

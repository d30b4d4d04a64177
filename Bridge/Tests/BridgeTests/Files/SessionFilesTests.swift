import CacheSyncSystem
import Glibc
import SystemPackage
import Testing

@testable import CacheSyncBridge

/// How a home changes a cache in each of its states. The tests are serialized, because the bridge has one thread.
@Suite("Session files", .serialized)
struct SessionFilesTests {
  private let path: FilePath

  init() throws {
    var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    path = FilePath(platformString: template)
  }

  private func file(_ name: String) -> FilePath { path.appending(name) }

  private func content(_ name: String) -> String? {
    (try? FileDescriptor.readAll(at: file(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ name: String, _ text: String) throws {
    mkdir(file(name).removingLastComponent().string, 0o755)
    let descriptor = try FileDescriptor.open(
      file(name), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    _ = try descriptor.closeAfter { try descriptor.writeAll(Array(text.utf8)) }
  }

  private var leftovers: [String] {
    guard let directory = opendir(file(".bridge").string) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0.hasPrefix("new-") || $0.hasPrefix("aside-") }
  }

  private func key(_ path: String) throws -> SessionKey {
    let cache = try #require(CacheName("kitchen"))
    return try #require(SessionKey(cache: cache, path: Array(path.utf8)))
  }

  private func change(_ path: String, _ version: Int64, _ text: String?, isPutBack: Bool = false) throws
    -> SessionFiles.Change
  {
    SessionFiles.Change(
      key: try key(path), version: version, isPutBack: isPutBack,
      content: text.map { .file(Array($0.utf8), modified: version) } ?? .deletion)
  }

  /// Runs the bridge with these changes, and returns the reasons of those that failed.
  @discardableResult
  private func run(_ changes: [SessionFiles.Change]) throws -> [Errno] {
    try LoopActor.run { [path] in
      try SessionFiles(in: try BridgeDirectory(path)).apply(changes).map(\.reason)
    }
  }

  @Test("A deleted file stays deleted if an engine shows again what an old deletion had replaced")
  func oldDeletion() throws {
    let day: Int64 = 86_400 * 1_000_000_000
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Int64(time.tv_sec) * 1_000_000_000
    for (name, deletion) in [("tasks/new.json", now - 89 * day), ("tasks/old.json", now - 91 * day)] {
      try run([change(name, deletion - 10, "before"), change(name, deletion, nil)])
      try run([change(name, deletion - 10, "before")])
    }
    #expect(content("tasks/new.json") == "before", "an engine that was rolled back is believed")
    #expect(content("tasks/old.json") == nil)
    try run([change("tasks/old.json", now, "after")])
    #expect(content("tasks/old.json") == "after")
  }

  @Test("A file is written once for each version, with the producer's time")
  func versions() throws {
    try run([change("tasks/a.json", 5, "five"), change("cachesync.json", 6, "{}")])
    #expect(content("tasks/a.json") == "five" && content("cachesync.json") == "{}")
    var about = stat()
    #expect(stat(file("tasks/a.json").string, &about) == 0 && about.st_mtim.tv_sec == 0 && about.st_mtim.tv_nsec == 5)
    try write("tasks/a.json", "edited")
    try run([change("tasks/a.json", 5, "five")])
    #expect(content("tasks/a.json") == "edited", "a version that was put already is not put again")
    try run([change("tasks/a.json", 4, "four")])
    #expect(content("tasks/a.json") == "four", "an engine that was rolled back is believed")
    try run([change("tasks/a.json", 3, "three", isPutBack: true)])
    #expect(content("tasks/a.json") == "four")
    #expect(leftovers.isEmpty)
  }

  @Test("The last version of a key to arrive is written, but not an older put-back")
  func batches() throws {
    try run([change("tasks/a.json", 5, "five"), change("tasks/a.json", 4, "four")])
    #expect(content("tasks/a.json") == "four")
    try run([change("tasks/b.json", 5, "five"), change("tasks/b.json", 4, "four", isPutBack: true)])
    #expect(content("tasks/b.json") == "five")
    try run([change("tasks/c.json", 5, "five"), change("tasks/c.json", 6, "six", isPutBack: true)])
    #expect(content("tasks/c.json") == "six")
  }

  @Test("After a death, files with a record are put in place, and files without one are not")
  func finishing() throws {
    try run([change("tasks/a.json", 5, "five")])
    try write(".bridge/new-recorded", "six")
    try write(".bridge/new-unrecorded", "seven")
    let log = try #require(content(".bridge/kept"))
    try write(
      ".bridge/kept", log + "put tasks.a 6 \(SHA256.hex(Array("six".utf8))) new-recorded\nput tasks.a 7 x new-unr")
    try run([])
    #expect(content("tasks/a.json") == "six")
    #expect(leftovers.isEmpty)
    try run([change("tasks/a.json", 6, "again")])
    #expect(content("tasks/a.json") == "six")
  }

  @Test("After a death, files that were moved aside come back, unless a newer one exists")
  func aside() throws {
    try run([change("tasks/a.json", 5, "five"), change("tasks/b.json", 5, "five")])
    let log = try #require(content(".bridge/kept"))
    try write(".bridge/aside-1", "mine")
    try write(".bridge/aside-2", "older")
    unlink(file("tasks/a.json").string)
    try write("tasks/b.json", "newer")
    try write(".bridge/kept", log + "aside tasks.a aside-1\naside tasks.b aside-2\n")
    try run([])
    #expect(content("tasks/a.json") == "mine" && content("tasks/b.json") == "newer")
    #expect(leftovers.isEmpty)
  }

  @Test("A file is removed only if it is still as the bridge wrote it")
  func deletion() throws {
    try run([change("tasks/a.json", 5, "five"), change("tasks/b.json", 5, "five")])
    try write("tasks/b.json", "edited")
    try write("tasks/own.json", "own")
    try run([change("tasks/a.json", 6, nil), change("tasks/b.json", 6, nil), change("tasks/own.json", 6, nil)])
    #expect(content("tasks/a.json") == nil)
    #expect(content("tasks/b.json") == "edited" && content("tasks/own.json") == "own")
    #expect(leftovers.isEmpty)
  }

  @Test("A file is never written through a link, and a failure does not stop the others")
  func links() throws {
    mkdir(file("elsewhere").string, 0o755)
    symlink("elsewhere", file("tasks").string)
    mkdir(file("events").string, 0o755)
    mkdir(file("events/a.json").string, 0o755)
    let failed = try run([
      change("tasks/a.json", 5, "x"), change("events/a.json", 5, "x"), change("events/b.json", 5, "fine"),
    ])
    #expect(failed.count == 2)
    #expect(content("elsewhere/a.json") == nil && content("events/b.json") == "fine")
    #expect(leftovers.isEmpty)
    // The obstacle is removed, and the same version is still wanted.
    rmdir(file("events/a.json").string)
    #expect(try run([change("events/a.json", 5, "x")]).isEmpty)
    #expect(content("events/a.json") == "x")
  }

  @Test(
    "A file is not put into a cache that is being deleted, whenever that shows, and is wanted later", arguments: 0...3)
  func interrupted(after count: Int) throws {
    try run([change("tasks/a.json", 4, "four")])
    let changes = [try change("tasks/a.json", 5, "five"), try change("tasks/b.json", 5, "five")]
    let failed = try LoopActor.run { [path] in
      var asked = 0
      return try SessionFiles(in: try BridgeDirectory(path)).apply(changes) {
        asked += 1
        return asked <= count
      }.map(\.reason)
    }
    #expect(failed == Array(repeating: .interrupted, count: count < 3 ? 2 : 1))
    #expect(leftovers.isEmpty)
    #expect(try run(changes).isEmpty)
    #expect(content("tasks/a.json") == "five" && content("tasks/b.json") == "five")
  }

  @Test("A file replaces a link, and does not change the link's target")
  func linkedFile() throws {
    try write("outside", "outside")
    mkdir(file("tasks").string, 0o755)
    symlink(file("outside").string, file("tasks/a.json").string)
    try run([change("tasks/a.json", 5, "five")])
    #expect(content("tasks/a.json") == "five" && content("outside") == "outside")
  }

  @Test("The log stays short over a long life, whether in many runs or in one", arguments: [1, 40])
  func compaction(runs: Int) throws {
    let changes = try (1...120).map { version in
      try (0..<4).map {
        try change("tasks/\($0).json", Int64(version), $0 == 0 && version.isMultiple(of: 2) ? nil : "\(version)")
      }
    }
    for run in 0..<runs {
      try LoopActor.run { [path] in
        let files = try SessionFiles(in: try BridgeDirectory(path))
        for batch in changes[(run * 120 / runs)..<((run + 1) * 120 / runs)] { #expect(files.apply(batch).isEmpty) }
      }
    }
    let log = try #require(content(".bridge/kept"))
    #expect(log.split(separator: "\n").count < 4 + 2 * 4 + 70)
    // None of the 60 files that were moved aside exists.
    #expect(log.split(separator: "\n").count { $0.hasPrefix("aside ") } < 40)
    #expect(content("tasks/3.json") == "120" && content("tasks/0.json") == nil)
    try write("tasks/3.json", "edited")
    try run([change("tasks/3.json", 120, "120")])
    #expect(content("tasks/3.json") == "edited", "the version is kept still")
  }

  @Test("Only one bridge at a time may write session files")
  func lock() throws {
    try LoopActor.run { [path] in
      let first = try BridgeDirectory(path)
      #expect(throws: DirectoryRefusal.held(path.string)) { _ = try BridgeDirectory(path) }
      #expect(first.isInPlace)
      try first.keep(nonce: "one")
      try first.keep(nonce: "two")
      #expect(first.nonces == ["one", "two"])
      // Each run may be the last that wrote its record, however many there were.
      for number in 0..<100 {
        let last = first.nonces.last
        try first.keep(nonce: String(UInt64.random(in: .min ... .max)))
        #expect(first.nonces.dropLast().last == last && first.nonces.count <= 33, "run \(number)")
      }
      rename(path.appending(".bridge").string, path.appending("gone").string)
      rename(path.string, path.string + "-moved")
      #expect(!first.isInPlace && !first.isSameDirectory)
    }
  }
}

import CacheSyncSystem
import Glibc
import SystemPackage
import Testing

@testable import CacheSyncBridge

// Inside that suite, because the bridge has one thread and tests of two suites run at the same time.
extension SessionFilesTests {
  @Suite("Session files in a pool's directory")
  struct PoolDirectoryTests {
    private let path: FilePath

    init() throws {
      var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      path = FilePath(platformString: template)
    }

    private func names(_ directory: String) -> [String] {
      let found = try? LoopActor.run { [path] in
        let directory = try FileCall.directory(at: path.appending(directory))
        defer { close(directory) }
        return try FileCall.names(in: directory)
      }
      return (found ?? []).sorted()
    }

    private func content(_ name: String) -> String? {
      (try? FileDescriptor.readAll(at: path.appending(name))).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ name: String, _ text: String) throws {
      let descriptor = try FileDescriptor.open(
        path.appending(name), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
      _ = try descriptor.closeAfter { try descriptor.writeAll(Array(text.utf8)) }
    }

    private func key(_ text: String) throws -> SessionKey { try #require(SessionKey(text: text)) }

    private func change(_ key: String, _ version: Int64, _ text: String?, sequence: UInt64 = 1) throws
      -> SessionFiles.Change
    {
      SessionFiles.Change(
        key: try self.key(key), version: version, isPutBack: false,
        content: text.map { .file(Array($0.utf8), modified: version) } ?? .deletion, sequence: sequence)
    }

    private func set(_ generation: Int, _ more: String = "") throws -> PublishedSet {
      let file = #"{"generation":\#(generation)\#(more)}"# + "\n"
      let manifest =
        #"{"generation":\#(generation),"files":{"tasks.json":{"bytes":\#(file.utf8.count),"#
        + #""generation":\#(generation)}}}"# + "\n"
      return try #require(PublishedSet(message: Array((manifest + file).utf8)))
    }

    @Test("Only an empty directory, or one that was a pool's before, is used")
    func mark() throws {
      mkdir(path.appending("mine").string, 0o755)
      let refusal = DirectoryRefusal.notEmpty(path.string)
      #expect(throws: refusal) { try LoopActor.run { [path] in _ = try PoolDirectory(path) } }
      #expect(names("") == ["mine"])
      rmdir(path.appending("mine").string)
      // Another bridge's directory, without a cache.
      mkdir(path.appending(".bridge").string, 0o700)
      try LoopActor.run { [path] in _ = try PoolDirectory(path) }
      mkdir(path.appending("mine").string, 0o755)
      mkdir(path.appending("=").string, 0o755)
      mkdir(path.appending(".bridge/arriving/half").string, 0o755)
      try write(".bridge/arriving/half/a.json", "half")
      try LoopActor.run { [path] in _ = try PoolDirectory(path) }
      #expect(names("") == [".bridge", "="])
      #expect(names(".bridge/leaving") == ["mine"] && names(".bridge/arriving").isEmpty)
    }

    @Test("Files arrive complete, with their producers' times, and sets byte for byte")
    func arriving() throws {
      let set = try set(41)
      let changes = [
        try change("kitchen.tasks.a", 5, "five"), try change("kitchen.tasks.b", 6, "six"),
        try change("kitchen.tasks.b", 7, nil), try change("kitchen.cachesync", 8, "{}"),
        // Only a deletion: it creates no cache, but is remembered.
        try change("gone.tasks.a", 9, nil),
        // A path that leads through a file, in a cache whose other files still arrive.
        try change("study.tasks.a", 5, "x"), try change("study.tasks.a=2Ejson.b", 5, "x"),
      ]
      let (failures, impossible, kept) = try LoopActor.run { [path] in
        let directory = try PoolDirectory(path)
        let arriving = ArrivingCaches(directory)
        arriving.add(set, of: try #require(CacheName("kitchen")))
        for change in changes { arriving.add(change) }
        var ready: [String] = []
        let impossible = arriving.impossible.keys.map(\.text)
        let failures = arriving.arrive { name in
          ready.append(name.description)
          #expect(access(path.appending(name.description).string, F_OK) != 0, "it is not there yet")
        }
        #expect(ready.sorted() == ["kitchen", "study"])
        return (failures, impossible, directory.files.kept.map { "\($0.key.text) \($0.kept.version)" }.sorted())
      }
      #expect(failures.isEmpty)
      #expect(impossible == ["study.tasks.a=2Ejson.b"])
      #expect(
        kept == ["gone.tasks.a 9", "kitchen.cachesync 8", "kitchen.tasks.a 5", "kitchen.tasks.b 7", "study.tasks.a 5"])
      #expect(names("") == [".bridge", "kitchen", "study"])
      #expect(names("kitchen/tasks") == ["a.json"] && names("study/snapshots").isEmpty)
      #expect(names("kitchen/snapshots") == ["manifest.json", "tasks.json"])
      #expect(content("kitchen/snapshots/manifest.json").map { Array($0.utf8) } == set.manifest)
      #expect(content("kitchen/snapshots/tasks.json").map { Array($0.utf8) } == set.files[0].bytes)
      var about = stat()
      #expect(stat(path.appending("kitchen/tasks/a.json").string, &about) == 0)
      #expect(about.st_mtim.tv_sec == 0 && about.st_mtim.tv_nsec == 5)
    }

    @Test("The set with the greater generation is shown, and of equal ones the engine's")
    func generations() throws {
      // The engine's set is first.
      let sets = [try set(41), try set(42), try set(42, #","of":"a copy""#), try set(40)]
      try LoopActor.run { [path] in
        let kitchen = try #require(CacheName("kitchen"))
        let arriving = ArrivingCaches(try PoolDirectory(path))
        for set in sets { arriving.add(set, of: kitchen) }
        #expect(arriving.generation(of: kitchen) == 42)
        #expect(arriving.arrive { _ in }.isEmpty)
      }
      #expect(content("kitchen/snapshots/tasks.json") == #"{"generation":42}"# + "\n")
    }

    @Test(
      "An invalid version may come after the good one that was put in its place, even if it was here before",
      arguments: [false, true])
    func goodFirst(wasHere: Bool) throws {
      let bad = try change("kitchen.tasks.a", 5, "bad")
      try LoopActor.run { [path] in
        let directory = try PoolDirectory(path)
        if wasHere { try directory.files.record([(bad.key, .init(version: 5, digest: SHA256.hex(Array("bad".utf8))))]) }
        let arriving = ArrivingCaches(directory)
        arriving.add(bad)
        arriving.put(Array("good".utf8), modified: 3, inPlaceOf: bad.key)
        #expect(arriving.arrive { _ in }.isEmpty)
        #expect(try FileDescriptor.readAll(at: path.appending("kitchen/tasks/a.json")) == Array("good".utf8))
        #expect(directory.files.wants(bad))
        #expect(directory.files.apply([bad]).isEmpty)
      }
      #expect(content("kitchen/tasks/a.json") == "bad")
    }

    @Test("Files are never written outside a cache, and follow the engine from the first start on")
    func copies() throws {
      let old = try change("kitchen.tasks.a", 4, "four", sequence: 1)
      let first = try change("kitchen.tasks.a", 5, "five", sequence: 2)
      let late = try change("kitchen.tasks.a", 3, "late", sequence: 3)
      let other = try change("elsewhere.tasks.a", 5, "x")
      let deletion = try change("kitchen.tasks.a", 6, nil, sequence: 4)
      mkdir(path.appending("copies").string, 0o755)
      let reasons = try LoopActor.run { [path] in
        let directory = try PoolDirectory(path.appending("copies"))
        mkdir(path.appending("copies/kitchen").string, 0o755)
        let reasons = directory.files.apply([first, other]).map(\.reason)
        #expect(!directory.files.wants(old), "an engine that was rolled back is not believed")
        #expect(directory.files.wants(late), "a later message is, even of a server whose clock is behind")
        #expect(directory.files.apply([late]).isEmpty)
        #expect(directory.files.unchangedFile(late.key)?.bytes == Array("late".utf8))
        #expect(directory.files.apply([deletion]).isEmpty)
        #expect(directory.files.kept(deletion.key)?.digest == nil)
        return reasons
      }
      #expect(reasons == [.noSuchFileOrDirectory])
      #expect(names("copies") == [".bridge", "kitchen"] && names("copies/kitchen/tasks").isEmpty)
    }

    @Test("Files with a record from before a death are finished before they leave")
    func finishing() throws {
      try LoopActor.run { [path] in _ = try PoolDirectory(path) }
      mkdir(path.appending("kitchen").string, 0o755)
      try write(".bridge/new-recorded", "six")
      try write(".bridge/kept", "put kitchen.tasks.a 6 \(SHA256.hex(Array("six".utf8))) new-recorded\n")
      try LoopActor.run { [path] in
        let directory = try PoolDirectory(path)
        #expect(directory.files.kept.map(\.kept.version) == [6])
      }
      #expect(content(".bridge/leaving/kitchen/tasks/a.json") == "six")
      // Nothing is left of forgotten files, even after a restart.
      let gone = try key("kitchen.tasks.a")
      try LoopActor.run { [path] in try PoolDirectory(path).files.remove([gone]) }
      let digest = try LoopActor.run { [path] in try PoolDirectory(path).files.kept(gone)?.digest }
      #expect(digest == nil)
    }
  }
}

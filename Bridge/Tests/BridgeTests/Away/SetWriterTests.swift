import CacheSyncSystem
import Glibc
import SystemPackage
import Testing

@testable import CacheSyncBridge

// Inside the serialized suite, because the bridge has one thread.
extension SessionFilesTests {
  @Suite("A set in snapshots/")
  struct SetWriterTests {
    private let path: FilePath

    init() throws {
      var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      path = FilePath(platformString: template)
    }

    /// A set of these kinds, each with the generation that last wrote it.
    private static func set(_ generation: Int, _ kinds: [String: Int]) throws -> PublishedSet {
      let files = kinds.sorted { $0.key < $1.key }
      let named = files.map { #""\#($0.key).json":{"bytes":\#(line($0.value).utf8.count),"generation":\#($0.value)}"# }
      let manifest = #"{"files":{\#(named.joined(separator: ","))},"generation":\#(generation)}"# + "\n"
      return try #require(PublishedSet(message: Array((manifest + files.map { line($0.value) }.joined()).utf8)))
    }

    private static func line(_ generation: Int) -> String { #"{"generation":\#(generation)}"# + "\n" }

    private func names(_ directory: String) throws -> [String] {
      let descriptor = try FileCall.directory(at: path.appending(directory))
      defer { close(descriptor) }
      return try FileCall.names(in: descriptor).sorted()
    }

    private func inode(_ name: String) throws -> UInt64 {
      var about = stat()
      try #require(stat(path.appending("snapshots/\(name)").string, &about) == 0)
      return UInt64(about.st_ino)
    }

    private func text(_ name: String) throws -> String {
      String(decoding: try FileDescriptor.readAll(at: path.appending("snapshots/\(name)")), as: UTF8.self)
    }

    private func put(_ name: String, _ text: String) throws {
      let file = try FileDescriptor.open(
        path.appending(name), .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
      _ = try file.closeAfter { try file.writeAll(Array(text.utf8)) }
    }

    private func write(_ sets: PublishedSet...) throws {
      try LoopActor.run { [path] in
        let writer = SetWriter(directory: try BridgeDirectory(path))
        for set in sets { try writer.write(set) }
      }
    }

    @Test("Writing a set replaces changed files, touches no others, and removes files that the manifest does not name")
    func replacing() throws {
      try write(try Self.set(3, ["meal-plan": 3, "overview": 2, "budget": 1]))
      #expect(try names("snapshots") == ["budget.json", "manifest.json", "meal-plan.json", "overview.json"])
      let before = (try inode("meal-plan.json"), try inode("overview.json"), try inode("manifest.json"))
      try put("snapshots/notes.txt", "another program's")
      try write(try Self.set(4, ["meal-plan": 4, "overview": 2]))
      #expect(try names("snapshots") == ["manifest.json", "meal-plan.json", "notes.txt", "overview.json"])
      #expect(try text("meal-plan.json") == Self.line(4))
      let after = (try inode("meal-plan.json"), try inode("overview.json"), try inode("manifest.json"))
      #expect(before.0 != after.0 && before.1 == after.1 && before.2 != after.2)
      #expect(try names(".bridge") == ["lock"])
      try write(try Self.set(4, ["meal-plan": 4, "overview": 2]))
      #expect(try inode("manifest.json") == after.2)
    }

    @Test("A set is restored after another program changed it, also through a link")
    func repairing() throws {
      let set = try Self.set(3, ["meal-plan": 3, "overview": 2])
      try write(set)
      try put("snapshots/meal-plan.json", "changed")
      try put("outside", "stays")
      unlink(path.appending("snapshots/overview.json").string)
      try #require(symlink("../outside", path.appending("snapshots/overview.json").string) == 0)
      try write(set)
      #expect(try text("meal-plan.json") == Self.line(3) && text("overview.json") == Self.line(2))
      #expect(String(decoding: try FileDescriptor.readAll(at: path.appending("outside")), as: UTF8.self) == "stays")
    }

    @Test("A set is never written through a link in place of snapshots/")
    func linkedDirectory() throws {
      mkdir(path.appending("elsewhere").string, 0o755)
      try #require(symlink("elsewhere", path.appending("snapshots").string) == 0)
      #expect(throws: Errno.self) { try write(try Self.set(3, ["meal-plan": 3])) }
      #expect(try names("elsewhere") == [])
    }

    @Test(
      "An interrupted set is finished at the next start if it was written completely, and otherwise dropped",
      arguments: [true, false])
    func finishing(isWhole: Bool) throws {
      try write(try Self.set(3, ["meal-plan": 3, "overview": 3]))
      let folder = isWhole ? ".bridge/set" : ".bridge/set.new"
      mkdir(path.appending(folder).string, 0o700)
      let next = try Self.set(4, ["meal-plan": 4, "overview": 3])
      // As a bridge leaves it that is killed after some of the renames.
      if isWhole { try put("\(folder)/manifest.json", String(decoding: next.manifest, as: UTF8.self)) }
      try put("\(folder)/meal-plan.json", Self.line(4))
      let generation = try LoopActor.run { [path] in
        let writer = SetWriter(directory: try BridgeDirectory(path))
        try writer.finish()
        return writer.shownGeneration
      }
      #expect(generation == (isWhole ? 4 : 3))
      #expect(try text("meal-plan.json") == Self.line(isWhole ? 4 : 3))
      #expect(try names(".bridge") == ["lock"])
    }
  }
}

import CacheSyncSystem
import Glibc
import SystemPackage
import Testing

@testable import CacheSyncBridge

// Inside the serialized suite, because the bridge has one thread.
extension SessionFilesTests {
  @Suite("Kept versions and notes of an away")
  struct KeptVersionsTests {
    private typealias Kept = KeptVersion

    private let path: FilePath
    private let file = Outbox.Sent(content: .file(digest: "d1", modified: -5), expecting: 7)
    private let deletion = Outbox.Sent(content: .deletion, expecting: 0)

    init() throws {
      var template = Array("/tmp/cachesync-XXXXXX".utf8CString)
      _ = try #require(mkdtemp(&template))
      path = FilePath(platformString: template)
    }

    private var log: FilePath { path.appending(".bridge/kept") }

    private func lines() throws -> [String] {
      String(decoding: try FileDescriptor.readAll(at: log), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func run(_ body: @escaping @LoopActor @Sendable (KeptVersions) throws -> Void) throws {
      try LoopActor.run { [path] in try body(try KeptVersions(in: try BridgeDirectory(path))) }
    }

    @Test("Notes tell the next start which messages may have been sent, even for a key without a kept version")
    func notes() throws {
      let (file, deletion) = (file, deletion)
      try run { versions in
        try versions.record([("tasks.b", Kept(version: 5, digest: "d0"))])
        try versions.recordSending(file, of: "tasks.a")
        try versions.recordSending(deletion, of: "tasks.b")
        #expect(versions.sent == ["tasks.a": [file], "tasks.b": [deletion]])
      }
      #expect(try lines() == ["put tasks.b 5 d0 -", "sent tasks.a -5 d1 7", "sent tasks.b 0 - 0"])
      try run { versions in
        #expect(versions.sent == ["tasks.a": [file], "tasks.b": [deletion]])
        #expect(versions.kept == ["tasks.b": Kept(version: 5, digest: "d0", temporary: "-")])
        // All of them may arrive. One that is retried is already noted.
        for message in [deletion, file, deletion] { try versions.recordSending(message, of: "tasks.a") }
      }
      #expect(try lines().count == 4)
      try run { #expect($0.sent["tasks.a"] == [file, deletion]) }
    }

    @Test("A kept version ends the notes that it settles, even if it is the same as before")
    func ends() throws {
      let file = file
      let values = [
        "tasks.a": Kept(version: 5, digest: "d0"), "tasks.b": Kept(version: 6), "tasks.c": Kept(version: 0),
        "tasks.d": Kept(version: 7, digest: "d2", isLeft: true),
      ]
      try run { versions in
        for _ in 0..<2 {
          for key in values.keys { try versions.recordSending(file, of: key) }
          try versions.record(values.map { ($0.key, $0.value) })
          #expect(versions.sent.isEmpty)
        }
        try versions.recordSending(file, of: "tasks.a")
        try versions.remove(["tasks.a"])
        #expect(versions.sent.isEmpty)
      }
      try run { #expect($0.sent.isEmpty) }
    }

    @Test("A note that was cut off is lost, but no line after it")
    func cut() throws {
      let file = file
      try run { try $0.recordSending(file, of: "tasks.a") }
      let descriptor = try FileDescriptor.open(log, .writeOnly, options: [.append])
      _ = try descriptor.closeAfter { try descriptor.writeAll(Array("sent tasks.a 5 d".utf8)) }
      try run { versions in
        #expect(versions.sent == ["tasks.a": [file]])
        try versions.record([("tasks.b", Kept(version: 5, digest: "d0"))])
      }
      #expect(try lines() == ["sent tasks.a -5 d1 7", "put tasks.b 5 d0 -"])
    }

    @Test("Notes stay when the log is rewritten")
    func rewriting() throws {
      let (file, deletion) = (file, deletion)
      try run { versions in
        for message in [deletion, file] { try versions.recordSending(message, of: "tasks.a") }
        for number in 0..<250 {
          let message = Outbox.Sent(content: .file(digest: "d\(number)", modified: 1), expecting: 1)
          try versions.recordSending(message, of: "tasks.b")
          try versions.record([("tasks.b", Kept(version: Int64(number), digest: "d\(number)"))])
        }
        try versions.recordSending(file, of: "tasks.b")
      }
      #expect(try lines().count < 100)
      try run { versions in
        #expect(versions.sent == ["tasks.a": [deletion, file], "tasks.b": [file]])
        #expect(versions.kept["tasks.b"]?.version == 249)
      }
    }
  }
}

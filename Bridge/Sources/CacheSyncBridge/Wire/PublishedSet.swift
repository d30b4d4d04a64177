import CacheSync

/// One publication of one cache as one message: the bytes of `manifest.json`, then those of each file in the manifest's
/// order. Each is one line of JSON. The manifest gives the length of each (wire.md section 4).
package struct PublishedSet: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    /// Such as `meal-plan.json`.
    package var name: String
    package var bytes: [UInt8]

    /// Whether it is the snapshot of one kind. `day-index.json`, the days around today, is not.
    package var isSnapshot: Bool { name != "day-index.json" }
  }

  package let generation: Int
  package let manifest: [UInt8]
  /// In the manifest's order: by name.
  package let files: [File]

  package var message: [UInt8] { manifest + files.flatMap(\.bytes) }

  /// Reads a message. Returns nil for an incomplete message, and for one that names a file which the agent never
  /// writes.
  package init?(message: [UInt8]) {
    guard let end = message.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    var rest = message[(end + 1)...]
    self.init(manifest: Array(message[...end])) { _, count in
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard rest.isEmpty else { return nil }
  }

  /// Reads each file that the manifest names through `file`, which receives the file's name and length. Returns nil
  /// when a file does not match the manifest.
  package init?(manifest: [UInt8], file: (String, Int) -> [UInt8]?) {
    guard let value = JSONValue(manifest), let generation = value["generation"]?.int, let named = value["files"]?.object
    else { return nil }
    var files: [File] = []
    for name in named.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      guard Self.isFileName(name), let count = named[name]?["bytes"]?.int, count > 0, let bytes = file(name, count),
        bytes.count == count, bytes.last == UInt8(ascii: "\n"),
        bytes.dropLast().allSatisfy({ $0 != UInt8(ascii: "\n") })
      else { return nil }
      // The files of two publications must not be mixed.
      guard JSONValue(bytes)?["generation"]?.int == named[name]?["generation"]?.int else { return nil }
      files.append(File(name: name, bytes: bytes))
    }
    (self.generation, self.manifest, self.files) = (generation, manifest, files)
  }

  /// Whether an agent writes files of this name. So the files of a set cannot be written outside `snapshots/`.
  static func isFileName(_ name: String) -> Bool {
    name.hasSuffix(".json") && name != "manifest.json"
      && name.utf8.dropLast(5).allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
      && name.utf8.count > 5
  }
}

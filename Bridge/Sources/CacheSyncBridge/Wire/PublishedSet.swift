import CacheSync

/// One publication of one cache as one message: the bytes of `manifest.json`, then of each file in the manifest's order.
/// Each is one line of JSON, and the manifest says how long each is (wire.md section 4).
package struct PublishedSet: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    /// Such as `meal-plan.json`.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// Whether it shows one kind, and not the days around today.
    package var isSnapshot: Bool { name != "day-index.json" }
  }

  package let generation: Int
  package let manifest: [UInt8]
  /// By name, as the manifest has them.
  package let files: [File]

  package var message: [UInt8] { manifest + files.flatMap(\.bytes) }

  /// Reads a message; nil for one that is not whole, or that names a file which no snapshot has.
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

  /// Takes the files that a manifest names from `file`, which gets a file's name and length; nil when they do not agree.
  package init?(manifest: [UInt8], file: (String, Int) -> [UInt8]?) {
    guard let value = JSONValue(manifest), let generation = value["generation"]?.int, let named = value["files"]?.object
    else { return nil }
    var files: [File] = []
    for name in named.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      guard Self.isFileName(name), let count = named[name]?["bytes"]?.int, count > 0, let bytes = file(name, count),
        bytes.count == count, bytes.last == UInt8(ascii: "\n"),
        bytes.dropLast().allSatisfy({ $0 != UInt8(ascii: "\n") })
      else { return nil }
      // Files of two publications do not belong together.
      guard JSONValue(bytes)?["generation"]?.int == named[name]?["generation"]?.int else { return nil }
      files.append(File(name: name, bytes: bytes))
    }
    (self.generation, self.manifest, self.files) = (generation, manifest, files)
  }

  /// Whether a name is one that an agent writes: a set never leads out of `snapshots/`.
  static func isFileName(_ name: String) -> Bool {
    name.hasSuffix(".json") && name != "manifest.json"
      && name.utf8.dropLast(5).allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
      && name.utf8.count > 5
  }
}

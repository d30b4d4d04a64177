/// An encoded file for readers, without its generation and time of publication.
///
/// Those two are known only when the file is written, and two documents that differ in nothing else are equal.
package struct OutputDocument: Sendable, Equatable {
  /// The version of the files' format.
  package static let schema = 1

  package enum Hole: Sendable { case generation, publishedAt }

  /// The offsets where the two values belong.
  package struct Holes: Sendable, Equatable {
    fileprivate(set) var generation = 0
    fileprivate(set) var publishedAt = 0

    package init(generation: Int = 0, publishedAt: Int = 0) {
      self.generation = generation
      self.publishedAt = publishedAt
    }
  }

  /// The bytes around the holes.
  package let body: [UInt8]
  private let holes: Holes

  package init(_ body: [UInt8], holes: Holes) {
    self.body = body
    self.holes = holes
  }

  /// The whole file, with its final newline.
  package func bytes(generation: Int, publishedAt: Instant) -> [UInt8] {
    var bytes = [UInt8]()
    bytes.reserveCapacity(body.count + 48)
    bytes.append(contentsOf: body[..<holes.generation])
    bytes.append(contentsOf: String(generation).utf8)
    bytes.append(contentsOf: body[holes.generation..<holes.publishedAt])
    bytes.append(UInt8(ascii: "\""))
    publishedAt.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: body[holes.publishedAt...])
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The document without the two members, as `show --json` prints it.
  package func withoutPublication() -> [UInt8] {
    var bytes = Array(body)
    for (end, key) in [(holes.publishedAt, #""publishedAt":"#), (holes.generation, #""generation":"#)] {
      // The comma after the member goes too; neither member is the last in its object.
      bytes.removeSubrange((end - key.utf8.count)...end)
    }
    return bytes
  }

  /// A number that is equal for equal bodies, and almost certainly different for different ones.
  ///
  /// The agent keeps it instead of the body, so that an idle cache costs little memory. `Hasher` has another key in
  /// every process, so a producer cannot prepare two bodies that collide. By chance two collide once in 2^64.
  package var digest: Int {
    var hasher = Hasher()
    body.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(holes.generation)
    return hasher.finalize()
  }
}

extension JSONWriter {
  /// Writes the key of a hole and records its offset.
  package mutating func hole(_ hole: OutputDocument.Hole, _ holes: inout OutputDocument.Holes) {
    switch hole {
    case .generation:
      key("generation")
      encoded([])
      holes.generation = bytes.count
    case .publishedAt:
      key("publishedAt")
      encoded([])
      holes.publishedAt = bytes.count
    }
  }

  /// Writes an object under a key, or nothing if `members` returns false.
  package mutating func optionalObject(_ name: String, _ members: (inout JSONWriter) -> Bool) {
    let before = self
    var isThere = false
    key(named: name)
    object { isThere = members(&$0) }
    if !isThere { self = before }
  }
}

extension OutputDocument {
  static let schemaVersion = JSONSchema("integer", with: ["const": .integer(schema)])
  static let generation = JSONSchema.integer(in: 0...Manifest.greatestGeneration)
  static let hourCycle = JSONSchema("integer", with: ["enum": .array([.integer(12), .integer(24)])])
}

extension JSONSchema {
  /// An object that the agent writes with all these members, and perhaps others.
  static func written(
    _ members: [(name: String, schema: JSONSchema)], optional: [(name: String, schema: JSONSchema)] = []
  ) -> JSONSchema {
    .object(members + optional, required: members.map(\.name))
  }
}

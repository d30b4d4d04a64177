/// `manifest.json`: every other file under `snapshots/` with the generation that last wrote it. The agent writes it
/// last in every publication (contract.md section 5).
package struct Manifest: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    package var bytes: Int
    package var generation: Int

    package init(bytes: Int, generation: Int) {
      self.bytes = bytes
      self.generation = generation
    }
  }

  package var files: [String: File]
  package var generation: Int
  package var publishedAt: Instant

  package init(files: [String: File], generation: Int, publishedAt: Instant) {
    self.files = files
    self.generation = generation
    self.publishedAt = publishedAt
  }

  /// A greater generation counts as damage: no agent publishes so often.
  package static let greatestGeneration = 1 << 53

  package func encoded() -> [UInt8] {
    var json = JSONWriter(reserving: 128 + files.count * 64)
    json.object { json in
      json.object("files") { json in
        for (name, file) in files.sorted(by: { isOrdered($0.key, before: $1.key) }) {
          json.key(named: name)
          json.object { json in
            json.member("bytes", file.bytes)
            json.member("generation", file.generation)
          }
        }
      }
      json.member("generation", generation)
      json.member("publishedAt", publishedAt)
      json.member("schema", OutputDocument.schema)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Reads a manifest; nil if it is damaged.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let value = JSONValue.parse(bytes), let generation = value["generation"]?.int,
      (0...Self.greatestGeneration).contains(generation), let members = value["files"]?.object,
      let publishedAt = value["publishedAt"]?.instant
    else { return nil }
    var files: [String: File] = [:]
    for (name, file) in members {
      guard let bytes = file["bytes"]?.int, let generation = file["generation"]?.int else { return nil }
      files[name] = File(bytes: bytes, generation: generation)
    }
    self.init(files: files, generation: generation, publishedAt: publishedAt)
  }

  /// The greatest number after `"generation":` in a damaged manifest, so that no generation is used twice.
  package static func generation(inDamaged bytes: [UInt8]) -> Int {
    let word = Array(#""generation":"#.utf8)
    var greatest = 0
    var rest = bytes[...]
    while let place = rest.firstRange(of: word) {
      rest = rest[place.upperBound...]
      let digits = rest.prefix { (0x30...0x39).contains($0) }.prefix(18)
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      if number <= greatestGeneration { greatest = max(greatest, number) }
    }
    return greatest
  }

  /// What ``encoded()`` writes, for editors.
  package static var schema: JSONSchema {
    .written([
      ("files", .map(of: .written([("bytes", .integer(in: 0 ... .max)), ("generation", OutputDocument.generation)]))),
      ("generation", OutputDocument.generation), ("publishedAt", .writtenDate),
      ("schema", OutputDocument.schemaVersion),
    ])
  }
}

package import CacheSync

/// A file under `snapshots/` as it is: what a new version is compared with.
package struct PublishedFile: Sendable {
  /// Of the document without its generation and time; nil when the file is damaged or gone, so that it is written again.
  package var digest: Int?
  package var generation: Int
  package var byteCount: Int
  package var identity: FileIdentity?
  /// Whether it has the permissions that the agent gives.
  package var isReadable = true

  package init(digest: Int?, generation: Int, byteCount: Int, identity: FileIdentity?) {
    self.digest = digest
    self.generation = generation
    self.byteCount = byteCount
    self.identity = identity
  }

  /// Reads a file that some agent published; damaged ones give no digest.
  package init(reading bytes: [UInt8], identity: FileIdentity) {
    let found = OutputDocument.parse(bytes)
    self.init(
      digest: found.document?.digest, generation: found.generation, byteCount: bytes.count, identity: identity)
  }

  /// Whether a file with this identity is the one that was written, untouched: the change time tells of every touch, and
  /// nobody can set it.
  package func matches(_ found: FileIdentity) -> Bool {
    guard let identity else { return false }
    return identity == found
  }
}

extension OutputDocument {
  private enum Key: String, JSONKey {
    case generation, publishedAt
    static let table = JSONKeyTable<Key>()
  }

  /// Takes a published file apart: the document, when the file is whole and has both members, and the generation.
  package static func parse(_ bytes: [UInt8]) -> (document: OutputDocument?, generation: Int) {
    var generation = 0
    var ranges: [Range<Int>] = []
    let whole = bytes.withUnsafeBytes { bytes in
      JSONReader.read(bytes) { json in
        json.object(Key.self, required: [.generation, .publishedAt]) { json, key in
          let start = json.valueOffset
          switch key {
          case .generation: generation = json.integer(in: 0...Manifest.greatestGeneration) ?? 0
          case .publishedAt: _ = json.date()
          }
          ranges.append(start..<json.valueOffset)
        } ? true : nil
      }.value
    }
    guard whole != nil, ranges.count == 2, ranges[0].upperBound <= ranges[1].lowerBound,
      bytes.last == UInt8(ascii: "\n")
    else { return (nil, generation) }
    let body =
      bytes[..<ranges[0].lowerBound] + bytes[ranges[0].upperBound..<ranges[1].lowerBound]
      + bytes[ranges[1].upperBound..<(bytes.count - 1)]
    let holes = Holes(generation: ranges[0].lowerBound, publishedAt: ranges[1].lowerBound - ranges[0].count)
    return (OutputDocument(Array(body), holes: holes), generation)
  }
}

package import CacheSync
package import CacheSyncSystem

/// A current file in `snapshots/`, for comparison with a new version.
package struct PublishedFile: Sendable {
  /// The digest of the document without its generation and time. Nil when the file is damaged or missing, so that it is
  /// written again.
  package var digest: Int?
  package var generation: Int
  package var byteCount: Int
  package var identity: FileIdentity?
  /// Whether the file has at least the permissions that the agent sets.
  package var isReadable = true

  /// Whether the file found is the one that was written, and unchanged. Every change updates the change time, and no
  /// program can set it.
  package func matches(_ found: FileIdentity) -> Bool {
    guard let identity else { return false }
    return identity == found
  }
}

extension PublishedFile {
  /// Reads a file that an agent published. A damaged file has no digest.
  package init(reading bytes: [UInt8], identity: FileIdentity) {
    let found = OutputDocument.parse(bytes)
    self.init(
      digest: found.document?.digest, generation: found.generation, byteCount: bytes.count, identity: identity)
  }
}

extension OutputDocument {
  private enum Key: String, JSONKey {
    case generation, publishedAt
  }

  /// Splits a published file into its generation and the document; the document is nil when the file is damaged or
  /// lacks a member.
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

import CacheSyncSystem

/// The name of a cache in a namespace: the name of its directory where an agent serves it.
package struct CacheName: Hashable, Sendable, CustomStringConvertible {
  /// Not empty, without `/` and zero bytes, and not beginning with `.`: the names that `--caches-in` serves.
  package let bytes: [UInt8]

  /// Returns nil for a name that a served cache cannot have.
  package init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= 255, bytes.first != UInt8(ascii: "."), !bytes.contains(0),
      !bytes.contains(UInt8(ascii: "/"))
    else { return nil }
    self.bytes = bytes
  }

  package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// The name as a part of a subject. A leading `_` is escaped, because keys that begin with it belong to the shard's
  /// owner.
  package var token: String {
    guard bytes.first == UInt8(ascii: "_") else { return SubjectToken.encode(bytes) }
    return String(decoding: SubjectToken.escape(bytes[0]), as: UTF8.self) + SubjectToken.encode(bytes.dropFirst())
  }

  /// Returns nil unless ``token`` gives exactly this token.
  package init?(token: some StringProtocol) {
    let isEscaped = token.hasPrefix(Self.escapedUnderscore)
    let rest = isEscaped ? SubjectToken.decode(token.dropFirst(Self.escapedUnderscore.count)) ?? [] : []
    guard let bytes = isEscaped ? [UInt8(ascii: "_")] + rest : SubjectToken.decode(token) else { return nil }
    self.init(bytes: bytes)
    guard self.token == String(token) else { return nil }
  }

  private static let escapedUnderscore = String(decoding: SubjectToken.escape(UInt8(ascii: "_")), as: UTF8.self)

  /// The beginning of a message about the cache.
  var label: String { "cache \(EscapedText.forPeople(bytes))" }

  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

import CacheSync
import CacheSyncSystem

/// The name of a cache in a namespace: what its directory is called where an agent serves it.
package struct CacheName: Hashable, Sendable, CustomStringConvertible {
  /// Not empty; without `/` and zero bytes, and not beginning with `.`, as `--caches-in` serves them.
  package let bytes: [UInt8]

  /// nil for a name that no served cache has.
  package init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= 255, bytes.first != UInt8(ascii: "."), !bytes.contains(0),
      !bytes.contains(UInt8(ascii: "/"))
    else { return nil }
    self.bytes = bytes
  }

  package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// A leading `_` is escaped: such keys are the owner's own.
  package var token: String {
    guard bytes.first == UInt8(ascii: "_") else { return SubjectToken.encode(bytes) }
    return String(decoding: SubjectToken.escape(bytes[0]), as: UTF8.self) + SubjectToken.encode(bytes.dropFirst())
  }

  /// nil unless ``token`` gives that very token.
  package init?(token: some StringProtocol) {
    let isEscaped = token.hasPrefix(Self.escapedUnderscore)
    let rest = isEscaped ? SubjectToken.decode(token.dropFirst(Self.escapedUnderscore.count)) ?? [] : []
    guard let bytes = isEscaped ? [UInt8(ascii: "_")] + rest : SubjectToken.decode(token) else { return nil }
    self.init(bytes: bytes)
    guard self.token == String(token) else { return nil }
  }

  private static let escapedUnderscore = String(decoding: SubjectToken.escape(UInt8(ascii: "_")), as: UTF8.self)

  /// What a message about the cache begins with.
  var label: String { "cache \(EscapedText.forPeople(bytes))" }

  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

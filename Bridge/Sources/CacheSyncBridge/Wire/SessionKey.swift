import CacheSyncPrograms

/// The key of a session file, or of a cache's settings: the cache, and the path below it without `.json`.
package struct SessionKey: Hashable, Sendable {
  package let cache: CacheName
  /// The path below the cache, with `/` and `.json`.
  package let path: [UInt8]

  /// Returns nil for a file that the contract ignores, and for one that no feed claims.
  package init?(cache: CacheName, path: [UInt8]) {
    guard CachePlace(path: path) != .other else { return nil }
    self.cache = cache
    self.path = path
  }

  /// The key as text, for example `kitchen.tasks.a=20b`.
  package var text: String {
    let components = path.dropLast(Self.suffix.count).split(separator: UInt8(ascii: "/"))
    return ([cache.token] + components.map { SubjectToken.encode($0) }).joined(separator: ".")
  }

  /// Returns nil unless the text is exactly the encoding of a path that is read.
  package init?(text: some StringProtocol) {
    let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
    guard tokens.count > 1, let cache = CacheName(token: tokens[0]) else { return nil }
    var components: [[UInt8]] = []
    for token in tokens.dropFirst() {
      guard let component = SubjectToken.decode(token), !component.contains(0), !component.contains(UInt8(ascii: "/"))
      else { return nil }
      components.append(component)
    }
    self.init(cache: cache, path: Array(components.joined(separator: [UInt8(ascii: "/")])) + Self.suffix)
  }

  private static let suffix = Array(".json".utf8)
}

/// The names and claims that a definition may not use, because built-in feeds have them.
package struct ReservedNames: Sendable {
  package var feeds: Set<String>
  package var kinds: Set<String>
  /// The directories and files at the top of the cache that built-in feeds read, by the feed's name.
  package var claims: [String: CacheLayout.Claims]

  package init(feeds: Set<String> = [], kinds: Set<String> = [], claims: [String: CacheLayout.Claims] = [:]) {
    self.feeds = feeds
    self.kinds = kinds
    self.claims = claims
  }

  /// The built-in feed that reads these files. If several do, the first by name.
  func owner(of files: FeedDefinition.Files) -> String? {
    let owners = claims.filter { _, claims in
      switch files {
      case .below(let directory): claims.directories.contains { isSameText($0, directory.wrappedValue) }
      case .named(let name): claims.files.contains { isSameText($0, name.wrappedValue) }
      }
    }
    return owners.keys.min(by: { isOrdered($0, before: $1) })
  }
}

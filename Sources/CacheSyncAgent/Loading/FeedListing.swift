package import CacheSync
package import CacheSyncSystem

/// What `feeds` tells of one feed of a cache.
package struct FeedListing: Sendable {
  package let name: FeedName
  /// Nil: built in. "cache", or the path of a definition for all caches.
  package let definedIn: String?
  /// As definitions write them.
  package let claims: [String]
  package let kinds: [KindName]
  /// How many files it has in the cache.
  package let fileCount: Int
  /// Of its files and its definition, by path.
  package let problems: [Problem]

  /// Every feed that a cache knows, then the definitions that make none.
  package static func all(of contents: CacheContents, at moment: Moment) -> [FeedListing] {
    let registry = contents.registry
    var counts: [FeedName: Int] = [:]
    for path in contents.files.paths {
      if case .session(let feed) = contents.layout.role(of: path) { counts[feed, default: 0] += 1 }
    }
    var problems: [FeedName: [Problem]] = [:]
    for note in contents.allProblems(at: moment) {
      if let feed = feed(of: note.problem, contents.layout) { problems[feed, default: []].append(note.problem) }
    }
    var listings = registry.feeds.map { feed in
      FeedListing(
        name: feed.name, definedIn: contents.definitionPlace(of: feed.name), claims: feed.claims.texts,
        kinds: feed.kinds.map(\.name), fileCount: counts[feed.name] ?? 0, problems: problems[feed.name] ?? [])
    }
    for (name, found) in problems.sorted(by: { $0.key < $1.key }) where registry.feed(named: name) == nil {
      listings.append(
        FeedListing(
          name: name, definedIn: contents.definitionPlace(of: name), claims: [], kinds: [], fileCount: 0,
          problems: found))
    }
    return listings
  }

  /// The feed that a problem belongs to: of a definition the feed that it makes.
  private static func feed(of problem: Problem, _ layout: CacheLayout) -> FeedName? {
    guard let path = problem.path else { return problem.scope }
    if let original = layout.original(ofCopy: path, isDirectory: true) {
      return problem.scope ?? layout.feed(ofOriginal: original)
    }
    guard case .session(let feed) = layout.role(of: path) else { return problem.scope }
    guard feed == DefinitionsFeed.name else { return problem.scope ?? feed }
    let file = path.components.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return FeedName(file.hasSuffix(".json") ? String(file.dropLast(".json".count)) : file)
  }
}

extension CacheLayout.Claims {
  /// As definitions write them: `bins/**`, `bins.json`.
  fileprivate var texts: [String] { directories.map { isFlat ? "\($0)/*" : "\($0)/**" } + files }
}

package import CacheSync

/// What `feeds` prints about one feed of a cache.
package struct FeedListing: Sendable {
  package let name: FeedName
  /// "cache", or the path of a definition for all caches; nil for a built-in feed.
  package let definedIn: String?
  /// In the syntax of definitions.
  package let claims: [String]
  package let kinds: [KindName]
  /// How many files it has in the cache.
  package let fileCount: Int
  /// The problems of its files and its definition, sorted by path.
  package let problems: [Problem]

  /// Returns every feed of a cache, then the definitions that define no feed.
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

  /// Returns the feed that a problem belongs to. A problem of a definition belongs to the feed that it defines.
  private static func feed(of problem: Problem, _ layout: CacheLayout) -> FeedName? {
    guard let path = problem.path else { return problem.scope }
    if let original = layout.original(ofCopy: path, isDirectory: true) {
      return problem.scope ?? layout.feed(ofOriginal: original)
    }
    guard case .session(let feed) = layout.role(of: path) else { return problem.scope }
    // Widgets and screens are no feed's files: `kinds` and `screens` list them.
    if feed == WidgetsFeed.name || feed == ScreensFeed.name { return nil }
    return feed == DefinitionsFeed.name ? DefinitionsFeed.feed(definedBy: path) : problem.scope ?? feed
  }
}

extension CacheLayout.Claims {
  /// In the syntax of definitions: `bins/**`, `bins.json`.
  fileprivate var texts: [String] { directories.map { isFlat ? "\($0)/*" : "\($0)/**" } + files }
}

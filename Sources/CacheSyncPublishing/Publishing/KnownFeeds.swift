package import CacheSync
package import SystemPackage

/// The feeds of a cache and what is wrong with their definitions, for commands that compute nothing. Without such a
/// cache, the feeds that all caches share.
package struct KnownFeeds: Sendable {
  package let registry: FeedRegistry
  /// The first error of each definition and widget that does not count now, by its feed or the widget's scope. Its last
  /// good version may count.
  package let mistakes: [FeedName: Problem]

  package init(in cache: FilePath, _ environment: CacheEnvironment) {
    guard let contents = Self.contents(of: cache, environment) else {
      let shared = environment.shared?.current
      registry = environment.registries.registry(DefinitionsFeed().inForce(with: shared?.definitions ?? []))
      mistakes = Self.byFeed(shared?.problems ?? [])
      return
    }
    registry = contents.registry
    mistakes = Self.byFeed(contents.definitionProblems(at: contents.moment(at: environment.clock.now())))
  }

  /// A cache with its definitions alone; nil: there is no such cache.
  private static func contents(of cache: FilePath, _ environment: CacheEnvironment) -> CacheContents? {
    guard let path = try? CacheRoot.resolve(cache), let root = try? CacheRoot(resolved: path) else { return nil }
    let contents = CacheContents(root: root, environment: environment)
    contents.fallBackToKept()
    contents.readDefinitions()
    return contents
  }

  /// The warnings of ``CacheContents/unfoundPaths(of:)`` about one feed of a cache.
  package static func unfoundPaths(
    of feed: FeedName, in cache: FilePath, _ environment: CacheEnvironment
  ) -> [Problem] {
    contents(of: cache, environment)?.unfoundPaths(of: feed) ?? []
  }

  /// - Parameter problems: each has its feed as its scope.
  private static func byFeed(_ problems: [Problem]) -> [FeedName: Problem] {
    let errors = problems.filter { $0.severity == .error }.compactMap { problem in problem.scope.map { ($0, problem) } }
    return Dictionary(errors, uniquingKeysWith: { first, _ in first })
  }
}

extension FeedRegistry {
  /// Returns the feeds of a cache: see ``KnownFeeds``.
  package static func inForce(in cache: FilePath, _ environment: CacheEnvironment) -> FeedRegistry {
    KnownFeeds(in: cache, environment).registry
  }
}

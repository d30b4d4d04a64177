import CacheSync
import SystemPackage

// What definitions for all caches are in this one: of one name the cache's own counts.

extension CacheContents {
  private var ownDefinitions: DefinitionsFeed? { feeds[DefinitionsFeed.name] as? DefinitionsFeed }

  /// The definitions that count in this cache.
  var definitionsInForce: [FeedDefinition] {
    (ownDefinitions ?? DefinitionsFeed()).inForce(with: shared.definitions)
  }

  /// Takes a new look at the definitions for all caches; the kinds of a file that became bad, or good again, are published.
  func updateShared() {
    guard let now = environment.shared?.current, now != shared else { return }
    let feeds = (now.problems + shared.problems).compactMap(\.scope)
    shared = now
    changedFeeds.formUnion(feeds)
    if !feeds.isEmpty { changedFeeds.insert(DefinitionsFeed.name) }
  }

  /// What is wrong with definitions for all caches: those that are invalid, and those that cannot count here.
  var sharedProblems: [Problem] {
    let own = ownDefinitions?.names ?? []
    let inForce = registry.definitions
    var problems = shared.problems.filter { problem in problem.scope.map { !own.contains($0) } ?? true }
    for definition in shared.definitions
    where !own.contains(definition.name) && !inForce.contains(where: { $0.name == definition.name }) {
      guard let path = environment.shared?.path(of: definition.name) else { continue }
      problems.append(
        Problem(
          path: CachePath(bytes: path.bytes), message: DefinitionsFeed.whyNot(definition, beside: inForce),
          scope: definition.name))
    }
    return problems
  }

  /// Where a feed is defined: "cache" or a path; nil: it is built in.
  func definitionPlace(of name: FeedName) -> String? {
    if FeedRegistry.builtIn.feed(named: name) != nil { return nil }
    let isShared =
      shared.definitions.contains { $0.name == name } || shared.problems.contains { $0.scope == name }
    guard isShared, ownDefinitions?.names.contains(name) != true, let path = environment.shared?.path(of: name) else {
      return "cache"
    }
    return path.string
  }
}

package import CacheSync
package import SystemPackage

/// What `kinds` prints about one kind or widget.
package struct KindListing: Sendable {
  package let kind: Kind
  /// The feeds whose files can change it, in the order of the documentation.
  package let feeds: [FeedName]
  /// Whether the cache has a snapshot of it, or would have one after the next publication.
  package let isPresent: Bool

  /// Returns every kind, feed by feed in the order of the documentation, then the widgets of the cache, by name.
  ///
  /// - Parameter cache: nothing is present if there is no such directory.
  package static func all(in cache: FilePath, _ environment: CacheEnvironment) throws(CacheError) -> [KindListing] {
    let contents = try? CacheRoot.resolve(cache)
    guard contents != nil else { return all(of: .inForce(in: cache, environment), present: []) }
    let read = try OneShot.contents(of: cache, environment: environment)
    return all(of: read.registry, present: Set(read.projector.kinds.map(\.name)))
  }

  private static func all(of registry: FeedRegistry, present: Set<KindName>) -> [KindListing] {
    let kinds = registry.feeds.flatMap { $0.kinds }
    let names = registry.feeds.map(\.name)
    return (kinds.filter { $0.widget == nil } + registry.kinds.filter { $0.widget != nil }).map { kind in
      KindListing(
        kind: kind, feeds: names.filter(kind.feeds.contains), isPresent: present.contains(kind.name))
    }
  }
}

/// The feeds of one cache, with their content. A feed is created with its first file, because an agent may serve
/// thousands of caches that use one feed each.
package final class FeedSet {
  package private(set) var registry: FeedRegistry
  private var feeds: [FeedName: any Feed] = [:]

  package init(_ registry: FeedRegistry = .builtIn) { self.registry = registry }

  /// The feed of a type; nil if the cache has never had a file of it.
  package subscript<F: BuiltInFeed>(_ type: F.Type) -> F? {
    // The registry makes a feed by its own type, so the name determines the type.
    feeds[F.name].map { unsafeDowncast($0, to: type) }
  }

  package subscript(name: FeedName) -> (any Feed)? { feeds[name] }

  /// The feed with that name, which is created if it does not exist; nil for a name that the registry does not list.
  package func feed(named name: FeedName) -> (any Feed)? {
    if let feed = feeds[name] { return feed }
    guard let feed = registry.feed(named: name)?.make() else { return nil }
    feeds[name] = feed
    return feed
  }

  /// Decodes a document of a feed and adds its session to the feed, unless the document is defective.
  ///
  /// - Returns: the defects.
  package func read(
    _ bytes: UnsafeRawBufferPointer, of name: FeedName, from file: SessionFile, in calendar: CivilCalendar
  )
    -> [JSONDefect]
  {
    guard let decoded = registry.feed(named: name)?.decode(bytes, at: file.path) else { return [] }
    feed(named: name)?.ingest(decoded, from: file, in: calendar)
    return decoded.defects
  }

  /// Replaces the registry, and drops the sessions of the named feeds.
  package func adopt(_ registry: FeedRegistry, forgetting names: Set<FeedName>) {
    self.registry = registry
    for name in names { feeds[name] = nil }
  }

  package var all: some Sequence<any Feed> { feeds.values }
}

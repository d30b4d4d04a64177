/// The feeds of one cache, with what they hold. A feed is made with its first file, because an agent may serve thousands of
/// caches that use one feed each.
package final class FeedSet {
  private var feeds: [FeedName: any Feed] = [:]

  package init() {}

  /// The feed of a type, or nil while the cache has had no file of it.
  package subscript<F: Feed>(_ type: F.Type) -> F? {
    // The registry makes a feed by its own type, so the name is the type.
    feeds[F.name].map { unsafeDowncast($0, to: type) }
  }

  package subscript(name: FeedName) -> (any Feed)? { feeds[name] }

  /// The feed of that name, made when it is not there yet; nil for a name that the registry does not list.
  package func feed(named name: FeedName) -> (any Feed)? {
    if let feed = feeds[name] { return feed }
    guard let type = FeedRegistry.feed(named: name) else { return nil }
    let feed = type.init()
    feeds[name] = feed
    return feed
  }

  package var all: some Sequence<any Feed> { feeds.values }
}

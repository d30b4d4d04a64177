package import CacheSyncSystem

/// The feeds of one cache, with their content. A feed is created with its first file, because an agent may serve
/// thousands of caches that use one feed each.
package final class FeedSet {
  package private(set) var registry: FeedRegistry
  private var feeds: [FeedName: any Feed] = [:]
  /// The sets of the widgets that show only some files, by the widgets' names.
  private var parts: [KindName: Part] = [:]
  /// The path below which the files of this set are; nil: the whole cache.
  package let from: CachePath?
  /// The whole cache, for the feeds that this set does not have itself.
  private weak var whole: FeedSet?
  private let ownFeeds: Set<FeedName>
  /// The addresses of the person whose cache it is.
  private var me: Set<ExactText> = []

  /// The feeds of a widget, with only the files that it covers.
  private struct Part {
    var widget: WidgetConfiguration
    var feeds: FeedSet

    func covers(_ path: CachePath, of name: FeedName) -> Bool {
      feeds.ownFeeds.contains(name) && widget.covers(path)
    }
  }

  package init(_ registry: FeedRegistry = .builtIn) {
    self.registry = registry
    from = nil
    ownFeeds = []
  }

  private init(_ registry: FeedRegistry, from: CachePath?, of whole: FeedSet, feeds: [FeedName]) {
    self.registry = registry
    self.from = from
    self.whole = whole
    ownFeeds = Set(feeds)
  }

  /// The feed of a type; nil if the cache has never had a file of it.
  package subscript<F: BuiltInFeed>(_ type: F.Type) -> F? {
    self[F.name] as? F
  }

  /// The feed of a type with all files of the cache, also those that this set does not cover.
  func whole<F: BuiltInFeed>(_ type: F.Type) -> F? { (whole ?? self)[type] }

  package subscript(name: FeedName) -> (any Feed)? {
    if let whole, !ownFeeds.contains(name) { return whole[name] }
    return feeds[name]
  }

  /// The feed with that name, which is created if it does not exist; nil for a name that the registry does not list.
  package func feed(named name: FeedName) -> (any Feed)? {
    if let feed = feeds[name] { return feed }
    guard let feed = registry.feed(named: name)?.make() else { return nil }
    feed.adopt(me: me)
    feeds[name] = feed
    return feed
  }

  /// The feeds that a kind shows: for a widget with `from`, those with only the files that it covers.
  func showing(_ kind: Kind) -> FeedSet { parts[kind.name]?.feeds ?? self }

  // MARK: Files

  /// Adds a session that a feed decoded, and its content for other feeds.
  package func ingest(
    _ decoded: DecodedSession, of name: FeedName, from file: SessionFile, in calendar: CivilCalendar
  ) {
    put(decoded, of: name, from: file, in: calendar)
    for other in registry.companions(of: file.path, in: name) {
      if decoded.others[other] == nil, feeds[other] == nil { continue }
      put(
        DecodedSession(session: decoded.others[other], defects: decoded.defects), of: other, from: file, in: calendar)
    }
  }

  private func put(
    _ decoded: DecodedSession, of name: FeedName, from file: SessionFile, in calendar: CivilCalendar
  ) {
    feed(named: name)?.ingest(decoded, from: file, in: calendar)
    for part in parts.values where part.covers(file.path, of: name) {
      part.feeds.put(decoded, of: name, from: file, in: calendar)
    }
  }

  /// Removes a file from its feeds.
  package func remove(_ path: CachePath, of name: FeedName) {
    for name in registry.receivers(of: path, in: name) { feeds[name]?.remove(path) }
    for part in parts.values { part.feeds.remove(path, of: name) }
  }

  /// Records that a file is unusable now, so that its last good version is shown.
  package func markUnusable(_ path: CachePath, of name: FeedName) {
    for name in registry.receivers(of: path, in: name) { feeds[name]?.mark(path, unusable: true) }
    for part in parts.values { part.feeds.markUnusable(path, of: name) }
  }

  /// Decodes a document of a feed and adds its session to the feed, unless the document is defective.
  ///
  /// - Returns: the defects.
  package func read(
    _ bytes: UnsafeRawBufferPointer, of name: FeedName, from file: SessionFile, in calendar: CivilCalendar
  )
    -> [JSONDefect]
  {
    guard let decoded = registry.feed(named: name)?.decode(bytes, at: file.path, times: file.times) else { return [] }
    ingest(decoded, of: name, from: file, in: calendar)
    return decoded.defects
  }

  /// Rebuilds all indices by day, because the local days have changed.
  package func rebuild(in calendar: CivilCalendar) {
    for feed in feeds.values { feed.rebuild(in: calendar) }
    for part in parts.values { part.feeds.rebuild(in: calendar) }
  }

  /// Records the addresses of the person whose cache it is, in lower case.
  package func adopt(me: Set<ExactText>) {
    self.me = me
    for feed in feeds.values { feed.adopt(me: me) }
    for part in parts.values { part.feeds.adopt(me: me) }
  }

  /// Drops caches that only make computing faster.
  package func removeComputed() {
    for feed in feeds.values { feed.removeComputed() }
    for part in parts.values { part.feeds.removeComputed() }
  }

  /// Replaces the registry, and drops the sessions of the named feeds.
  ///
  /// - Returns: whether a session file must be read again, because a widget that covers it is new.
  package func adopt(_ registry: FeedRegistry, forgetting names: Set<FeedName>) -> (CachePath, FeedName) -> Bool {
    self.registry = registry
    for name in names { feeds[name] = nil }
    var new: [Part] = []
    let old = parts
    parts = [:]
    for kind in registry.kinds {
      guard let widget = kind.widget, let from = widget.from else { continue }
      if let part = old[kind.name], part.widget.from == from, part.widget.kind == widget.kind {
        parts[kind.name] = Part(widget: widget, feeds: part.feeds)
        _ = part.feeds.adopt(registry, forgetting: names)
      } else {
        let part = Part(widget: widget, feeds: FeedSet(registry, from: from, of: self, feeds: kind.narrowedFeeds))
        part.feeds.adopt(me: me)
        parts[kind.name] = part
        new.append(part)
      }
    }
    return { path, name in
      registry.receivers(of: path, in: name).contains { name in new.contains { $0.covers(path, of: name) } }
    }
  }

  package var all: some Sequence<any Feed> { feeds.values }
}

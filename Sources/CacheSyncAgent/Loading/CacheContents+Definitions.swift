import CacheSync
package import CacheSyncSystem

extension CacheContents {
  /// Reads the definitions of the cache's own feeds first, so that the agent recognizes the files of those feeds.
  ///
  /// - Parameter enter: called with the open directory before it is listed.
  package func readDefinitions(enter: (CachePath, Int32) -> Void = { _, _ in }) {
    var found: [CachePath] = []
    DirectoryWalk(root: root, layout: layout).walk(
      from: CachePath(CacheLayout.definitions), enter: enter, file: { path, _ in found.append(path) },
      failed: { _, _ in })
    for path in found { load(path, feed: DefinitionsFeed.name, isPatient: false) }
    adoptDefinitions()
  }

  /// Adopts the feeds that the current definitions describe.
  ///
  /// It forgets what it read for feeds whose definition changed; the caller must read everything again.
  ///
  /// - Returns: whether the feeds have changed.
  @discardableResult
  package func adoptDefinitions() -> Bool {
    updateShared()
    let definitions = definitionsInForce
    let old = registry
    guard definitions != old.definitions else { return false }
    publishedKindNames.formUnion(projector.kinds.map(\.name))
    let new = SharedRegistries.shared.registry(definitions, zones: environment.zones)
    let changed = Set(
      (definitions + old.definitions).map(\.name).filter { name in
        definitions.first { $0.name == name } != old.definitions.first { $0.name == name }
      })
    // The last good version of a bad file is also read again with the new definition.
    if let log = lastGood.log { fallBack(to: log.reload()) }
    for path in files.paths {
      guard case .session(let feed) = old.layout.role(of: path) else { continue }
      if !changed.contains(feed), new.layout.role(of: path) == .session(feed) { continue }
      if !changed.contains(feed) { feeds[feed]?.remove(path) }
      _ = files.remove(path)
      changedFeeds.insert(feed)
    }
    feeds.adopt(new, forgetting: changed)
    changedFeeds.formUnion(changed)
    // Covers the kinds that were removed, which belong to no other feed.
    changedFeeds.insert(DefinitionsFeed.name)
    return true
  }
}

package import CacheSync
package import CacheSyncSystem

extension CacheContents {
  /// Reads the definitions of the cache's own feeds, so that the files of those are known for what they are.
  ///
  /// - Parameter enter: called with the directory, open, before it is listed.
  package func readDefinitions(enter: (CachePath, Int32) -> Void = { _, _ in }) {
    var found: [CachePath] = []
    DirectoryWalk(root: root, layout: layout).walk(
      from: CachePath(CacheLayout.definitions), enter: enter, file: { path, _ in found.append(path) },
      failed: { _, _ in })
    for path in found { load(path, feed: DefinitionsFeed.name, isPatient: false) }
    adoptDefinitions()
  }

  /// Knows the feeds that the definitions in force describe. What it read of feeds that are others now is forgotten: the
  /// caller reads everything again.
  ///
  /// - Returns: whether there are other feeds than before.
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
    // A bad file's last good version is read again too, by the new definition.
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
    // For the kinds that are gone, which no other feed has.
    changedFeeds.insert(DefinitionsFeed.name)
    return true
  }
}

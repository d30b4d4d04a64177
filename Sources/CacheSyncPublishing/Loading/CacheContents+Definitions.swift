package import CacheSync
package import CacheSyncSystem

extension CacheContents {
  /// Reads the definitions and the widgets of the cache first, so that the agent recognizes the files of the defined
  /// feeds, and knows which kinds there are.
  ///
  /// - Parameter enter: called with the open directory before it is listed.
  package func readDefinitions(enter: (CachePath, Int32) -> Void = { _, _ in }) {
    readAll(DefinitionsFeed.name, in: CacheLayout.definitions, enter: enter)
    adoptDefinitions()
    // A widget may show a kind that a definition makes.
    readAll(WidgetsFeed.name, in: CacheLayout.widgets, enter: enter)
    adoptDefinitions()
  }

  private func readAll(_ feed: FeedName, in directory: String, enter: (CachePath, Int32) -> Void) {
    var found: [CachePath] = []
    DirectoryWalk(root: root, layout: layout).walk(
      from: CachePath(directory), enter: enter, file: { path, _ in found.append(path) }, failed: { _, _ in })
    for path in found { load(path, feed: feed, isPatient: false) }
    let directory = CachePath(directory)
    for (path, known) in known(besides: Set(found), where: { $0.isWithin(directory) }) where known == feed {
      load(path, feed: feed, isPatient: false)
    }
  }

  /// Adopts the feeds that the current definitions describe, and the kinds of the current widgets.
  ///
  /// It forgets what it read for feeds whose definition changed, and which files it read for new widgets; the caller
  /// must read everything again.
  ///
  /// - Returns: whether definitions or widgets have changed.
  @discardableResult
  package func adoptDefinitions() -> Bool {
    updateShared()
    let definitions = definitionsInForce
    let old = registry
    let haveDefinitionsChanged = definitions != old.definitions
    let plain =
      haveDefinitionsChanged ? environment.registries.registry(definitions) : old
    let widgets = (feeds[WidgetsFeed.name] as? WidgetsFeed)?.inForce(in: plain) ?? []
    guard haveDefinitionsChanged || widgets != old.widgets else { return false }
    publishedKindNames.formUnion(projector.kinds.map(\.name))
    let new = plain.adding(widgets)
    var changed = Set(
      (definitions + old.definitions).map(\.name).filter { name in
        definitions.first { $0.name == name } != old.definitions.first { $0.name == name }
      })
    // What a widget may show depends on the kinds.
    if haveDefinitionsChanged { changed.insert(WidgetsFeed.name) }
    // The last good version of a bad file is also read again with the new definition.
    if let log = lastGood.log { fallBack(to: log.reload()) }
    let mustReadAgain = feeds.adopt(new, forgetting: changed)
    for path in files.paths {
      guard case .session(let feed) = old.layout.role(of: path) else { continue }
      let isForgotten = changed.contains(feed) || new.layout.role(of: path) != .session(feed)
      guard isForgotten || mustReadAgain(path, feed) else { continue }
      feeds.remove(path, of: feed)
      _ = files.remove(path)
      changedFeeds.insert(feed)
    }
    changedFeeds.formUnion(changed)
    // Covers the kinds that were removed, which belong to no other feed.
    changedFeeds.insert(DefinitionsFeed.name)
    changedFeeds.insert(WidgetsFeed.name)
    return true
  }

  /// A warning for each path of the definitions that finds nothing in any item of the files of its feed. It reads no
  /// more files than it must.
  ///
  /// - Parameter feed: nil: all feeds.
  package func unfoundPaths(of feed: FeedName? = nil) -> [Problem] {
    registry.definitions.filter { feed == nil || $0.name == feed }.flatMap { definition in
      var unfound = UnfoundPaths(definition)
      func look(_ path: CachePath, _ feed: FeedName) {
        guard feed == definition.name, !unfound.isEmpty else { return }
        _ = try? reading.read(path, limit: maximumFileBytes) { bytes, _ in
          unfound.look(in: bytes, zones: environment.zones)
        }
      }
      let claims = registry.feed(named: definition.name)?.claims ?? CacheLayout.Claims()
      for file in claims.files { look(CachePath(file), definition.name) }
      for directory in claims.directories {
        DirectoryWalk(root: root, layout: layout).walk(
          from: CachePath(directory), enter: { _, _ in }, file: look, failed: { _, _ in })
      }
      let path = definition.path ?? CachePath(CacheLayout.definitions).appending("\(definition.name).json".utf8)
      return unfound.problems(in: document(of: definition, at: path), at: path)
    }
  }

  private func document(of definition: FeedDefinition, at path: CachePath) -> [UInt8] {
    if definition.path != nil {
      return shared.documents.first { $0.definition.name == definition.name }?.bytes ?? []
    }
    let read = try? reading.read(path, limit: FeedDefinition.maximumBytes) { bytes, _ in Array(bytes) }
    return (read ?? nil) ?? []
  }
}

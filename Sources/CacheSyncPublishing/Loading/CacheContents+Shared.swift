package import CacheSync
import CacheSyncSystem
import SystemPackage

// How a cache uses the definitions for all caches. If the cache itself defines a feed with the same name, its own
// definition wins. The cache's log of last good versions also stores the definitions for all caches. Their keys are
// absolute paths, which no file of a cache has.

/// The definitions for all caches that a cache's log stores.
struct LoggedDefinitions {
  private struct Entry {
    var size: Int
    /// The identity of the file whose version the log stores; nil when the log may lack it.
    var identity: FileIdentity?
  }

  private var entries: [CachePath: Entry] = [:]
  /// The definitions whose files have been invalid since before this process started.
  fileprivate var recalled: [SharedDefinitions.Document] = []
  /// Whether the log may differ from the current definitions.
  fileprivate private(set) var mayDiffer = true

  /// How many bytes of the log a definition takes.
  subscript(path: CachePath) -> Int? { entries[path]?.size }

  fileprivate mutating func record(_ path: CachePath, _ version: LastGoodLog.LastGood) {
    entries[path] = Entry(size: version.size, identity: version.identity)
    mayDiffer = true
  }

  mutating func mustCompare() { mayDiffer = true }

  /// Stores every definition again, because the log lost its contents.
  mutating func mustKeepAll() {
    for path in entries.keys { entries[path]?.identity = nil }
    mayDiffer = true
  }

  /// Stores the given definitions in the log, and removes all others from it.
  fileprivate mutating func keep(_ documents: [CachePath: SharedDefinitions.Document], in log: LastGoodLog) {
    mayDiffer = false
    for (path, document) in documents.sorted(by: { $0.key < $1.key })
    where entries[path]?.identity != document.identity {
      let size = log.keep(
        path, identity: document.identity, document: document.bytes, replacing: entries[path]?.size ?? 0)
      entries[path] = Entry(size: size, identity: document.identity)
    }
    for (path, entry) in entries where documents[path] == nil {
      log.remove(path, size: entry.size)
      entries[path] = nil
      recalled.removeAll { $0.definition.name == DefinitionsFeed.feed(definedBy: path) }
    }
  }
}

extension CacheContents {
  private var ownDefinitions: DefinitionsFeed? { feeds[DefinitionsFeed.name] as? DefinitionsFeed }

  /// The definitions that apply in this cache.
  var definitionsInForce: [FeedDefinition] {
    (ownDefinitions ?? DefinitionsFeed()).inForce(with: sharedDocuments.map(\.definition))
  }

  /// Reads the current definitions for all caches. If a file became bad, or good again, its kinds are published.
  func updateShared() {
    if let now = environment.shared?.current, now != shared {
      let feeds = (now.problems + shared.problems).compactMap(\.scope)
      shared = now
      changedFeeds.formUnion(feeds)
      if !feeds.isEmpty { changedFeeds.insert(DefinitionsFeed.name) }
      lastGood.definitions.mustCompare()
    }
    guard let log = lastGood.log, lastGood.definitions.mayDiffer else { return }
    let documents = sharedDocuments.compactMap { document in
      environment.shared.map { (CachePath(bytes: $0.path(of: document.definition.name).bytes), document) }
    }
    lastGood.definitions.keep(Dictionary(documents, uniquingKeysWith: { first, _ in first }), in: log)
  }

  /// The definitions for all caches. For a file that has been invalid since before this process, the log's version is
  /// used.
  var sharedDocuments: [SharedDefinitions.Document] {
    let known = Set(shared.definitions.map(\.name))
    let invalid = Set(shared.problems.compactMap(\.scope)).subtracting(known)
    return shared.documents + lastGood.definitions.recalled.filter { invalid.contains($0.definition.name) }
  }

  /// Loads the definitions for all caches that an earlier process stored in the log.
  func recallShared(from earlier: LastGoodLog.Loaded) {
    for path in earlier.records.keys where path.bytes.first == UInt8(ascii: "/") {
      guard let version = earlier[path] else { continue }
      lastGood.definitions.record(path, version)
      let name = DefinitionsFeed.feed(definedBy: path)
      guard let shared = environment.shared, path.bytes == shared.path(of: name).bytes else { continue }
      shared.lookUp(name)
      guard let bytes = version.withDocument({ Array($0) }),
        var definition = DefinitionsFeed.read(bytes, named: name.description).definition
      else { continue }
      definition.path = path
      lastGood.definitions.recalled.removeAll { $0.definition.name == name }
      lastGood.definitions.recalled.append(
        SharedDefinitions.Document(definition: definition, bytes: bytes, identity: version.identity))
    }
  }

  /// The problems of widgets and of definitions, those of the cache and those for all caches. The scope of each is the
  /// widget, or the feed that its definition would define.
  package func definitionProblems(at moment: Moment) -> [Problem] {
    let own = files.rejections.compactMap { path, rejection -> Problem? in
      let role = layout.role(of: path)
      var problem = rejection.note.problem
      if role == .session(DefinitionsFeed.name) {
        problem.scope = DefinitionsFeed.feed(definedBy: path)
      } else if role == .session(WidgetsFeed.name) {
        problem.scope = WidgetsFeed.scope(ofFile: path)
      } else {
        return nil
      }
      return problem
    }
    return own + (ownDefinitions?.currentProblems(at: moment, feeds: feeds) ?? []) + sharedProblems
  }

  /// The problems of definitions for all caches: those that are invalid, and those that cannot apply here.
  var sharedProblems: [Problem] {
    let own = ownDefinitions?.names ?? []
    let inForce = registry.definitions
    var problems = shared.problems.filter { problem in problem.scope.map { !own.contains($0) } ?? true }
    for definition in sharedDocuments.map(\.definition)
    where !own.contains(definition.name) && !inForce.contains(where: { $0.name == definition.name }) {
      guard let path = environment.shared?.path(of: definition.name) else { continue }
      problems.append(
        Problem(
          path: CachePath(bytes: path.bytes), message: DefinitionsFeed.whyNot(definition, beside: inForce),
          scope: definition.name))
    }
    return problems
  }

  /// Where a feed is defined: "cache" or a path; nil for a built-in feed.
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

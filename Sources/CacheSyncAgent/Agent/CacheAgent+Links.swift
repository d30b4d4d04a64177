import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

/// A cache whose path leads through links, which may be swapped while the agent runs.
@LoopActor
final class LinkedCache {
  /// The path as it was given, made absolute.
  let path: FilePath
  /// Where the path led at the last look: the directory that is served or waited for.
  fileprivate(set) var place: FilePath
  fileprivate var watcher: PathWatcher?
  /// The links that led to the place, and the place itself if it was one of them before.
  fileprivate var links: Set<FilePath>
  /// When to look again at names that cannot be watched.
  fileprivate var alarm: Int?
  fileprivate var isLooking = false
  /// Whether a name changed during a look.
  fileprivate var hasChanged = false
  /// Whether the directory that was served is being closed.
  fileprivate var isMoving = false

  fileprivate var key: CachePath { CachePath(bytes: place.bytes) }

  /// Nil when no link is on the path.
  fileprivate init?(_ path: FilePath, _ changed: @escaping @LoopActor @Sendable (LinkedCache) -> Void) {
    self.path = path
    place = path
    links = []
    let watcher = PathWatcher(path) { [weak self] in if let self { changed(self) } }
    let destination = watcher.look()
    if destination.links.isEmpty { return nil }
    self.watcher = watcher
    place = destination.path
    links = Set(destination.links)
  }

  func stop() {
    watcher = nil
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
  }
}

// How the agent follows the links on the way to a cache.

extension CacheAgent {
  /// Starts serving a cache that was named at the start.
  func addNamed(_ path: FilePath) throws(CacheError) {
    let resolved = try CacheRoot.resolve(path)
    guard let absolute = try? path.absolute(), absolute != resolved,
      let cache = LinkedCache(absolute, { [weak self] in self?.follow($0, becauseOfChange: true) })
    else {
      unlinked.insert(CachePath(bytes: resolved.bytes))
      return add(resolved, isStart: true)
    }
    linked.append(cache)
    add(cache.place, isStart: true)
  }

  /// The caches whose links lead to a directory.
  func linkedCaches(at key: CachePath) -> [LinkedCache] { linked.filter { $0.key == key } }

  /// Looks where the path of a cache leads now, on the thread of its disk, and serves that directory.
  ///
  /// - Parameter isChanged: whether a name on the way has changed; false to make sure that none has.
  func follow(_ cache: LinkedCache, becauseOfChange isChanged: Bool) {
    if cache.isLooking {
      cache.hasChanged = cache.hasChanged || isChanged
      return
    }
    guard let watcher = cache.watcher, let queue = queue(of: cache.key) else { return }
    cache.isLooking = true
    queue.run { [weak self] _ in
      let destination = watcher.look()
      LoopActor.perform { self?.adopt(destination, of: cache, becauseOfChange: isChanged) }
      return [:]
    }
  }

  private func adopt(_ destination: PathWatcher.Destination, of cache: LinkedCache, becauseOfChange isChanged: Bool) {
    cache.isLooking = false
    if cache.watcher == nil { return }
    if let alarm = cache.alarm { Alarms.shared.cancel(alarm) }
    cache.alarm =
      destination.isWatched
      ? nil
      : Alarms.shared.set(after: OpenCache.pollInterval) { [weak self] in
        self?.follow(cache, becauseOfChange: false)
      }
    defer {
      if cache.hasChanged {
        cache.hasChanged = false
        follow(cache, becauseOfChange: true)
      }
    }
    // A link that takes the place of the directory itself is refused, as without any link on the way.
    let isRefused = destination.links.contains(cache.place) && !cache.links.contains(cache.place)
    if destination.path == cache.place || isRefused {
      if isChanged { requestPass(over: cache.key) }
      return
    }
    let wasLink = cache.links.contains(destination.path)
    cache.links = Set(destination.links)
    if wasLink { cache.links.insert(destination.path) }
    serve(destination.path, for: cache)
  }

  /// Serves another directory for a cache, with a greater generation. The old directory loses its lock, and keeps its
  /// published files.
  private func serve(_ place: FilePath, for cache: LinkedCache) {
    let old = cache.key
    cache.place = place
    let (name, target) = (EscapedText.forPeople(cache.path.bytes), EscapedText.forPeople(place.bytes))
    let change = place == cache.path ? "is no longer a link" : "leads to \(target) now"
    reports.happen("link \(name) \(target)", "\(name) \(change): serving that directory")
    if starting.remove(old) != nil { starting.insert(cache.key) }
    // An earlier move ends at the latest place.
    if cache.isMoving { return }
    let generation = caches[old]?.report.generation ?? 0
    guard caches[old] != nil, !isNamed(old) else {
      recordGeneration(generation, of: cache.key)
      return add(place, isStart: false, isReplacement: true)
    }
    cache.isMoving = true
    remove(old) { [weak self] in
      cache.isMoving = false
      guard let self, cache.watcher != nil else { return }
      recordGeneration(generations[old] ?? generation, of: cache.key)
      add(cache.place, isStart: false, isReplacement: true)
    }
  }

  /// Whether a directory is served or waited for: it is a cache that was named, or one in the directory of caches.
  func isNamed(_ key: CachePath) -> Bool {
    !linkedCaches(at: key).isEmpty || unlinked.contains(key) || collection?.lists(FilePath(bytes: key.bytes)) == true
  }
}

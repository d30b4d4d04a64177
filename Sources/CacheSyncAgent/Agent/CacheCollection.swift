package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
package import SystemPackage

/// A directory of caches. Every directory directly inside is a cache, unless its name begins with `.` or belongs to the
/// file system.
///
/// The agent lists a directory that cannot be watched every 2 s. When the directory disappears, the agent waits for its
/// return.
@LoopActor
package final class CacheCollection: InotifyListener {
  // Opened again for every listing: while a descriptor is open, the kernel does not report that the directory was
  // deleted.
  private let path: FilePath
  private var watch: Int32?
  private var known: Set<FilePath> = []
  private var alarm: Int?
  private var returnWatcher: NameWatcher?
  private let watchReturn: ReturnWatch
  private let appeared: @LoopActor (FilePath) -> Void
  private let disappeared: @LoopActor (FilePath) -> Void

  typealias ReturnWatch = @LoopActor (CachePath, @escaping @LoopActor () -> Void) -> NameWatcher?

  /// - Parameter watchReturn: watches the name of the directory while it is missing.
  init(
    _ path: FilePath, appeared: @escaping @LoopActor (FilePath) -> Void,
    disappeared: @escaping @LoopActor (FilePath) -> Void,
    watchReturn: @escaping ReturnWatch = { NameWatcher(forPresenceOf: $0, $1) }
  ) throws(CacheError) {
    self.path = try CacheRoot.resolve(path)
    self.appeared = appeared
    self.disappeared = disappeared
    self.watchReturn = watchReturn
    _ = try CacheRoot(resolved: self.path)
    listen()
  }

  /// Whether a cache is in this collection.
  func lists(_ cache: FilePath) -> Bool { known.contains(cache) }

  func stop() {
    unwatch()
    returnWatcher = nil
  }

  private func unwatch() {
    if let watch { WatchTable.shared.unwatch(watch, of: .root, for: self) }
    watch = nil
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
  }

  /// Watches the directory that is at the path now. If there is none, watches its name.
  private func listen() {
    returnWatcher = nil
    for _ in 0..<Self.maximumLooks {
      unwatch()
      guard let root = try? CacheRoot(resolved: path) else {
        guard returnWatcher == nil else { break }
        returnWatcher = watchReturn(CachePath(bytes: path.bytes)) { [weak self] in self?.lookAgain() }
        // The directory may have returned before its name was watched.
        continue
      }
      if clinux_filesystem_has_events(root.fileSystem) {
        InotifyWatcher.openIfNeeded()
        watch = try? WatchTable.shared.watch(root.raw, as: .root, for: self)
      }
      // Another directory may have taken the path before this one was watched.
      guard root.isInPlace else { continue }
      returnWatcher = nil
      if watch == nil { break }
      return
    }
    lookAgainLater()
  }

  /// After so many looks that each found another directory, the agent waits a little.
  private static let maximumLooks = 4

  private func lookAgainLater() {
    alarm = Alarms.shared.set(after: OpenCache.pollInterval) { [weak self] in self?.lookAgain() }
  }

  /// Watches and lists the directory that is at the path now.
  private func lookAgain() {
    listen()
    list()
  }

  /// Returns the caches in a directory, for commands that make a single pass.
  package nonisolated static func paths(in path: FilePath) throws(CacheError) -> [FilePath] {
    caches(in: try CacheRoot(resolved: try CacheRoot.resolve(path)))
  }

  /// Returns the caches that exist now.
  private nonisolated static func caches(in root: CacheRoot) -> [FilePath] {
    let entries = (try? Directory.list(root.raw)) ?? []
    return entries.filter { entry in
      guard CacheLayout.isCacheName(entry.name) else { return false }
      if entry.type == .directory { return true }
      return entry.type == .unknown
        && (try? Directory.identity(of: CachePath(bytes: entry.name), in: root.raw))?.type == .directory
    }.map { root.path.appending(bytes: $0.name) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private nonisolated static func isDirectory(_ path: FilePath) -> Bool {
    var about = stat()
    return path.withPlatformString({ lstat($0, &about) }) == 0 && about.st_mode & S_IFMT == S_IFDIR
  }

  /// Lists the caches, and reports each one that disappeared and each one that exists.
  func list() {
    let root = try? CacheRoot(resolved: path)
    let listed = root.map { Self.caches(in: $0) } ?? []
    // A listing does not prove that a cache is gone (``Directory/list(_:)``), so the known ones are looked up by name.
    let others = known.subtracting(listed).filter { root != nil && Self.isDirectory($0) }
    let found = Set(listed).union(others)
    for path in known.subtracting(found) { disappeared(path) }
    known = found
    for path in listed { appeared(path) }
  }

  package func receive(_ event: InotifyEvent, in directory: CachePath) {
    if event.name.isEmpty {
      if event.isSelfGone || event.isIgnored { lookAgain() }
      return
    }
    guard event.isDirectory, CacheLayout.isCacheName(event.name) else { return }
    let path = path.appending(bytes: event.name)
    if event.isCreate || event.isMovedTo, known.insert(path).inserted { appeared(path) }
    if event.isDelete || event.isMovedFrom, known.remove(path) != nil { disappeared(path) }
  }

  package func overflowed() { list() }
}

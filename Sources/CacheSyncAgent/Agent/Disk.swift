package import CacheSync
package import CacheSyncSystem
package import Synchronization

/// The caches of one disk, on their own thread.
///
/// A hanging disk blocks only its own thread: other disks continue, and the agent's thread keeps receiving events and
/// answering commands.
package actor Disk {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let pool: WorkerPool
  private var caches: [CachePath: ServedCache] = [:]
  /// The thread on which `status` tests whether the disk is writable.
  package nonisolated let trials = BackgroundQueue()
  /// The thread on which `status` looks for unclaimed files. It is separate, so that a directory that does not respond,
  /// or very many files, cannot delay a test.
  package nonisolated let walks = BackgroundQueue()
  /// Whether a pass is in progress, which may publish.
  package nonisolated let isPublishing = Atomic(false)

  /// Nil when the process has no thread or descriptor left.
  package init?() {
    guard let loop = EventLoop() else { return nil }
    self.loop = loop
    pool = WorkerPool()
  }

  /// Runs a closure on the disk's thread, after those that were queued before it.
  package nonisolated func perform(_ body: @escaping @Sendable (isolated Disk) -> Void) {
    loop.async { self.assumeIsolated(body) }
  }

  // MARK: Caches

  /// Adds a cache and starts serving it. Throws the reason when that fails; the cache's passes then retry.
  package func add(_ configuration: ServedCache.Configuration, isStart: Bool) throws(CacheError) {
    let cache = ServedCache(configuration, pool: pool)
    caches[CachePath(bytes: configuration.path.bytes)] = cache
    try cache.attach(isStart: isStart)
  }

  package func cache(at path: CachePath) -> ServedCache? { caches[path] }

  /// Shuts a cache down. Published files stay.
  ///
  /// - Returns: the greatest generation ever published there.
  package func remove(_ path: CachePath) -> Int {
    let cache = caches.removeValue(forKey: path)
    cache?.shutDown()
    return cache?.report.generation ?? 0
  }

  package func removeAll() {
    for cache in caches.values { cache.shutDown() }
    caches = [:]
  }

  package func reports(of paths: some Sequence<CachePath>) -> [CachePath: CacheReport] {
    var reports: [CachePath: CacheReport] = [:]
    for path in paths { reports[path] = caches[path]?.report }
    return reports
  }

  /// Runs a closure with each of the given caches, and reports on them afterwards.
  package func reports(of paths: some Sequence<CachePath>, after body: (ServedCache) -> Void) -> [CachePath:
    CacheReport]
  {
    isPublishing.store(true, ordering: .relaxed)
    for path in paths { caches[path].map(body) }
    isPublishing.store(false, ordering: .relaxed)
    return reports(of: paths)
  }

  // MARK: Passes

  /// A pass over a cache, requested by the agent's thread.
  package struct Pass: Sendable {
    package var path: CachePath
    package var requestedAt: Uptime
  }

  /// Makes a pass over each of the given caches: reads what has arrived or is due, and publishes what is new.
  package func process(_ passes: [Pass]) -> [CachePath: CacheReport] {
    isPublishing.store(true, ordering: .relaxed)
    defer { isPublishing.store(false, ordering: .relaxed) }
    OpenCache.publish(passes.compactMap { caches[$0.path]?.ingest(requestedAt: $0.requestedAt) }, with: pool)
    return reports(of: passes.map(\.path))
  }
}

package import CacheSync
package import CacheSyncSystem
package import Synchronization

/// The caches of one disk, on a thread of their own.
///
/// A disk that hangs stops its own thread only: the other disks go on, and the agent's thread goes on hearing and answering.
package actor Disk {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let pool: WorkerPool
  private var caches: [CachePath: ServedCache] = [:]
  /// The thread on which `status` tries whether the disk can be written.
  package nonisolated let trials = BackgroundQueue()
  /// The thread on which `status` looks for unclaimed files. It is another one, so that a directory which does not answer, or
  /// very many files, delay no trial.
  package nonisolated let walks = BackgroundQueue()
  /// Whether a pass is under way, which may publish something.
  package nonisolated let isPublishing = Atomic(false)

  /// Nil when the process has no thread, or no descriptor, left.
  package init?() {
    guard let loop = EventLoop() else { return nil }
    self.loop = loop
    pool = WorkerPool()
  }

  /// Runs a closure on the disk's thread, after the ones that were given to it before.
  package nonisolated func perform(_ body: @escaping @Sendable (isolated Disk) -> Void) {
    loop.async { self.assumeIsolated(body) }
  }

  // MARK: Caches

  /// Adds a cache and begins to serve it. Throws why it cannot; the cache's passes then try again.
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

  /// Runs a closure with each of some caches, and reports on them afterwards.
  package func reports(of paths: some Sequence<CachePath>, after body: (ServedCache) -> Void) -> [CachePath:
    CacheReport]
  {
    isPublishing.store(true, ordering: .relaxed)
    for path in paths { caches[path].map(body) }
    isPublishing.store(false, ordering: .relaxed)
    return reports(of: paths)
  }

  // MARK: Passes

  /// A pass over a cache that the agent's thread asks for.
  package struct Pass: Sendable {
    package var path: CachePath
    package var requestedAt: Uptime
  }

  /// Makes a pass over each of some caches: reads what has arrived or become due in them, and publishes what is new.
  package func process(_ passes: [Pass]) -> [CachePath: CacheReport] {
    isPublishing.store(true, ordering: .relaxed)
    defer { isPublishing.store(false, ordering: .relaxed) }
    OpenCache.publish(passes.compactMap { caches[$0.path]?.ingest(requestedAt: $0.requestedAt) }, with: pool)
    return reports(of: passes.map(\.path))
  }
}

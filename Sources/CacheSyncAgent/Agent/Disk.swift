package import CacheSync
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

  /// From this many publications on, flushing the whole file system once costs less than flushing each file. It also writes
  /// what other programs left unwritten there (syncfs(2)).
  private static let minimumShared = 64

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

  private typealias Visit = (cache: ServedCache, pass: Pass)

  /// Makes a pass over each of some caches. When many of them publish, they share their flushes.
  package func process(_ passes: [Pass]) -> [CachePath: CacheReport] {
    isPublishing.store(true, ordering: .relaxed)
    defer { isPublishing.store(false, ordering: .relaxed) }
    let batch = passes.compactMap { pass in caches[pass.path].map { Visit($0, pass) } }
    if batch.count(where: { $0.cache.serving?.contents.durability == .flush }) >= Self.minimumShared {
      publishTogether(batch)
    } else {
      for (cache, pass) in batch { cache.process(requestedAt: pass.requestedAt) }
    }
    return reports(of: passes.map(\.path))
  }

  private typealias Drafted = (serving: Serving, publication: PendingPublication)

  /// Publishes many caches at once, as at their common midnight.
  ///
  /// It writes all their files, flushes each file system once, renames all files, and flushes each file system once more.
  private func publishTogether(_ batch: [Visit]) {
    var drafted: [Drafted] = []
    for (cache, pass) in batch {
      guard let serving = cache.serving, serving.contents.durability == .flush else {
        cache.process(requestedAt: pass.requestedAt)
        continue
      }
      guard let publication = cache.draft(requestedAt: pass.requestedAt), let serving = cache.serving else { continue }
      drafted.append((serving, publication))
    }
    // Many caches were due, but few may have something new.
    guard drafted.count >= Self.minimumShared else {
      for (serving, publication) in drafted { serving.publish(publication) }
      return
    }
    var committed: [Drafted] = []
    let written = write(drafted)
    let failures = flushFileSystems(of: written)
    for (serving, publication) in written {
      if let failure = failures[publication.device] {
        serving.giveUp(publication, because: failure)
      } else if serving.commit(publication) {
        committed.append((serving, publication))
      }
    }
    let laterFailures = flushFileSystems(of: committed)
    for (serving, publication) in committed {
      serving.noteFlush(of: publication, failure: laterFailures[publication.device])
    }
  }

  /// Writes the temporaries of every draft, and gives up the drafts that could not be written.
  private func write(_ drafted: [Drafted]) -> [Drafted] {
    let publications = drafted.map(\.publication)
    let outcomes = pool.begin(publications.count) { publications[$0].failureOfWriting() }.results()
    var written: [Drafted] = []
    for (draft, failure) in zip(drafted, outcomes) {
      if let failure { draft.serving.giveUp(draft.publication, because: failure) } else { written.append(draft) }
    }
    return written
  }

  /// Flushes each file system on which something was written; returns the failures by device.
  private func flushFileSystems(of written: [Drafted]) -> [UInt64: PublishError] {
    var failures: [UInt64: PublishError] = [:]
    var flushed: Set<UInt64> = []
    for (_, publication) in written where flushed.insert(publication.device).inserted {
      failures[publication.device] = PublishError.caught(publication.flushFileSystem)
    }
    return failures
  }
}

package import CacheSync
import Dispatch
package import Synchronization

/// The caches of one disk, on a thread of their own.
///
/// A disk that hangs stops its own thread only: the other disks go on, and the agent's thread goes on hearing and answering.
/// Caches whose passes take long are set apart, on a second thread, so that the others do not wait for them.
package actor Disk {
  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let pool: WorkerPool
  private var caches: [CachePath: ServedCache] = [:]
  /// Whether passes may take as long as they need.
  private var takesCostly: Bool
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
  package init?(takesCostly: Bool = false) {
    guard let loop = EventLoop() else { return nil }
    self.loop = loop
    self.takesCostly = takesCostly
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

  /// Gives a cache away, to the disk's other thread.
  func release(_ path: CachePath, to handover: Handover) { handover.give(caches.removeValue(forKey: path)) }

  /// Waits for a cache from the disk's other thread.
  func adopt(_ path: CachePath, from handover: Handover) { caches[path] = handover.receive() }

  /// No thread is left to set costly caches apart.
  func takeCostly() { takesCostly = true }

  package func removeAll() {
    for cache in caches.values { cache.shutDown() }
    caches = [:]
  }

  package func reports(
    of paths: some Sequence<CachePath>, costly: Set<CachePath> = []
  ) -> [CachePath: CacheReport] {
    var reports: [CachePath: CacheReport] = [:]
    for path in paths {
      reports[path] = caches[path]?.report
      if costly.contains(path) { reports[path]?.isCostly = true }
    }
    return reports
  }

  /// Runs a closure with each of some caches, and reports on them afterwards.
  package func reports(of paths: some Sequence<CachePath>, after body: (ServedCache) -> Void) -> [CachePath:
    CacheReport]
  {
    isPublishing.store(true, ordering: .relaxed)
    var costly: Set<CachePath> = []
    for path in paths { timing(path, &costly) { caches[path].map(body) } }
    isPublishing.store(false, ordering: .relaxed)
    return reports(of: paths, costly: costly)
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
    var costly: Set<CachePath> = []
    if batch.count(where: { $0.cache.serving?.contents.durability == .flush }) >= Self.minimumShared {
      publishTogether(batch, &costly)
    } else {
      for (cache, pass) in batch { timing(pass.path, &costly) { cache.process(requestedAt: pass.requestedAt) } }
    }
    return reports(of: passes.map(\.path), costly: costly)
  }

  /// Notes whether a pass kept the others waiting for too long.
  ///
  /// The thread's processor time counts, not the clock's: a disk that is slow, or a machine that has much else to do, makes no
  /// cache costly.
  private func timing<Result>(_ path: CachePath, _ costly: inout Set<CachePath>, _ body: () -> Result) -> Result {
    // A cache that is alone on its thread keeps no other waiting.
    if takesCostly || caches.count == 1 { return body() }
    let begin = SystemThread.processorTime
    defer { if SystemThread.processorTime - begin > Publisher.noticeable { costly.insert(path) } }
    return body()
  }

  private typealias Drafted = (serving: Serving, publication: PendingPublication)

  /// Publishes many caches at once, as at their common midnight.
  ///
  /// It writes all their files, flushes each file system once, renames all files, and flushes each file system once more.
  private func publishTogether(_ batch: [Visit], _ costly: inout Set<CachePath>) {
    var drafted: [Drafted] = []
    for (cache, pass) in batch {
      guard let serving = cache.serving, serving.contents.durability == .flush else {
        timing(pass.path, &costly) { cache.process(requestedAt: pass.requestedAt) }
        continue
      }
      let publication = timing(pass.path, &costly) { cache.draft(requestedAt: pass.requestedAt) }
      guard let publication, let serving = cache.serving else { continue }
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

/// A cache on its way from one thread of a disk to the other.
final class Handover: Sendable {
  /// A cache is not `Sendable`, but the thread that gives it away has forgotten it.
  private struct Given: @unchecked Sendable {
    var cache: ServedCache?
  }

  private let given = Mutex(Given())
  private let isGiven = DispatchSemaphore(value: 0)

  /// - Parameter cache: nil when it was removed before.
  func give(_ cache: ServedCache?) {
    let cache = Given(cache: cache)
    given.withLock { $0 = cache }
    isGiven.signal()
  }

  /// Waits until the cache is given.
  func receive() -> ServedCache? {
    isGiven.wait()
    return given.withLock { given in
      defer { given = Given() }
      return given
    }.cache
  }
}

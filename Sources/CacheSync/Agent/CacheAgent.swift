import CLinux
import Glibc
package import Logging
package import Synchronization
package import SystemPackage

/// The agent: serves any number of caches on one thread, with one inotify instance and one timer for each clock.
@AgentActor
package final class CacheAgent {
  package struct Configuration: Sendable {
    /// Caches that are served whatever happens to their directories.
    package var caches: [FilePath]
    /// A directory whose directories are caches that come and go.
    package var cachesIn: FilePath?
    package var environment: CacheEnvironment
    package var logger: Logger

    package init(caches: [FilePath], cachesIn: FilePath? = nil, environment: CacheEnvironment, logger: Logger) {
      self.caches = caches
      self.cachesIn = cachesIn
      self.environment = environment
      self.logger = logger
    }
  }

  private let configuration: Configuration
  private let logger: Logger
  private var caches: [[UInt8]: ServedCache] = [:]
  /// The last generations of caches that went.
  private var generations: [[UInt8]: Int] = [:]
  private var dirty: [ServedCache] = []
  private var isDirty: Set<ObjectIdentifier> = []
  private var isStarting = true
  /// Whether everything was read for the first time; before that nothing is written, and it may end at any moment.
  package nonisolated let hasRead = Atomic(false)
  private var startErrors: [CacheError] = []
  private var collection: CacheCollection?
  private var zoneWatcher: ZoneWatcher?
  private var mountWatcher: MountWatcher?

  // By the caches' paths, which order those that are due together.
  private var boundaries = KeyedHeap<Earliest<Instant>, CachePath>()
  private var deadlines = KeyedHeap<Earliest<Uptime>, CachePath>()
  private var pacing = PublicationPacing()
  private var restTimer: LoopTimer?
  private var wallTimer: LoopTimer?
  private var uptimeTimer: LoopTimer?

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    logger = configuration.logger
  }

  /// Starts serving every cache. One that cannot be served does not keep the others from it.
  ///
  /// - Returns: why caches could not be served, if any; none is served when all are here.
  package func start() -> [CacheError] {
    _ = clinux_raise_descriptor_limit()
    InotifyWatcher.shared.onBatch(of: self) { [weak self] in self?.processNews() }
    wallTimer = LoopTimer(.wall) { [weak self] wasSet in self?.wallTimerFired(wasSet) }
    uptimeTimer = LoopTimer(.uptime) { [weak self] _ in self?.uptimeTimerFired() }
    restTimer = LoopTimer(.uptime) { _ in InotifyWatcher.shared.endRest() }
    zoneWatcher = ZoneWatcher { [weak self] in self?.zonesChanged() }
    mountWatcher = MountWatcher { [weak self] in self?.mountsChanged(at: $0) }
    for path in configuration.caches {
      do throws(CacheError) {
        try add(try CacheRoot.resolve(path))
      } catch {
        startErrors.append(error)
      }
    }
    if let path = configuration.cachesIn {
      do throws(CacheError) {
        let collection = try CacheCollection(
          path, appeared: { [weak self] in self?.appeared($0) }, disappeared: { [weak self] in self?.disappeared($0) })
        self.collection = collection
        collection.list()
      } catch {
        startErrors.append(error)
      }
    }
    isStarting = false
    hasRead.store(true, ordering: .relaxed)
    // What arrived while the last caches were read is taken in with the first publication.
    InotifyWatcher.shared.drain()
    processDirty()
    clinux_release_startup_memory()
    return startErrors
  }

  package var isServing: Bool { collection != nil || caches.values.contains(where: \.isAttached) }

  /// What is served, for a person.
  package var summary: String {
    let served = caches.values.filter(\.isAttached)
    if served.count == 1 { return EscapedText.forPeople(served[0].path.bytes) }
    return "\(served.count) caches"
  }

  private func add(_ path: FilePath) throws(CacheError) {
    let key = path.bytes
    guard caches[key] == nil else { return }
    let cache = ServedCache(
      path: path, environment: configuration.environment, logger: logger, generation: generations[key] ?? 0,
      isDirty: { [weak self] in self?.markDirty($0) },
      deadlineChanged: { [weak self] cache in
        self?.schedule(cache)
        self?.rearm()
      })
    // One that cannot be served now is tried again, unless it is the only one.
    caches[key] = cache
    defer { schedule(cache) }
    try cache.attach(isStart: isStarting)
    markDirty(cache)
  }

  private func appeared(_ path: FilePath) {
    do throws(CacheError) {
      try add(path)
    } catch {
      if isStarting { startErrors.append(error) }
    }
    if !isStarting {
      processDirty()
      rearm()
    }
  }

  private func disappeared(_ path: FilePath) {
    guard let cache = caches[path.bytes] else { return }
    cache.process()
    schedule(cache)
    if !cache.isAttached {
      // Another cache may come under the name; its generations go on from this one's.
      caches[path.bytes] = nil
      generations[path.bytes] = cache.generation
      boundaries.remove(CachePath(bytes: path.bytes))
      deadlines.remove(CachePath(bytes: path.bytes))
    }
    rearm()
  }

  // MARK: Work

  private func markDirty(_ cache: ServedCache) {
    if isDirty.insert(ObjectIdentifier(cache)).inserted { dirty.append(cache) }
  }

  private func processNews() {
    guard !dirty.isEmpty else { return }
    let batch = dirty
    let began = Uptime.now()
    let before = batch.reduce(0) { $0 + $1.writeCount }
    processDirty()
    let writeCount = batch.reduce(0) { $0 + $1.writeCount } - before
    guard writeCount > 0, let next = pacing.rest(after: began, until: Uptime.now(), writeCount: writeCount) else {
      return
    }
    restTimer?.arm(at: next)
    InotifyWatcher.shared.rest()
  }

  private func processDirty() {
    guard !dirty.isEmpty else { return }
    let batch = dirty
    dirty = []
    isDirty = []
    process(batch)
  }

  /// How long others wait for caches that publish alone. A judgement: what nobody notices.
  private static let turn = Duration.milliseconds(20)

  private func process(_ batch: [ServedCache]) {
    let (alone, rest) = (batch.filter(\.isDueAlone), batch.filter { !$0.isDueAlone })
    let sharing = rest.count >= SharedPublication.minimumCount ? rest.filter { $0.durability == .flush } : []
    if sharing.count >= SharedPublication.minimumCount {
      for start in stride(from: 0, to: sharing.count, by: SharedPublication.maximumCount) {
        SharedPublication.process(sharing[start...].prefix(SharedPublication.maximumCount))
      }
      for cache in rest where cache.durability != .flush { cache.process() }
    } else {
      for cache in rest { cache.process() }
    }
    // Each may wait for the disk many times. Those that are left are due at once, after what else has happened.
    let end = Uptime.now().advanced(by: Self.turn)
    for cache in alone {
      cache.process()
      if Uptime.now() >= end { break }
    }
    for cache in batch { schedule(cache) }
    rearm()
  }

  private func forEach(_ body: (ServedCache) -> Void) {
    for cache in caches.values {
      body(cache)
      schedule(cache)
    }
    rearm()
  }

  /// Reads settings and everything else again (SIGHUP).
  package func reload() {
    configuration.environment.zones.forget()
    collection?.list()
    forEach { cache in
      cache.zonesChanged()
      cache.sweepNow()
    }
  }

  /// Finishes what is under way, gives the caches back, and stops. Published files stay.
  package func stop() {
    InotifyWatcher.shared.forgetBatches(of: self)
    wallTimer = nil
    uptimeTimer = nil
    restTimer = nil
    InotifyWatcher.shared.endRest()
    zoneWatcher = nil
    mountWatcher = nil
    collection?.stop()
    collection = nil
    for cache in caches.values { cache.finish() }
    caches = [:]
  }

  // MARK: Time

  private func schedule(_ cache: ServedCache) {
    let key = CachePath(bytes: cache.path.bytes)
    if let boundary = cache.nextBoundary {
      boundaries.put(Earliest(boundary), for: key)
    } else {
      boundaries.remove(key)
    }
    if let deadline = cache.nextDeadline { deadlines.put(Earliest(deadline), for: key) } else { deadlines.remove(key) }
  }

  private func rearm() {
    if let next = boundaries.greatest?.value { wallTimer?.arm(at: next.time) } else { wallTimer?.disarm() }
    if let next = deadlines.greatest?.value { uptimeTimer?.arm(at: next.time) } else { uptimeTimer?.disarm() }
  }

  // Of very many that are due together some are taken at a time: the timer is due again at once, and what else happened comes
  // in between.

  private func wallTimerFired(_ clockWasSet: Bool) {
    if clockWasSet {
      logger.notice("the system clock was set; comparing everything with the new time")
      return forEach { $0.clockChanged() }
    }
    let now = configuration.environment.clock.now()
    process(boundaries.take(atMost: SharedPublication.maximumCount) { $0.time <= now }.compactMap { caches[$0.bytes] })
  }

  private func uptimeTimerFired() {
    let now = Uptime.now()
    process(deadlines.take(atMost: SharedPublication.maximumCount) { $0.time <= now }.compactMap { caches[$0.bytes] })
  }

  private func zonesChanged() {
    configuration.environment.zones.forget()
    forEach { $0.zonesChanged() }
  }

  /// A cache may be another directory now, or have another directory inside, of which nothing tells.
  private func mountsChanged(at places: Set<[UInt8]>) {
    forEach { cache in
      let path = CachePath(bytes: cache.path.bytes)
      if places.contains(where: { CachePath(bytes: $0).isWithin(path) }) { cache.sweepNow() } else { cache.process() }
    }
  }
}

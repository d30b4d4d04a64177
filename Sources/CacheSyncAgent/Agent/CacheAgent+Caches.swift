import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

// How caches are added, moved between disks, and removed.

extension CacheAgent {
  /// Starts serving the cache at a path whose links are resolved.
  ///
  /// - Parameter isReplacement: whether readers have seen another directory at the cache's path.
  func add(_ path: FilePath, isStart: Bool, isReplacement: Bool = false) {
    let key = CachePath(bytes: path.bytes)
    guard caches[key] == nil else {
      caches[key]?.isLeaving = false
      return requestPass(over: key)
    }
    guard let queue = queue(of: key) else { return retryLater(path, isStart: isStart) }
    caches[key] = Entry(queue: queue)
    let configuration = ServedCache.Configuration(
      path: path, environment: self.configuration.environment, logger: logger,
      host: CacheHost(
        hasNews: { [weak self] in self?.recordNews(of: key) },
        answer: { [weak self] in self?.answer($0, of: key, on: $1) }, budget: budget,
        freed: freed),
      generation: generations[key] ?? 0, isInCollection: collection?.lists(path) ?? false,
      isReplacement: isReplacement,
      isOneOfSeveral: self.configuration.cachesIn != nil || Set(self.configuration.caches).count > 1)
    if isStart { starting.insert(key) }
    queue.run { disk in
      do throws(CacheError) {
        try disk.add(configuration, isStart: isStart)
      } catch {
        if isStart, !error.isHeldBySync { LoopActor.perform { self.recordStartError(error) } }
      }
      return [:]
    }
    // At a start the pass begins later: the first publication then includes what arrived while the agent read the
    // disk's other caches.
    requestPass(over: key, beginning: hasStarted)
  }

  /// Retries adding a cache later, because the process has no thread or descriptor left for another disk.
  func retryLater(_ path: FilePath, isStart: Bool) {
    let error = CacheError(opening: path, .tooManyOpenFiles)
    if isStart { start.errors.append(error) }
    Alarms.shared.set(after: OpenCache.pollInterval) { [weak self] in
      guard let self, isNamed(CachePath(bytes: path.bytes)) else { return }
      add(path, isStart: false)
    }
  }

  /// Returns the queue of the disk that holds a path; nil when the process has no thread or descriptor left for another
  /// disk.
  func queue(of path: CachePath) -> DiskQueue? {
    let device = mounts.device(of: path)
    if let queue = queues[device] { return queue }
    guard let disk = Disk() else { return nil }
    let environment = configuration.environment
    let queue = DiskQueue(disk, clock: environment.clock, uptime: environment.uptime) { [weak self] in self?.apply($0) }
    queues[device] = queue
    return queue
  }

  func appeared(_ path: FilePath) { add(path, isStart: !hasStarted) }

  func disappeared(_ path: FilePath) {
    let key = CachePath(bytes: path.bytes)
    caches[key]?.isLeaving = true
    requestPass(over: key)
  }

  /// Stops serving a cache; its published files stay.
  func remove(_ key: CachePath, then: @escaping @LoopActor @Sendable () -> Void = {}) {
    guard let entry = caches.removeValue(forKey: key) else { return }
    // Another directory may appear at this path; its generations continue from this one's.
    recordGeneration(entry.report.generation, of: key)
    boundaries.remove(key)
    deadlines.remove(key)
    reportServing()
    entry.queue.run(
      { [weak self] disk in
        let generation = disk.remove(key)
        LoopActor.perform { self?.recordGeneration(generation, of: key) }
        return [:]
      }, then: then)
  }

  func recordGeneration(_ generation: Int, of key: CachePath) {
    generations[key] = max(generation, generations[key] ?? 0)
  }

  /// Serves each directory in a directory of caches, from when it appears until it disappears.
  func startCollection(_ path: FilePath) {
    do throws(CacheError) {
      let collection = try CacheCollection(
        path, appeared: { [weak self] in self?.appeared($0) }, disappeared: { [weak self] in self?.disappeared($0) })
      self.collection = collection
      collection.list()
    } catch {
      start.errors.append(error)
    }
  }

  /// Applies the definitions for all caches, and applies them again when they change.
  func startDefinitions() {
    guard let shared = configuration.environment.shared else { return }
    let directory = CachePath(bytes: shared.directory.bytes)
    definitions = DefinitionCollection(
      shared, queue: { [weak self] in self?.queue(of: directory) },
      wasRead: { [weak self] in self?.forEach { _, cache in cache.process() } })
  }

  // MARK: What concerns every cache

  /// Runs a closure with every cache, on the thread of its disk.
  func forEach(_ body: @escaping @Sendable (CachePath, ServedCache) -> Void) {
    for (queue, entries) in Dictionary(grouping: caches, by: { ObjectIdentifier($0.value.queue) }).values.map({
      ($0[0].value.queue, $0.map(\.key))
    }) {
      queue.run { disk in
        var reports: [CachePath: CacheReport] = [:]
        for key in entries {
          reports.merge(disk.reports(of: [key]) { body(key, $0) }, uniquingKeysWith: { $1 })
        }
        return reports
      }
    }
  }

  /// Reads settings and everything else again (SIGHUP), and returns when the changes are published.
  package func reload() async {
    configuration.environment.zones.readAgain()
    await definitions?.read()
    collection?.list()
    forEach { _, cache in
      cache.updateZones()
      cache.sweep()
    }
    for queue in queues.values {
      await withCheckedContinuation { end in queue.run({ _ in [:] }, then: { end.resume() }) }
    }
  }

  func zonesChanged() {
    configuration.environment.zones.readAgain()
    forEach { _, cache in cache.updateZones() }
  }

  /// Sweeps the caches that a mount or unmount may have changed, and moves caches to the disk that holds them now.
  ///
  /// A mount or unmount replaces a cache, or a directory inside it, without an event.
  func mountsChanged(to table: MountTable) {
    let places = mounts.differences(from: table).map { CachePath(bytes: $0) }
    let before = mounts
    mounts = table
    for key in caches.keys where before.device(of: key) != table.device(of: key) {
      remove(key) { [weak self] in self?.add(FilePath(bytes: key.bytes), isStart: false) }
    }
    forEach { key, cache in
      if places.contains(where: { $0.isWithin(key) }) { cache.sweep() }
    }
    // The other caches may be different directories now; a pass detects that. Most are the same, so their passes share
    // batches: whatever they publish is flushed together.
    for key in caches.keys { requestPass(over: key, beginning: false) }
    beginPasses()
    for cache in linked { follow(cache, becauseOfChange: true) }
  }
}

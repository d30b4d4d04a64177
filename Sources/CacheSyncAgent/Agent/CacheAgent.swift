package import CacheSync
import CLinux
import Glibc
package import Logging
import Synchronization
package import SystemPackage

/// The agent: serves any number of caches.
///
/// Its thread hears the kernel's events and the commands' questions, and keeps time; each disk's thread reads and publishes.
/// The way of a file: the kernel tells ``InotifyWatcher``, which tells the cache's ``CacheWatcher``; the agent has the cache's
/// ``Disk`` make a pass; ``Serving`` takes the file in and ``Publisher`` writes what readers see.
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

  /// What became of a start.
  package struct Start: Sendable {
    /// Why caches could not be served.
    package var errors: [CacheError] = []
    /// What is served, for people; nil when nothing is.
    package var summary: String?
  }

  /// What the agent's thread knows of a cache.
  private struct Entry {
    var queue: DiskQueue
    var report = CacheReport()
    var hasNews = false
    /// Whether its directory went from the directory of caches.
    var isLeaving = false
    var returnWatcher: ReturnWatcher?
    /// Since when its disk does not say how it is.
    var silentSince: Instant?
  }

  private let configuration: Configuration
  private let logger: Logger
  private let budget: DescriptorBudget
  private var caches: [CachePath: Entry] = [:]
  /// The caches that have news for which no pass was begun.
  private var dirty: [CachePath] = []
  /// The last generations of caches that went.
  private var generations: [CachePath: Int] = [:]
  private var queues: [[UInt8]: DiskQueue] = [:]
  private var mounts = MountTable.current
  private var start = Start()
  /// The caches that are to be published for the first time.
  private var starting: Set<CachePath> = []
  private var hasStarted = false
  private var startEnd: CheckedContinuation<Void, Never>?
  private var waiterCount = 0

  private var collection: CacheCollection?
  private var zoneWatcher: ZoneWatcher?
  private var mountWatcher: MountWatcher?
  // By the caches' paths, which order those that are due together.
  private var boundaries = KeyedHeap<Earliest<Instant>, CachePath>()
  private var deadlines = KeyedHeap<Earliest<Uptime>, CachePath>()
  private var wallTimer: LoopTimer?
  private var uptimeTimer: LoopTimer?

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    logger = configuration.logger
    _ = clinux_raise_descriptor_limit()
    budget = DescriptorBudget()
  }

  // MARK: Start and end

  /// Starts serving every cache, and returns when each was published for the first time, or could not be. One that cannot be
  /// served does not keep the others from it.
  package func start() async -> Start {
    wallTimer = LoopTimer(.wall) { [weak self] in self?.wallTimerFired($0) }
    uptimeTimer = LoopTimer(.uptime) { [weak self] _ in self?.uptimeTimerFired() }
    guard wallTimer != nil, uptimeTimer != nil else {
      let reason = "cannot make timers: no descriptor is left: raise the limit with ulimit -n or LimitNOFILE="
      return Start(errors: [CacheError(reason, status: .cannotCreate)])
    }
    Alarms.shared.changed = { [weak self] in self?.rearm() }
    InotifyWatcher.shared.onBatch(of: self) { [weak self] in self?.processNews() }
    zoneWatcher = ZoneWatcher { [weak self] in self?.zonesChanged() }
    mountWatcher = MountWatcher { [weak self] in self?.mountsChanged(to: $0) }
    for path in configuration.caches {
      do throws(CacheError) {
        add(try CacheRoot.resolve(path), isStart: true)
      } catch {
        start.errors.append(error)
      }
    }
    if let path = configuration.cachesIn { startCollection(path) }
    beginPasses()
    if !starting.isEmpty { await withCheckedContinuation { startEnd = $0 } }
    clinux_release_heap()
    hasStarted = true
    start.summary = summary
    return start
  }

  private func startCollection(_ path: FilePath) {
    do throws(CacheError) {
      let collection = try CacheCollection(
        path, appeared: { [weak self] in self?.appeared($0) }, disappeared: { [weak self] in self?.disappeared($0) })
      self.collection = collection
      collection.list()
    } catch {
      start.errors.append(error)
    }
  }

  private func endStart(of key: CachePath) {
    guard starting.remove(key) != nil, starting.isEmpty else { return }
    startEnd?.resume()
    startEnd = nil
  }

  /// Nil when no cache could be served. One that could, and has gone since, is waited for.
  private var summary: String? {
    if collection == nil, start.errors.count >= Set(configuration.caches).count { return nil }
    if caches.count == 1, let path = caches.keys.first { return EscapedText.forPeople(path.bytes) }
    return "\(caches.values.count(where: \.report.isServing)) caches"
  }

  /// Whether something is being published now, which a signal that ends the process should wait for.
  package var isPublishing: Bool { queues.values.contains { $0.disk.isPublishing.load(ordering: .relaxed) } }

  /// Finishes what is under way, gives the caches back, and stops. Published files stay.
  package func stop() async {
    InotifyWatcher.shared.forgetBatches(of: self)
    Alarms.shared.changed = {}
    wallTimer = nil
    uptimeTimer = nil
    zoneWatcher = nil
    mountWatcher = nil
    collection?.stop()
    collection = nil
    let ends = queues.values.map { queue in Task { await queue.disk.removeAll() } }
    for end in ends { await end.value }
    caches = [:]
  }

  // MARK: Caches

  private func add(_ path: FilePath, isStart: Bool) {
    let key = CachePath(bytes: path.bytes)
    guard caches[key] == nil else {
      caches[key]?.isLeaving = false
      return process(key)
    }
    guard let queue = queue(of: key) else { return refuse(path, isStart: isStart) }
    caches[key] = Entry(queue: queue)
    let configuration = ServedCache.Configuration(
      path: path, environment: self.configuration.environment, logger: logger,
      host: CacheHost(
        hasNews: { [weak self] in self?.markDirty(key) },
        answer: { [weak self] in self?.answer($0, of: key, on: $1) }, budget: budget),
      generation: generations[key] ?? 0)
    if isStart { starting.insert(key) }
    queue.run { disk in
      do throws(CacheError) {
        try disk.add(configuration, isStart: isStart)
      } catch {
        if isStart { AgentActor.perform { self.start.errors.append(error) } }
      }
      return [:]
    }
    // What arrived while other caches of the disk were read is taken in with the first publication.
    process(key, beginning: hasStarted)
  }

  /// Neither a thread nor a descriptor is left for a further disk: the cache is tried again.
  private func refuse(_ path: FilePath, isStart: Bool) {
    let error = CacheError(opening: path, .tooManyOpenFiles)
    if isStart { start.errors.append(error) }
    Alarms.shared.set(after: Serving.pollInterval) { [weak self] in self?.add(path, isStart: false) }
  }

  private func queue(of path: CachePath) -> DiskQueue? {
    let device = mounts.device(of: path)
    if let queue = queues[device] { return queue }
    guard let disk = Disk() else { return nil }
    let queue = DiskQueue(disk, clock: configuration.environment.clock) { [weak self] in self?.apply($0) }
    queues[device] = queue
    return queue
  }

  private func appeared(_ path: FilePath) { add(path, isStart: !hasStarted) }

  private func disappeared(_ path: FilePath) {
    let key = CachePath(bytes: path.bytes)
    caches[key]?.isLeaving = true
    process(key)
  }

  private func remove(_ key: CachePath, then: @escaping @AgentActor @Sendable () -> Void = {}) {
    guard let entry = caches.removeValue(forKey: key) else { return }
    // Another cache may come under the name; its generations go on from this one's.
    noteGeneration(entry.report.generation, of: key)
    boundaries.remove(key)
    deadlines.remove(key)
    entry.queue.run(
      { [weak self] disk in
        let generation = disk.remove(key)
        AgentActor.perform { self?.noteGeneration(generation, of: key) }
        return [:]
      }, then: then)
  }

  private func noteGeneration(_ generation: Int, of key: CachePath) {
    generations[key] = max(generation, generations[key] ?? 0)
  }

  // MARK: Passes

  private func markDirty(_ key: CachePath) {
    guard caches[key]?.hasNews == false else { return }
    caches[key]?.hasNews = true
    dirty.append(key)
  }

  /// Has passes made over the caches of which the last batch of events told, at once unless they rest.
  private func processNews() {
    if dirty.isEmpty { return }
    let batch = dirty
    dirty = []
    let now = Uptime.now()
    for key in batch {
      guard let entry = caches[key] else { continue }
      // A pass that is under way says when the next may be.
      if entry.queue.underWay.contains(key) { continue }
      if entry.report.restsUntil.map({ $0 > now }) ?? false { schedule(key) } else { process(key, beginning: false) }
    }
    beginPasses()
    rearm()
  }

  /// Has a pass made over a cache.
  ///
  /// - Parameter isBeginning: whether to begin at once; the caller may have more, for one batch.
  private func process(_ key: CachePath, beginning isBeginning: Bool = true) {
    guard let queue = caches[key]?.queue else { return }
    caches[key]?.hasNews = false
    queue.add(key)
    if isBeginning { queue.begin() }
  }

  private func beginPasses() { for queue in queues.values { queue.begin() } }

  /// Takes note of how caches are after a pass.
  private func apply(_ reports: [CachePath: CacheReport]) {
    for (key, report) in reports {
      guard let entry = caches[key] else { continue }
      caches[key]?.report = report
      endStart(of: key)
      if entry.isLeaving, !report.isServing {
        remove(key)
        continue
      }
      if report.isServing {
        caches[key]?.returnWatcher = nil
      } else if entry.returnWatcher == nil {
        caches[key]?.returnWatcher = ReturnWatcher(for: key) { [weak self] in self?.process(key) }
        // It may have come between the last look and the watch.
        if entry.report.isServing { process(key) }
      }
      schedule(key)
    }
    rearm()
  }

  /// Does something with every cache, on the threads of their disks.
  private func forEach(_ body: @escaping @Sendable (CachePath, ServedCache) -> Void) {
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

  /// Reads settings and everything else again (SIGHUP), and returns when what changed is published.
  package func reload() async {
    configuration.environment.zones.forget()
    collection?.list()
    forEach { _, cache in
      cache.updateZones()
      cache.sweep()
    }
    for queue in queues.values {
      await withCheckedContinuation { end in queue.run({ _ in [:] }, then: { end.resume() }) }
    }
  }

  // MARK: Time

  private func schedule(_ key: CachePath) {
    guard let entry = caches[key] else { return }
    if let boundary = entry.report.nextBoundary {
      boundaries.put(Earliest(boundary), for: key)
    } else {
      boundaries.remove(key)
    }
    var deadline = entry.report.nextDeadline
    if entry.hasNews { deadline = Uptime(nanoseconds: 0) }
    guard let deadline else { return deadlines.remove(key) }
    deadlines.put(Earliest(max(deadline, entry.report.restsUntil ?? deadline)), for: key)
  }

  private func rearm() {
    if let next = boundaries.greatest?.value { wallTimer?.arm(at: next.time) } else { wallTimer?.disarm() }
    let next = [deadlines.greatest?.value.time, Alarms.shared.next].compactMap(\.self).min()
    if let next { uptimeTimer?.arm(at: next) } else { uptimeTimer?.disarm() }
  }

  private func wallTimerFired(_ clockWasSet: Bool) {
    if clockWasSet {
      logger.notice("the system clock was set; comparing everything with the new time")
      return forEach { _, cache in cache.compareEverything() }
    }
    let now = configuration.environment.clock.now()
    for key in boundaries.dequeue(atMost: .max, while: { $0.time <= now }) { process(key, beginning: false) }
    beginPasses()
    rearm()
  }

  private func uptimeTimerFired() {
    let now = Uptime.now()
    Alarms.shared.ring(at: now)
    for key in deadlines.dequeue(atMost: .max, while: { $0.time <= now }) { process(key, beginning: false) }
    beginPasses()
    rearm()
  }

  private func zonesChanged() {
    configuration.environment.zones.forget()
    forEach { _, cache in cache.updateZones() }
  }

  /// A cache may be another directory now, or have another directory inside, of which nothing tells; or it may have come to
  /// another disk.
  private func mountsChanged(to table: MountTable) {
    let places = mounts.differences(from: table).map { CachePath(bytes: $0) }
    let before = mounts
    mounts = table
    for key in caches.keys where before.device(of: key) != table.device(of: key) {
      remove(key) { [weak self] in self?.add(FilePath(bytes: key.bytes), isStart: false) }
    }
    forEach { key, cache in
      if places.contains(where: { $0.isWithin(key) }) { cache.sweep() } else { cache.process() }
    }
  }

  // MARK: Answers

  /// How long a disk may take before `status` is answered without it, within the 5 s that the command has.
  private static let patience = Duration.seconds(2)

  private func answer(_ request: ControlRequest, of key: CachePath, on connection: ControlConnection) {
    guard let entry = caches[key] else { return connection.close() }
    // The kernel queues an event before the write that caused it returns: what was written before the request is here.
    InotifyWatcher.shared.drain()
    switch request {
    case .status: tellStatus(of: key, entry.queue, on: connection)
    case .wait: wait(for: key, entry.queue, on: connection, sweeping: false, reportsFailure: false)
    case .sweep: wait(for: key, entry.queue, on: connection, sweeping: true, reportsFailure: false)
    case .sync: wait(for: key, entry.queue, on: connection, sweeping: true, reportsFailure: true)
    }
  }

  private func wait(
    for key: CachePath, _ queue: DiskQueue, on connection: ControlConnection, sweeping: Bool, reportsFailure: Bool
  ) {
    waiterCount += 1
    let id = waiterCount
    queue.run { disk in
      disk.reports(of: [key]) { cache in
        cache.wait(id, sweeping: sweeping, reportsFailure: reportsFailure) { [weak connection] answer in
          AgentActor.perform { connection?.send(answer) }
        }
      }
    }
    connection.onEnd {
      queue.disk.perform { $0.cache(at: key)?.serving?.cancelWaiter(id) }
    }
  }

  /// What is known for an answer to `status` while more of it is looked for.
  @AgentActor
  private final class StatusQuestion {
    /// All but the files that no feed claims, for which the whole cache is gone through.
    var known: CacheStatus?
    /// Whether the client was answered or went away: the cache is not gone through for it any more.
    nonisolated let isOver = Atomic(false)
  }

  private func tellStatus(of key: CachePath, _ queue: DiskQueue, on connection: ControlConnection) {
    guard let report = caches[key]?.report else { return connection.close() }
    // One question to a disk that does not answer is enough: more would wait with it.
    if let since = caches[key]?.silentSince {
      return send(CacheStatus(silentSince: since, report: report), on: connection)
    }
    let asked = configuration.environment.clock.now()
    let question = StatusQuestion()
    connection.onEnd { question.isOver.store(true, ordering: .relaxed) }
    answer(on: connection, after: Self.patience) { [weak self] in
      guard let self else { return }
      if question.known != nil {
        return answer(on: connection, after: Self.patience) {
          if let known = question.known { self.send(known, on: connection) }
        }
      }
      let since = queue.busySince ?? asked
      caches[key]?.silentSince = since
      send(CacheStatus(silentSince: since, report: report), on: connection)
    }
    queue.run { [weak self] disk in
      let status = disk.cache(at: key)?.serving?.status()
      let walks = disk.walks
      disk.trials.async {
        let known = status?.withWritability()
        AgentActor.perform {
          self?.caches[key]?.silentSince = nil
          question.known = known
        }
        walks.async {
          guard !question.isOver.load(ordering: .relaxed), let whole = known?.withUnclaimed() else { return }
          AgentActor.perform { self?.send(whole, on: connection) }
        }
      }
      return [:]
    }
  }

  /// Answers in some way when nothing else has by then.
  private func answer(on connection: ControlConnection, after delay: Duration, _ body: @escaping @AgentActor () -> Void)
  {
    let alarm = Alarms.shared.set(after: delay) { if connection.isOpen { body() } }
    connection.onEnd { Alarms.shared.cancel(alarm) }
  }

  private func send(_ status: CacheStatus, on connection: ControlConnection) {
    let shared = InotifyWatcher.shared
    connection.send(status.encoded(events: shared.eventCount, overflows: shared.overflowCount))
  }
}

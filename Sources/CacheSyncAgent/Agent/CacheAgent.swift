package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
package import Logging
import Synchronization
package import SystemPackage

/// The agent: keeps any number of caches published.
///
/// A file goes from the kernel to its readers through eight files, of which this one is the first:
///
/// 1. `CacheAgent` hears that a cache has news, or that a deadline has come, and asks the cache's disk for a pass.
/// 2. `InotifyWatcher` reads the kernel's events and hands each to the cache that watches the directory.
/// 3. `CacheWatcher` notes by name what may have changed in its cache, and tells the agent once.
/// 4. `Disk` makes the passes over all caches of one disk, on a thread of its own, so that a disk which hangs stops no other.
/// 5. `OpenCache` claims the noted names, has them read, and publishes what is new.
/// 6. `CacheContents+Files` reads and judges one file, and gives a good one to its feed.
/// 7. `Publisher` computes and encodes the kinds that changed or are due.
/// 8. `Publication` writes temporaries, flushes them and renames them: now readers see the new files.
///
/// Everything here happens on the agent's thread, which touches no cache's disk. `CacheAgent+Caches` says how caches come and
/// go, `CacheAgent+Questions` how the commands are answered.
@LoopActor
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

  /// The outcome of a start.
  package struct Start: Sendable {
    /// Why caches could not be served, an error each.
    package var errors: [CacheError] = []
    /// What is served; nil when nothing is.
    package var summary: ServingSummary?
  }

  /// What the agent's thread knows of a cache.
  struct Entry {
    var queue: DiskQueue
    var report = CacheReport()
    var hasNews = false
    /// Whether its directory is gone from the directory of caches.
    var isLeaving = false
    var returnWatcher: ReturnWatcher?
    /// Since when its disk does not answer; nil while it does.
    var silentSince: Instant?
  }

  let configuration: Configuration
  let logger: Logger
  let budget: DescriptorBudget
  let freed = FreedMemory()
  let startedAt: Instant
  var caches: [CachePath: Entry] = [:]
  /// The caches that have news since the last batch of events.
  private var cachesWithNews: [CachePath] = []
  /// The last generations of caches that were removed.
  var generations: [CachePath: Int] = [:]
  /// By the device of the disk.
  var queues: [[UInt8]: DiskQueue] = [:]
  var mounts = MountTable.current
  var start = Start()
  /// The caches that are to be published for the first time.
  var starting: Set<CachePath> = []
  var hasStarted = false
  private var startEnd: CheckedContinuation<Void, Never>?
  var waiterCount = 0

  /// Called at the end of a start that serves something, and then whenever the words of the summary may differ.
  package var servingChanged: (@LoopActor (ServingSummary) -> Void)?
  /// Called after sweeps, those that were asked for too.
  package var swept: (@LoopActor () -> Void)?

  var collection: CacheCollection?
  /// Nil without `--feeds`.
  var definitions: DefinitionCollection?
  private var zoneWatcher: ZoneWatcher?
  private var mountWatcher: MountWatcher?
  // Keyed by the caches' paths, which order the caches that are due together.
  var boundaries = KeyedHeap<Earliest<Instant>, CachePath>()
  var deadlines = KeyedHeap<Earliest<Uptime>, CachePath>()
  private var boundaryAlarm: WallAlarm?
  private var deadlineAlarm: (due: Uptime, id: Int)?

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    logger = configuration.logger
    startedAt = configuration.environment.clock.now()
    _ = clinux_raise_descriptor_limit()
    budget = DescriptorBudget()
  }

  // MARK: Start

  /// Starts serving every cache, and returns when each was published for the first time, or could not be.
  ///
  /// A cache that cannot be served does not keep the agent from serving the others.
  package func start() async -> Start {
    boundaryAlarm = WallAlarm { [weak self] in self?.boundaryCame(clockWasSet: $0) }
    guard boundaryAlarm != nil, Alarms.shared.canRing else {
      let reason = "cannot make timers: no descriptor is left: raise the limit with ulimit -n or LimitNOFILE="
      return Start(errors: [CacheError(reason, status: .systemError)])
    }
    InotifyWatcher.shared.onBatch(of: self) { [weak self] in self?.processNews() }
    zoneWatcher = ZoneWatcher { [weak self] in self?.zonesChanged() }
    startDefinitions()
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
    await withCheckedContinuation { end in
      // Looked at here, because the call above may suspend this function and let the last of them be published meanwhile.
      if starting.isEmpty { end.resume() } else { startEnd = end }
    }
    clinux_release_heap()
    hasStarted = true
    if isServingAny { start.summary = summary }
    reportServing()
    return start
  }

  private func endStart(of key: CachePath) {
    guard starting.remove(key) != nil, starting.isEmpty else { return }
    endStart()
  }

  /// Ends the start without the caches that are not published yet, because their disks do not answer, if caches on other disks
  /// are. They are served when their disks answer.
  package func endStartWithoutSilentDisks() {
    let silent = Set(starting.compactMap { key in caches[key].map { ObjectIdentifier($0.queue) } })
    let isServingOthers = caches.values.contains { $0.report.isServing && !silent.contains(ObjectIdentifier($0.queue)) }
    guard !starting.isEmpty, isServingOthers else { return }
    starting = []
    endStart()
  }

  /// Ends the start when all other caches are published, without those that a `sync` holds. If there are no others, the start
  /// waits for the end of the `sync`.
  private func endStartBesideSyncs() {
    guard !starting.isEmpty, starting.count < caches.count,
      starting.allSatisfy({ caches[$0]?.report.isHeldBySync ?? false })
    else { return }
    starting = []
    endStart()
  }

  private func endStart() {
    startEnd?.resume()
    startEnd = nil
  }

  func noteStartError(_ error: CacheError) {
    if hasStarted { logger.error("\(error)") } else { start.errors.append(error) }
  }

  /// False when no cache could be served at the start. A cache that could, and is gone by now, counts: the agent waits for it.
  private var isServingAny: Bool { collection != nil || start.errors.count < Set(configuration.caches).count }

  private var summary: ServingSummary {
    var summary = ServingSummary(only: caches.count == 1 ? caches.keys.first : nil)
    for entry in caches.values {
      guard entry.report.isServing else {
        summary.awaitedCount += 1
        continue
      }
      summary.servedCount += 1
      if !entry.report.isWritable || entry.silentSince != nil { summary.unwritableCount += 1 }
      if entry.report.isPolling { summary.polledCount += 1 }
    }
    return summary
  }

  /// Tells the program what is served now, which it compares with what it was told before.
  func reportServing() {
    if hasStarted, isServingAny, let servingChanged { servingChanged(summary) }
  }

  // MARK: Passes

  /// Called when the watcher of a cache has noted something.
  func noteNews(of key: CachePath) {
    guard caches[key]?.hasNews == false else { return }
    caches[key]?.hasNews = true
    cachesWithNews.append(key)
  }

  /// Requests passes over the caches that have news: at once, or when their pace allows it (contract.md section 6).
  private func processNews() {
    if cachesWithNews.isEmpty { return }
    let batch = cachesWithNews
    cachesWithNews = []
    let now = Uptime.now()
    for key in batch {
      guard let entry = caches[key] else { continue }
      // The report of the pass under way says when the next one may begin.
      if entry.queue.underWay.contains(key) { continue }
      if entry.report.restsUntil.map({ $0 > now }) ?? false {
        schedule(key)
      } else {
        requestPass(over: key, beginning: false)
      }
    }
    beginPasses()
    rearm()
  }

  /// Requests a pass over a cache from its disk.
  ///
  /// - Parameter isBeginning: whether to begin at once; false when the caller has more caches for the same batch.
  func requestPass(over key: CachePath, beginning isBeginning: Bool = true) {
    guard let queue = caches[key]?.queue else { return }
    caches[key]?.hasNews = false
    queue.add(key)
    if isBeginning { queue.begin() }
  }

  func beginPasses() { for queue in queues.values { queue.begin() } }

  /// Stores the reports of caches after a pass, and schedules their next one.
  func apply(_ reports: [CachePath: CacheReport]) {
    var (isServingOtherwise, hasSwept) = (false, false)
    for (key, report) in reports {
      guard let entry = caches[key] else { continue }
      isServingOtherwise = isServingOtherwise || !report.isServedLike(entry.report)
      hasSwept = hasSwept || report.sweepCount > entry.report.sweepCount
      caches[key]?.report = report
      if let refusal = report.refusal, entry.report.refusal == nil { noteStartError(refusal) }
      if hasStarted, entry.report.isHeldBySync, report.isServing {
        logger.notice("serving \(EscapedText.forPeople(key.bytes)): the sync that held it has ended")
      }
      if !report.isHeldBySync { endStart(of: key) }
      if entry.isLeaving, !report.isServing {
        logger.notice("the cache directory \(EscapedText.forPeople(key.bytes)) is gone; not serving it any more")
        remove(key)
        continue
      }
      if report.isServing {
        caches[key]?.returnWatcher = nil
      } else if entry.returnWatcher == nil {
        caches[key]?.returnWatcher = ReturnWatcher(for: key) { [weak self] in self?.requestPass(over: key) }
        // The directory may have come back between the pass and the watch.
        if entry.report.isServing { requestPass(over: key) }
      }
      schedule(key)
    }
    endStartBesideSyncs()
    rearm()
    if isServingOtherwise { reportServing() }
    if hasSwept { swept?() }
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
    if let next = boundaries.greatest?.value { boundaryAlarm?.arm(at: next.time) } else { boundaryAlarm?.disarm() }
    let next = deadlines.greatest?.value.time
    guard deadlineAlarm?.due != next else { return }
    if let id = deadlineAlarm?.id { Alarms.shared.cancel(id) }
    deadlineAlarm = next.map { due in
      (due, Alarms.shared.set(at: due) { [weak self] in self?.deadlineCame() })
    }
  }

  private func boundaryCame(clockWasSet: Bool) {
    if clockWasSet {
      logger.notice("the system clock was set; comparing everything with the new time")
      return forEach { _, cache in cache.compareEverything() }
    }
    let now = configuration.environment.clock.now()
    for key in boundaries.dequeue(atMost: .max, while: { $0.time <= now }) { requestPass(over: key, beginning: false) }
    beginPasses()
    rearm()
  }

  private func deadlineCame() {
    let now = Uptime.now()
    deadlineAlarm = nil
    for key in deadlines.dequeue(atMost: .max, while: { $0.time <= now }) { requestPass(over: key, beginning: false) }
    beginPasses()
    rearm()
  }

  // MARK: End

  /// Whether a publication is under way, which a signal that ends the process should wait for.
  package var isPublishing: Bool { queues.values.contains { $0.disk.isPublishing.load(ordering: .relaxed) } }

  /// Finishes the publications under way, shuts every cache down, and stops. Published files stay.
  package func stop() async {
    InotifyWatcher.shared.forgetBatches(of: self)
    boundaryAlarm = nil
    if let id = deadlineAlarm?.id { Alarms.shared.cancel(id) }
    deadlineAlarm = nil
    zoneWatcher = nil
    definitions = nil
    mountWatcher = nil
    collection?.stop()
    collection = nil
    let ends = queues.values.map { queue in Task { await queue.disk.removeAll() } }
    for end in ends { await end.value }
    caches = [:]
  }
}

package import CacheSync
package import CacheSyncPublishing
import CLinux
package import CacheSyncSystem
package import Logging
import Synchronization
package import SystemPackage

/// Keeps any number of caches published.
///
/// A file goes from the kernel to its readers through ten source files:
///
/// 1. `InotifyWatcher` reads the kernel's events and passes each to the cache that watches the directory.
/// 2. `CacheWatcher` records the names that may have changed in its cache, and notifies the agent once.
/// 3. `CacheAgent` requests a pass when a cache has news or a deadline is due.
/// 4. `DiskQueue` runs the requested passes over the caches of one disk in batches.
/// 5. `Disk` makes them on its own thread, so that a hanging disk blocks no other. `ServedCache` opens what it needs.
/// 6. `OpenCache` claims the recorded names, has them read, and publishes what is new.
/// 7. `CacheContents+Files` reads and validates one file, and gives a good one to its feed.
/// 8. `Publisher` chooses the kinds that changed or are due.
/// 9. `CacheProjector` computes them: what readers see, at which moments.
/// 10. `Publication` writes temporaries, flushes them and renames them: now readers see the new files.
///
/// Everything here runs on the agent's thread. It resolves the paths of caches and lists the directory of caches; what is
/// in a cache only a `Disk` reads. `CacheAgent+Caches` adds and removes caches; `CacheAgent+Questions` answers the commands.
@LoopActor
package final class CacheAgent {
  package struct Configuration: Sendable {
    /// The caches that are served even while their directories are missing.
    package var caches: [FilePath]
    /// A directory whose subdirectories are caches, which may appear and disappear.
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

  package struct Start: Sendable {
    /// One error for each cache that could not be served.
    package var errors: [CacheError] = []
    /// A summary of what is served; nil when no cache is.
    package var summary: ServingSummary?
  }

  /// What the agent's thread knows about a cache.
  struct Entry {
    var queue: DiskQueue
    var report = CacheReport()
    var hasNews = false
    /// Whether its directory has disappeared from the directory of caches.
    var isLeaving = false
    var returnWatcher: NameWatcher?
    /// Since when its disk has not responded; nil while it responds.
    var silentSince: Instant?
  }

  let configuration: Configuration
  let logger: Logger
  let budget: DescriptorBudget
  let freed = FreedMemory()
  let reports: RecurringReport
  let startedAt: Instant
  var caches: [CachePath: Entry] = [:]
  /// The caches that have news since the last batch of events.
  private var cachesWithNews: [CachePath] = []
  /// The last generations of caches that were removed.
  var generations: [CachePath: Int] = [:]
  /// Keyed by the device of the disk.
  var queues: [[UInt8]: DiskQueue] = [:]
  var mounts = MountTable.current
  var start = Start()
  /// The caches whose first publication is pending.
  var starting: Set<CachePath> = []
  var hasStarted = false
  private var startEnd: CheckedContinuation<Void, Never>?
  var waiterCount = 0

  /// Called at the end of a start that serves at least one cache, and then whenever the summary may have changed.
  package var servingChanged: (@LoopActor (ServingSummary) -> Void)?
  /// Called after every sweep, including requested ones.
  package var swept: (@LoopActor () -> Void)?

  var collection: CacheCollection?
  /// The caches whose paths lead through links.
  var linked: [LinkedCache] = []
  /// The caches that were named by paths without links.
  var unlinked: Set<CachePath> = []
  /// Nil without `--feeds`.
  var definitions: DefinitionCollection?
  private var zoneWatcher: NameWatcher?
  private var mountWatcher: MountWatcher?
  // The keys are the caches' paths; they order the caches that are due at the same moment.
  var boundaries = KeyedHeap<Earliest<Instant>, CachePath>()
  var deadlines = KeyedHeap<Earliest<Uptime>, CachePath>()
  private var boundaryAlarm: WallAlarm?
  private var deadlineAlarm: (due: Uptime, id: Int)?

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    logger = configuration.logger
    reports = RecurringReport(configuration.logger, uptime: configuration.environment.uptime)
    startedAt = configuration.environment.clock.now()
    _ = clinux_raise_descriptor_limit()
    budget = DescriptorBudget()
  }

  // MARK: Start

  /// Starts serving every cache, and returns when each has been published for the first time or has failed.
  ///
  /// One cache that cannot be served does not keep the agent from serving the others.
  package func start() async -> Start {
    boundaryAlarm = WallAlarm { [weak self] in self?.boundaryCame(clockWasSet: $0) }
    guard boundaryAlarm != nil, Alarms.shared.canRing else {
      let reason = "cannot make timers: no descriptor is left: raise the limit with ulimit -n or LimitNOFILE="
      return Start(errors: [CacheError(reason, status: .systemError)])
    }
    InotifyWatcher.shared.onBatch(of: self) { [weak self] in self?.processNews() }
    // /etc/localtime is replaced by a rename.
    zoneWatcher = NameWatcher([Array("localtime".utf8), Array("timezone".utf8)], in: "/etc") { [weak self] in
      self?.zonesChanged()
    }
    startDefinitions()
    mountWatcher = MountWatcher { [weak self] in self?.mountsChanged(to: $0) }
    for path in configuration.caches {
      do throws(CacheError) {
        try addNamed(path)
      } catch {
        start.errors.append(error)
      }
    }
    if let path = configuration.cachesIn { startCollection(path) }
    beginPasses()
    await withCheckedContinuation { end in
      // Checked inside this closure: the `await` may suspend this function, and meanwhile the last cache may be
      // published.
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

  /// Ends the start without the caches whose disks do not respond, if caches on other disks are published. The agent
  /// serves the rest when their disks respond.
  package func endStartWithoutSilentDisks() {
    let silent = Set(starting.compactMap { key in caches[key].map { ObjectIdentifier($0.queue) } })
    let isServingOthers = caches.values.contains { $0.report.isServing && !silent.contains(ObjectIdentifier($0.queue)) }
    guard !starting.isEmpty, isServingOthers else { return }
    starting = []
    endStart()
  }

  /// Ends the start without the caches that a `sync` holds, once all others are published. If there are no others, the
  /// start waits for the `sync` to end.
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

  func recordStartError(_ error: CacheError) {
    if hasStarted { logger.error("\(error)") } else { start.errors.append(error) }
  }

  /// False when no cache could be served at the start. A cache that was served and has disappeared since counts as
  /// served: the agent waits for it.
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

  /// Passes the current summary to the program, which compares it with the previous one.
  func reportServing() {
    if hasStarted, isServingAny, let servingChanged { servingChanged(summary) }
  }

  // MARK: Passes

  /// Called when the watcher of a cache has recorded a change.
  func recordNews(of key: CachePath) {
    guard caches[key]?.hasNews == false else { return }
    caches[key]?.hasNews = true
    cachesWithNews.append(key)
  }

  /// Requests passes over the caches that have news: at once, or when their minimum interval has passed
  /// (contract.md section 6).
  private func processNews() {
    if cachesWithNews.isEmpty { return }
    let batch = cachesWithNews
    cachesWithNews = []
    let now = configuration.environment.uptime.now()
    for key in batch {
      guard let entry = caches[key] else { continue }
      // The report of the current pass will state when the next one may begin.
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

  /// Queues a pass over a cache on its disk.
  ///
  /// - Parameter isBeginning: whether to begin at once; false when the caller adds more caches to the same batch.
  func requestPass(over key: CachePath, beginning isBeginning: Bool = true) {
    guard let queue = caches[key]?.queue else { return }
    caches[key]?.hasNews = false
    queue.add(key)
    if isBeginning { queue.begin() }
  }

  func beginPasses() { for queue in queues.values { queue.begin() } }

  /// Stores the reports of caches after a pass, and schedules the next pass of each.
  func apply(_ reports: [CachePath: CacheReport]) {
    self.reports.remind()
    var (isServingOtherwise, hasSwept) = (false, false)
    for (key, report) in reports {
      guard let entry = caches[key] else { continue }
      isServingOtherwise = isServingOtherwise || !report.isServedLike(entry.report)
      let isSwept = report.sweepCount > entry.report.sweepCount
      hasSwept = hasSwept || isSwept
      caches[key]?.report = report
      if let refusal = report.refusal, entry.report.refusal == nil { recordStartError(refusal) }
      if hasStarted, entry.report.isHeldBySync, report.isServing {
        logger.notice("serving \(EscapedText.forPeople(key.bytes)): the sync that held it has ended")
      }
      if !report.isHeldBySync { endStart(of: key) }
      if entry.isLeaving, !report.isServing {
        let name = EscapedText.forPeople(key.bytes)
        self.reports.happen("gone \(name)", "the cache directory \(name) is gone; not serving it any more")
        remove(key)
        continue
      }
      // An event reports a swapped link on the way to a cache, but not a renamed directory further up.
      let linked = linkedCaches(at: key)
      if isSwept || !report.isServing { for cache in linked { follow(cache, becauseOfChange: false) } }
      if report.isServing, !report.vanishesSilently {
        caches[key]?.returnWatcher = nil
      } else if entry.returnWatcher == nil, linked.isEmpty {
        let watcher = NameWatcher(forPresenceOf: key) { [weak self] in self?.requestPass(over: key) }
        caches[key]?.returnWatcher = watcher
        // The directory may have returned after the pass and before the watch was added.
        if watcher != nil { requestPass(over: key) }
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
    // The new one first: so the timer is set once.
    let old = deadlineAlarm?.id
    deadlineAlarm = next.map { due in
      (due, Alarms.shared.set(at: due) { [weak self] in self?.deadlineCame() })
    }
    if let old { Alarms.shared.cancel(old) }
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
    let now = configuration.environment.uptime.now()
    deadlineAlarm = nil
    for key in deadlines.dequeue(atMost: .max, while: { $0.time <= now }) { requestPass(over: key, beginning: false) }
    beginPasses()
    rearm()
  }

  // MARK: End

  /// Whether a publication is in progress; a signal that ends the process should wait for it.
  package var isPublishing: Bool { queues.values.contains { $0.disk.isPublishing.load(ordering: .relaxed) } }

  /// Finishes the publications in progress, shuts every cache down, and stops. Published files stay.
  package func stop() async {
    InotifyWatcher.shared.removeBatches(of: self)
    boundaryAlarm = nil
    if let id = deadlineAlarm?.id { Alarms.shared.cancel(id) }
    deadlineAlarm = nil
    zoneWatcher = nil
    definitions = nil
    mountWatcher = nil
    collection?.stop()
    collection = nil
    for cache in linked { cache.stop() }
    linked = []
    let ends = queues.values.map { queue in Task { await queue.disk.removeAll() } }
    for end in ends { await end.value }
    caches = [:]
  }
}

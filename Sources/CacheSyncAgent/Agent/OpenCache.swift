package import CacheSync
package import CacheSyncPublishing
import CacheSyncSystem
import Logging
import SystemPackage

/// One cache while its directory exists: its lock and socket, its watches, its contents, and its outputs.
///
/// This file contains the steps of a pass: `ingest` reads what the watcher recorded and what is due, `publish` writes
/// what is new. `OpenCache+Deadlines` contains the work that becomes due, `OpenCache+Questions` the socket and the
/// answers.
package final class OpenCache {
  package let root: CacheRoot
  package let contents: CacheContents
  package let store: SnapshotStore
  package let publisher: Publisher
  package let watcher: CacheWatcher
  let path: FilePath
  let logger: Logger
  let reports: RecurringReport
  private let refusals: RecurringReport
  private var refused: RefusedReport
  let environment: CacheEnvironment
  let host: CacheHost
  /// The agent's own directory with the lock; nil while it cannot be opened or locked.
  var state: StateDirectory?
  var server: ControlServer?
  /// Whether the server's socket is in the agent's own directory.
  var listensInState = false
  let writability = Writability()
  /// Why the cache belongs to another process now, which reaches it by a road that locks do not pass; nil: it does not.
  private var taken: CacheError?
  private var beatDue: Uptime
  /// The agent's own directory when it last looked for a question.
  private var lastQuestion: FileIdentity?

  // Deadlines on the uptime clock.
  var sweptAt: Uptime
  var pollDue: Uptime?
  var saveDue: Uptime?
  /// The outputs that another program removed and that are not made again yet.
  var removed: RemovedOutputs?
  private var restsUntil: Uptime?
  var rescan = RescanBackoff()

  var waiters = Waiters()
  private(set) var batchCount = 0
  var rescanCount = 0
  var sweepCount = 0

  /// Why the agent stops serving a directory.
  enum Loss: CustomStringConvertible {
    /// The cache's path no longer leads to the directory.
    case directory
    /// The agent's own directory in it is missing, and the lock with it.
    case ownDirectory
    /// Another process has taken the cache by a road that locks do not pass.
    case taken(CacheError)

    var description: String {
      switch self {
      case .taken(let error): error.description
      case .directory: "the cache directory is gone"
      case .ownDirectory: "\(CacheLayout.state) was removed"
      }
    }
  }

  static let pollInterval = Duration.seconds(2)
  /// How long after a publication its last good versions are saved (contract.md section 6).
  static let saveDelay = Duration.seconds(1)
  /// The minimum interval between two publications of one cache (contract.md section 6).
  static let pace = Duration.milliseconds(10)

  /// Opens a cache's directory, takes the lock, watches and reads everything. Throws the reason when that fails.
  ///
  /// - Parameters:
  ///   - reports: what reports that something comes and goes.
  ///   - refusals: what reports the files that are refused.
  ///   - isStart: whether to refuse conditions that the agent tolerates in a cache that it already serves.
  init(
    _ configuration: ServedCache.Configuration, pool: WorkerPool, reports: RecurringReport, refusals: RecurringReport,
    isStart: Bool
  ) throws(CacheError) {
    path = configuration.path
    environment = configuration.environment
    logger = configuration.logger
    self.reports = reports
    self.refusals = refusals
    host = configuration.host
    root = try CacheRoot(resolved: path)
    store = SnapshotStore(
      root: root, generation: configuration.generation, mustRewrite: configuration.isReplacement, pool: pool,
      uptime: environment.uptime)
    contents = CacheContents(root: root, environment: environment, pool: pool)
    refused = RefusedReport(contents, namesCache: configuration.isOneOfSeveral, to: refusals)
    watcher = CacheWatcher(layout: contents.layout, uptime: environment.uptime, hasNews: host.hasNews)
    publisher = Publisher(contents: contents, store: store, logger: logger, reports: reports)
    sweptAt = environment.uptime.now()
    beatDue = environment.uptime.now().advanced(by: Self.beatInterval)
    do throws(CacheError) {
      try begin(isStart: isStart)
    } catch {
      end()
      throw error
    }
  }

  private func begin(isStart: Bool) throws(CacheError) {
    // The watch comes before every reading, including the settings, so that the agent receives the events of all later
    // changes.
    watcher.watch(.root, root.raw)
    // Whatever took the path before the watch caused no event.
    guard root.isInPlace else { throw CacheError(replaced: path) }
    do throws(StateDirectory.Failure) {
      state = try StateDirectory(root: root)
    } catch {
      switch error {
      case .held(let holder, let other): throw CacheError(heldBy: holder, path, elsewhere: other?.description)
      case .publish(let error):
        if isStart { try refuse(error) }
        publisher.recordFailure(error)
      }
    }
    if isStart {
      do throws(PublishError) { try OwnedDirectory.refuseForeignOutputs(in: root) } catch { try refuse(error) }
    }
    contents.loadSettings(isPatient: false)
    if isStart, let problem = contents.settingsFile.problem?.problem {
      throw CacheError(settings: problem, in: path)
    }
    listen()
    if let state { contents.adoptPreviousRuns(in: state, into: store, logger) }
    contents.readDefinitions { watcher.watch($0, $1) }
    watcher.use(contents.layout)
    // Turned on before the agent knows whether there are links, so that it misses no change of a link's target.
    watcher.reportOtherFiles(true)
    contents.reconcile([.root], enter: { watcher.watch($0, $1) })
    contents.closeLastGoodOnceJudged()
    watcher.reportOtherFiles(!contents.files.links.isEmpty)
    pollUnreadable()
    updatePolling()
    reportPolling(watcher.polled)
  }

  /// Throws an error that does not pass by itself: `.cachesync` or `snapshots` is a link or belongs to another user
  /// (commands.md). Only a start refuses a cache for it; a running agent treats the cache as not writable.
  private func refuse(_ error: PublishError) throws(CacheError) {
    guard error.explanation != nil else { return }
    throw CacheError(error.description(in: path), status: error.status)
  }

  /// Closes the socket and ends the watches; the published files stay.
  func end() {
    stopListening()
    watcher.stop()
    reports.endAll()
    refusals.endAll()
    environment.shared?.leave(root.path)
  }

  package var report: CacheReport {
    CacheReport(
      isServing: true, generation: store.generation,
      nextBoundary: publisher.retryDue == nil ? publisher.nextBoundary : nil,
      nextDeadline: [
        sweepDue, pollDue, saveDue, rescan.due, contents.nextDeadline, publisher.retryDue,
        contents.needsReading || taken != nil ? environment.uptime.now() : nil, refusals.nextLine, removed?.due,
      ].compactMap(\.self).min(),
      restsUntil: restsUntil, isWritable: publisher.failure == nil, isPolling: !watcher.polled.isEmpty,
      vanishesSilently: root.isSubvolume, sweepCount: sweepCount, counters: counters)
  }

  var counters: CacheCounters {
    CacheCounters(
      batches: batchCount, rescans: rescanCount, publications: publisher.publicationCount,
      rejected: contents.counters.rejected, retries: contents.counters.retries + publisher.retryCount,
      durations: publisher.durations, lastPublication: store.lastPublication)
  }

  // MARK: Ingesting

  /// Reads everything that the watcher recorded, and does the work that is due.
  ///
  /// - Parameter requestedAt: when the agent requested the pass; nil means now.
  /// - Returns: why the agent must stop serving the directory; nil when it can continue.
  func ingest(requestedAt: Uptime? = nil) -> Loss? {
    let now = environment.uptime.now()
    let news = watcher.claimNews()
    publisher.recordCause(at: min(news.receivedAt ?? now, requestedAt ?? now))
    guard root.isInPlace else { return .directory }
    if news.stateIsGone { return .ownDirectory }
    if news.isAsked { beat() }
    if !news.isEmpty { batchCount += 1 }
    if news.overflow { rescan.overflowed(at: now) }
    if news.outputsRemoved {
      noticeRemovedOutputs(at: now)
    } else if news.hasRemovals {
      removed?.wait(after: now)
    }
    ingest(news)
    handleDeadlines(at: now)
    if let taken { return .taken(taken) }
    contents.loadOtherNames()
    adoptDefinitions()
    reportOtherFiles()
    pollUnreadable()
    UnreadableReport.report(contents, to: reports)
    let polled = watcher.polled
    // The kernel may have refused a watch for a new directory, for example the first one over the limit.
    if pollDue == nil, !polled.isEmpty { updatePolling() }
    reportPolling(polled)
    return nil
  }

  private func ingest(_ news: CacheWatcher.News) {
    if news.settings { contents.loadSettings() }
    let gone = news.goneDirectories.union(news.movedDirectories)
    // The event of a removal may arrive after the agent watched the next directory at that path, and has ended that
    // watch. The event of the next directory may be missing: the kernel drops events.
    contents.reconcile(news.directories.union(gone.filter(isDirectory))) { watcher.watch($0, $1) }
    if !gone.isEmpty {
      // The walk of the previous pass may have watched a directory just after the event of its removal.
      watcher.remove(
        watcher.directories.filter { (gone.contains($0) || $0.isBelow(anyOf: gone)) && !isDirectory($0) })
      for path in contents.files.paths {
        if path.isBelow(anyOf: news.movedDirectories) {
          load(path, isPatient: false)
        } else if path.isBelow(anyOf: news.goneDirectories) {
          load(path)
        }
      }
      for path in contents.problems.linkedDirectories.keys where path.isBelow(anyOf: gone) {
        contents.lookForLinkedDirectory(at: path)
      }
      for path in contents.problems.conflictCopies.keys where path.isBelow(anyOf: gone) {
        contents.lookForCopy(at: path)
      }
    }
    var written: [(path: CachePath, feed: FeedName)] = []
    for path in news.files {
      if news.movedFiles.contains(path) {
        load(path, isPatient: false)
      } else if case .session(let feed) = contents.layout.role(of: path) {
        written.append((path, feed))
      }
    }
    contents.load(written, haveChanged: true)
    for path in news.possibleLinks { contents.lookForLinkedDirectory(at: path) }
    for path in news.possibleCopies { contents.lookForCopy(at: path) }
    if !news.isEmpty { for path in contents.files.links { load(path) } }
  }

  /// Adopts the feeds that the current definitions describe, and reads their files.
  private func adoptDefinitions() {
    guard contents.adoptDefinitions() else { return }
    watcher.use(contents.layout)
    contents.reconcile([.root]) { watcher.watch($0, $1) }
    watcher.remove(watcher.directories.filter { !contents.layout.holdsSessions($0) })
  }

  /// Receives events of files that are not sessions once there is a link, and then checks the targets of the links
  /// again: they may have changed before.
  private func reportOtherFiles() {
    let hasLinks = !contents.files.links.isEmpty
    if watcher.reportOtherFiles(hasLinks), hasLinks { for path in contents.files.links { load(path) } }
  }

  private func load(_ path: CachePath, isPatient: Bool = true) {
    guard case .session(let feed) = contents.layout.role(of: path) else { return }
    contents.loadAfterEvent(path, feed: feed, isPatientWithAbsence: isPatient)
  }

  // MARK: Publishing

  /// Publishes what is new in caches of one disk, and replies to the commands that wait for it.
  static func publish(_ caches: [OpenCache], with pool: WorkerPool) {
    let drafts = caches.compactMap { cache -> (OpenCache, Publication)? in
      guard let publication = cache.draft() else { return nil }
      // The drafts of all other caches come first, and a process has a limited number of descriptors.
      if caches.count > 1 { publication.close() }
      return (cache, publication)
    }
    Publication.publish(drafts.map(\.1), with: pool)
    for (cache, publication) in drafts { cache.record(publication) }
    for cache in caches {
      cache.refused.report()
      cache.watchOutputs()
      cache.settleWaiters()
    }
  }

  /// Computes and drafts what is new; nil when nothing is new, or nothing can be written now.
  private func draft() -> Publication? {
    let publication = stateForPublishing().flatMap { publisher.draft(state: $0) }
    if publication == nil { saveLater(isPublished: false) }
    return publication
  }

  private func record(_ publication: Publication) {
    publisher.record(publication)
    let isPublished = publication.failure == nil
    if isPublished {
      let now = environment.uptime.now()
      restsUntil = now.advanced(by: Self.pace)
      if beatDue <= now { beat() }
    }
    saveLater(isPublished: isPublished)
  }

  /// How often a publication shows other processes that this one holds the cache. Between publications it stays still
  /// and answers questions.
  private static let beatInterval = Duration.seconds(60)

  /// Shows other processes that this one holds the cache, and looks whether one has taken it.
  func beat() {
    beatDue = environment.uptime.now().advanced(by: Self.beatInterval)
    guard let other = state?.beat() else { return }
    taken = CacheError(heldBy: other.holder, path, elsewhere: other.description)
  }

  /// Answers a question that caused no event. A question is a touch.
  func answerWithoutEvent() {
    guard let state, let now = try? Directory.identity(of: state.raw), now != lastQuestion else { return }
    lastQuestion = now
    beat()
  }

  /// Schedules saving the last good versions shortly after the publication.
  private func saveLater(isPublished: Bool) {
    guard isPublished || contents.lastGood.log?.hasPending == true else { return }
    saveDue = saveDue ?? environment.uptime.now().advanced(by: Self.saveDelay)
  }

  /// Returns the agent's own directory for writing; nil when it is not available, or when a retry is scheduled for
  /// later.
  private func stateForPublishing() -> StateDirectory? {
    if publisher.retryDue.map({ $0 > environment.uptime.now() }) ?? false { return nil }
    // Without the lock file another agent could take the cache. The agent creates a new one a little later: most likely
    // the cache is being deleted, and a new file now would make that fail.
    if let state, !state.isInPlace(in: root) {
      self.state = nil
      publisher.recordFailure(.outputsRemoved)
      return nil
    }
    if state == nil { acquireState() }
    return state
  }

  /// Retries to open the agent's own directory and take its lock.
  private func acquireState() {
    do throws(StateDirectory.Failure) {
      let state = try StateDirectory(root: root)
      self.state = state
      // An existing socket stays, so that a client that is asking now remains connected.
      if !listensInState || !isSocketInPlace { listen() }
      contents.adoptPreviousRuns(in: state, into: store, logger)
      contents.closeLastGoodOnceJudged()
      // The log has no record of what was read without it.
      contents.refillLog()
      publisher.mustCompare = true
    } catch {
      switch error {
      case .held(let holder, _):
        publisher.recordFailure(
          PublishError(
            .open, CacheLayout.state, .resourceTemporarilyUnavailable, explanation: "\(holder.another) holds it"))
      case .publish(let error): publisher.recordFailure(error)
      }
    }
  }
}

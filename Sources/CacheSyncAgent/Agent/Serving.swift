package import CacheSync
import CLinux
import Logging
import SystemPackage

/// What there is while a cache's directory is: from the news of its watcher to the publication.
package final class Serving {
  package let root: CacheRoot
  package let contents: CacheContents
  package let store: SnapshotStore
  package let publisher: Publisher
  package let watcher: CacheWatcher
  private let path: FilePath
  private let logger: Logger
  private let environment: CacheEnvironment
  private let host: CacheHost
  /// The agent's own directory with the lock; nil while the disk does not let us have it.
  private var state: StateDirectory?
  private var server: ControlServer?
  /// Whether the server's socket was made in the agent's own directory.
  private var listensInState = false
  private let writability = Writability()

  // Deadlines on the clock that counts waiting.
  private var sweepDue: Uptime
  private var pollDue: Uptime?
  private var saveDue: Uptime?
  private var restsUntil: Uptime?
  private var rescan = RescanBackoff()
  private var unreadable = UnreadableReport()

  private var waiters = Waiters()
  private var batchCount = 0
  private var rescanCount = 0

  /// Why a directory that was served is given up.
  enum Loss: CustomStringConvertible {
    /// The path does not lead to it any more.
    case directory
    /// Our own directory in it is gone, and with it the lock.
    case ownDirectory

    var description: String {
      switch self {
      case .directory: "the cache directory is gone"
      case .ownDirectory: "\(CacheLayout.state) was taken away"
      }
    }
  }

  static let sweepInterval = Duration.seconds(15 * 60)
  static let pollInterval = Duration.seconds(2)
  /// Last good versions may lag a publication by this (CONTRACT section 6).
  static let saveDelay = Duration.seconds(1)
  private static let saveRetry = Duration.seconds(10)
  private static let largeSave = 4 << 20
  /// Publications of one cache keep this distance (CONTRACT section 6).
  static let pace = Duration.milliseconds(10)

  /// Opens a cache's directory, takes the lock, watches and reads everything. Throws why it cannot.
  ///
  /// - Parameter isStart: whether what a cache that is served would live with is a reason not to begin.
  init(_ configuration: ServedCache.Configuration, pool: WorkerPool, isStart: Bool) throws(CacheError) {
    path = configuration.path
    environment = configuration.environment
    logger = configuration.logger
    host = configuration.host
    root = try CacheRoot(resolved: path)
    store = SnapshotStore(root: root, generation: configuration.generation, pool: pool)
    contents = CacheContents(root: root, environment: environment, pool: pool)
    watcher = CacheWatcher(layout: contents.layout, hasNews: host.hasNews)
    publisher = Publisher(contents: contents, store: store, logger: logger)
    sweepDue = environment.uptime.now().advanced(by: Self.sweepInterval)
    do throws(CacheError) {
      try begin(isStart: isStart)
    } catch {
      end()
      throw error
    }
  }

  private func begin(isStart: Bool) throws(CacheError) {
    do throws(StateDirectory.Failure) {
      state = try StateDirectory(root: root)
    } catch {
      switch error {
      case .heldByAnother:
        throw CacheError(
          "another agent holds \(EscapedText.forPeople(path.bytes)): stop it first, or use it",
          status: .temporaryFailure)
      case .publish(let error):
        if isStart { try refuse(error) }
        publisher.noteFailure(error)
      }
    }
    if isStart { try refuseForeignOutputs() }
    contents.loadSettings(isPatient: false)
    if isStart, let problem = contents.settingsFile.problem?.problem {
      throw CacheError(settings: problem, in: path)
    }
    listen()
    if let state { contents.adoptPreviousRuns(in: state, into: store, logger) }
    // What is known is what was published: the first publication goes on from there.
    contents.reconcile([.root], enter: { watcher.watch($0, $1) })
    contents.closeLastGoodOnceJudged()
    pollUnreadable()
    updatePolling()
    reportPolling()
  }

  /// At the start a directory of ours that is a link, or another user's, is refused (CONTRACT section 7); an agent that runs
  /// treats it as not writable. Anything else may end by itself.
  private func refuse(_ error: PublishError) throws(CacheError) {
    guard error.explanation != nil else { return }
    throw CacheError(error.description(in: path), status: error.status)
  }

  private func refuseForeignOutputs() throws(CacheError) {
    do throws(PublishError) {
      try OwnedDirectory.refuseForeign(CacheLayout.snapshots, in: root)
    } catch {
      try refuse(error)
    }
  }

  /// Opens the socket on which commands ask.
  private func listen() {
    stopListening()
    guard let socket = ControlSocket(root: root, state: state) else {
      return logger.warning(
        "cannot open the socket of \(EscapedText.forPeople(path.bytes)): status and wait find no agent there")
    }
    listensInState = state != nil
    let answer = host.answer
    server = ControlServer.begin(at: socket, answer: answer)
  }

  private var isSocketInPlace: Bool {
    (try? Directory.identity(of: CachePath("\(CacheLayout.state)/\(CacheLayout.socket)"), in: root.raw)) != nil
  }

  private func stopListening() {
    guard let server else { return }
    // Waited for, because the next socket may have the same name.
    AgentActor.performAndWait { server.stop() }
    self.server = nil
  }

  /// Lets go of everything; the published files stay.
  func end() {
    stopListening()
    watcher.stop()
  }

  package var report: CacheReport {
    CacheReport(
      isServing: true, generation: store.generation,
      nextBoundary: publisher.retryDue == nil ? publisher.nextBoundary : nil,
      nextDeadline: [
        sweepDue, pollDue, saveDue, rescan.due, contents.nextDeadline, publisher.retryDue,
        contents.needsReading ? environment.uptime.now() : nil,
      ].compactMap(\.self).min(),
      restsUntil: restsUntil)
  }

  // MARK: Taking in

  /// Takes in everything that has arrived or become due.
  ///
  /// - Returns: why the directory must be given up; nil when all is well.
  func ingest() -> Loss? {
    let now = environment.uptime.now()
    let news = watcher.claimNews()
    guard root.isInPlace else { return .directory }
    if news.stateIsGone { return .ownDirectory }
    if !news.isEmpty { batchCount += 1 }
    if news.overflow { rescan.overflowed(at: now) }
    ingest(news)
    handleDeadlines(at: now)
    watcher.reportOtherFiles(!contents.files.links.isEmpty)
    pollUnreadable()
    unreadable.report(contents, at: now, to: logger)
    if pollDue == nil, !watcher.polled.isEmpty {
      // A directory came that gets no watch, such as the first one over the limit.
      updatePolling()
      reportPolling()
    }
    return nil
  }

  private func ingest(_ news: CacheWatcher.News) {
    if news.settings { contents.loadSettings() }
    contents.reconcile(news.directories) { watcher.watch($0, $1) }
    if !news.goneDirectories.isEmpty || !news.movedDirectories.isEmpty {
      for path in contents.files.paths {
        if path.isBelow(anyOf: news.movedDirectories) {
          load(path, isPatient: false)
        } else if path.isBelow(anyOf: news.goneDirectories) {
          load(path)
        }
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
    if !news.isEmpty { for path in contents.files.links { load(path) } }
  }

  private func load(_ path: CachePath, isPatient: Bool = true) {
    guard case .session(let feed) = contents.layout.role(of: path) else { return }
    contents.loadAfterEvent(path, feed: feed, isPatientWithAbsence: isPatient)
  }

  private func handleDeadlines(at now: Uptime) {
    contents.lookAgain(at: now)
    if contents.needsReading || rescan.isDue(now) || sweepDue <= now { sweep() }
    if let due = pollDue, due <= now { poll() }
    if let due = saveDue, due <= now { save() }
  }

  /// Compares everything on disk with what is known, the published files too.
  private func sweep() {
    if rescan.isWaiting {
      rescanCount += 1
      logger.warning("the kernel dropped events; reading everything in \(EscapedText.forPeople(path.bytes)) again")
    }
    var found: Set<CachePath> = []
    contents.reconcileAll { path, directory in
      found.insert(path)
      watcher.watch(path, directory)
    }
    // The end of a directory may have been among events that the kernel dropped.
    watcher.forget(watcher.directories.subtracting(found).filter { !isDirectory($0) })
    _ = store.verify()
    publisher.mustCompare = true
    let now = environment.uptime.now()
    rescan.swept(at: now)
    sweepDue = now.advanced(by: Self.sweepInterval)
    updatePolling()
  }

  private func isDirectory(_ path: CachePath) -> Bool {
    (try? Directory.identity(of: path, in: root.raw))?.type == .directory
  }

  private func poll() {
    let polled = Set(watcher.polled.keys)
    var found: Set<CachePath> = []
    contents.reconcile(polled) { path, directory in
      found.insert(path)
      watcher.watch(path, directory)
    }
    // Nothing tells of the end of a directory that is not watched.
    watcher.forget(polled.subtracting(found).filter { !isDirectory($0) })
    contents.loadSettings()
    updatePolling()
  }

  private func updatePolling() {
    pollDue = watcher.polled.isEmpty ? nil : environment.uptime.now().advanced(by: Self.pollInterval)
  }

  private func reportPolling() {
    guard let (path, reason) = watcher.polled.min(by: { $0.key < $1.key }) else { return }
    let directory = EscapedText.forPeople(self.path.appending(bytes: path.bytes).bytes)
    logger.warning("polling \(directory) every 2 s: \(reason)")
  }

  /// Nothing tells of a directory that could not be listed when it can be.
  private func pollUnreadable() {
    for (path, note) in contents.unreadableDirectories { watcher.poll(path, because: note.problem.message) }
  }

  /// Reads everything again, because a person or a script asks.
  func sweepNow() {
    contents.loadSettings(isPatient: false)
    sweep()
  }

  /// Polls what is polled at once, because a person or a script asks.
  func pollNow() { if pollDue != nil { poll() } }

  // MARK: Publishing

  /// Publishes what is new.
  func publish() {
    guard let state = stateForPublishing() else { return }
    note(publisher.publish(state: state) != nil)
  }

  /// Makes what is new, for the caller to write and flush together with other caches' and then to ``commit(_:)``.
  func draft() -> PendingPublication? { stateForPublishing().flatMap { publisher.draft(state: $0) } }

  /// Publishes what was drafted, by itself.
  func publish(_ pending: PendingPublication) {
    note(publisher.publish(pending) != nil)
    settleWaiters()
  }

  /// Puts what was drafted, and is on disk now, in its place. The caller goes on to flush the directory, and says what came of
  /// it to ``noteFlush(failure:)``.
  func commit(_ pending: PendingPublication) -> Bool {
    let isCommitted = publisher.commit(pending)
    note(isCommitted)
    if !isCommitted { settleWaiters() }
    return isCommitted
  }

  /// The flush that many publications shared after their renames is done, or failed.
  func noteFlush(failure: PublishError?) {
    publisher.noteFlush(failure: failure)
    settleWaiters()
  }

  /// Writing in company failed: what had no room beside the others' is published by itself.
  func giveUp(_ pending: PendingPublication, because failure: PublishError) {
    pending.giveUp()
    publisher.giveUp(because: failure)
    if failure.isLackOfSpace { publish() }
    settleWaiters()
  }

  private func note(_ isPublished: Bool) {
    let now = environment.uptime.now()
    if isPublished { restsUntil = now.advanced(by: Self.pace) }
    if isPublished || contents.log?.hasPending == true { saveDue = saveDue ?? now.advanced(by: Self.saveDelay) }
  }

  /// The writer's directory, unless a failed publication is to rest for a while.
  private func stateForPublishing() -> StateDirectory? {
    if publisher.retryDue.map({ $0 > environment.uptime.now() }) ?? false { return nil }
    // Without the lock's file another agent could take the cache. It is taken again a little later: the cache is probably
    // being deleted, and a new lock would be in the way.
    if let state, !state.isInPlace(in: root) {
      self.state = nil
      publisher.noteFailure(.outputsRemoved)
      return nil
    }
    if state == nil { acquireState() }
    return state
  }

  /// The disk may let us have our own directory now.
  private func acquireState() {
    do throws(StateDirectory.Failure) {
      let state = try StateDirectory(root: root)
      self.state = state
      // A client that asks now stays connected while the socket is still there.
      if !listensInState || !isSocketInPlace { listen() }
      contents.adoptPreviousRuns(in: state, into: store, logger)
      contents.closeLastGoodOnceJudged()
      publisher.mustCompare = true
    } catch {
      switch error {
      case .heldByAnother:
        publisher.noteFailure(
          PublishError(.open, CacheLayout.state, .resourceTemporarilyUnavailable, explanation: "another agent holds it")
        )
      case .publish(let error): publisher.noteFailure(error)
      }
    }
  }

  /// Saves the last good versions; not into a cache that is being deleted, which would make `rm -r` fail.
  func save() {
    saveDue = nil
    guard let log = contents.log else { return }
    log.keep(generation: store.generation)
    guard log.hasPending else { return }
    let now = environment.uptime.now()
    guard root.isInPlace, let state, state.isInPlace(in: root), store.isManifestInPlace else {
      saveDue = now.advanced(by: Self.saveRetry)
      return
    }
    do throws(Errno) {
      // After a first start these may be most of what is resident.
      if try log.save() >= Self.largeSave { clinux_release_heap() }
      contents.logProblem = nil
      guard log.claimLoss() else { return }
      contents.reportLogLoss(
        "was changed by another program: every file is read again, to keep its last good version", logger)
      contents.refillLog()
    } catch {
      // Not what readers see; the next publication or the next try keeps it.
      logger.debug("cannot keep the last good versions: \(error)")
      saveDue = now.advanced(by: error == .noSuchFileOrDirectory ? Publisher.deletionPause : Self.saveRetry)
    }
  }

  // MARK: Asking

  func addWaiter(_ id: Int, reportsFailure: Bool, reply: @escaping @Sendable ([UInt8]) -> Void) {
    waiters.add(id, for: contents, reportsFailure: reportsFailure, reply: reply)
    settleWaiters()
  }

  /// The client that waited went away.
  package func cancelWaiter(_ id: Int) { waiters.cancel(id) }

  /// Replies to those whose files are all published, and as durable as was asked for.
  func settleWaiters() {
    if waiters.isEmpty { return }
    if let error = publisher.lastError { waiters.report(error) }
    // What the kernel dropped events of is not known before the rescan.
    guard state != nil, publisher.retryDue == nil, !rescan.isWaiting else { return }
    waiters.settle(in: contents, generation: store.generation)
  }

  /// What `status` tells, but for what must be looked for on the disk.
  package func status() -> CacheStatus {
    let moment = contents.moment(at: environment.clock.now())
    return CacheStatus(
      batches: batchCount, rescans: rescanCount, publications: publisher.publicationCount,
      rejected: contents.counters.rejected, retries: contents.counters.retries + publisher.retryCount,
      generation: store.generation, isHeard: isHearing(), polled: watcher.polled, watchCount: watcher.watchCount,
      nextBoundary: publisher.nextBoundary, problems: contents.allProblems(at: moment).map(CacheStatus.Note.init),
      failure: publisher.failure.map(CacheStatus.Note.init),
      removable: contents.feeds.all.flatMap { $0.removable(at: moment) }.sorted(),
      inspection: CacheStatus.Inspection(
        root: root, state: state, layout: contents.layout, writability: writability, clock: environment.clock))
  }

  /// Sends a change through the watched directory and listens for it: a touch of the agent's own directory, which its
  /// watched parent reports, and which costs no space.
  private func isHearing() -> Bool {
    guard let state, watcher.polled[.root] == nil else { return true }
    let before = watcher.heardTouches
    let deadline = environment.uptime.now().advanced(by: Self.hearingPatience)
    var overflows = InotifyWatcher.drainAndCountOverflows()
    // Under a storm the kernel may drop this event among others; it is heard as long as one of several arrives.
    while clinux_touch(state.raw) == 0 {
      let latest = InotifyWatcher.drainAndCountOverflows()
      if watcher.heardTouches > before { return true }
      guard latest > overflows, environment.uptime.now() < deadline else { return false }
      overflows = latest
    }
    return false
  }

  /// Within the 5 s that the asking command has.
  private static let hearingPatience = Duration.seconds(3)
}

import CLinux
package import Logging
package import SystemPackage

/// One cache while an agent serves it: from the news of its watcher to the publication, and through the times when its
/// directory is gone.
@AgentActor
package final class ServedCache {
  package let path: FilePath
  package let environment: CacheEnvironment
  package let logger: Logger

  /// What there is while the cache directory is.
  struct Attached {
    var root: CacheRoot
    var contents: CacheContents
    var watcher: CacheWatcher
    var store: SnapshotStore
    var publisher: Publisher
    /// The writer's own directory with the lock; nil while the disk does not let us have it.
    var state: StateDirectory?
    var server: ControlServer?
    /// Why nothing could be written when somebody last asked, since when, and how often it was asked.
    var obstacle: ProblemNote?
  }

  var attached: Attached?
  /// Why the cache is not served now; nil when it is.
  package private(set) var failure: CacheError?
  /// The greatest generation ever published here: it outlives the directory.
  package private(set) var generation: Int
  private var lostIdentity: FileIdentity?
  /// Whether it was refused at the start, for a reason that a cache which is served would live with; it is refused until
  /// that ends.
  private var wasRefused = false
  /// How much was left in a directory from which ours was taken; nil when nobody seems to be deleting it.
  private var countWhenLost: Int?
  private var returnWatcher: ReturnWatcher?

  // Deadlines on the clock that counts waiting.
  private var attachDue: Uptime?
  private var sweepDue: Uptime?
  private var pollDue: Uptime?
  private var saveDue: Uptime?
  private var aloneDue: Uptime?
  private var rescan = RescanBackoff()
  private var unreadable = UnreadableReport()

  var waiters: [Waiter] = []
  var counters = Counters()
  /// How many finished writes of session files were taken in.
  package private(set) var writeCount = 0
  private let isDirty: @AgentActor (ServedCache) -> Void
  let deadlineChanged: @AgentActor (ServedCache) -> Void
  /// The outputs whose directory a thread beside this one is flushing, and those that are to be flushed after it.
  private var flushing: OutputDirectory?
  private var flushingNext: OutputDirectory?

  struct Counters: Sendable {
    var batches = 0
    var rescans = 0
  }

  static let sweepInterval = Duration.seconds(15 * 60)
  static let pollInterval = Duration.seconds(2)
  /// Last good versions may lag a publication by this (CONTRACT section 6).
  static let saveDelay = Duration.seconds(1)
  private static let largeSave = 4 << 20
  static let attachInterval = Duration.seconds(2)
  /// How long a cache directory from which our own was taken is left alone: somebody is deleting it.
  static let deletionPause = Duration.milliseconds(500)

  /// - Parameters:
  ///   - generation: the greatest one that this process published at the path before.
  ///   - isDirty: called when ``process()`` has something to do.
  ///   - deadlineChanged: called when ``nextDeadline`` or ``nextBoundary`` may have changed by what this cache did of itself.
  package init(
    path: FilePath, environment: CacheEnvironment, logger: Logger, generation: Int = 0,
    isDirty: @escaping @AgentActor (ServedCache) -> Void, deadlineChanged: @escaping @AgentActor (ServedCache) -> Void
  ) {
    self.path = path
    self.environment = environment
    self.logger = logger
    self.generation = generation
    self.isDirty = isDirty
    self.deadlineChanged = deadlineChanged
  }

  // MARK: Attaching

  /// Opens the directory, takes the lock, watches, reads everything and publishes. Throws why it cannot; then
  /// ``process()`` tries again by itself.
  package func attach(isStart: Bool = false) throws(CacheError) {
    do throws(CacheError) {
      try attachNow(isStart: isStart || wasRefused)
      wasRefused = false
      if failure != nil { logger.notice("serving \(EscapedText.forPeople(path.bytes)) again") }
      failure = nil
      attachDue = nil
      returnWatcher = nil
    } catch {
      detach()
      if !isStart, failure?.description != error.description { logger.warning("\(error)") }
      failure = error
      if isStart { wasRefused = true }
      attachDue = Uptime.now().advanced(by: Self.attachInterval)
      awaitReturn()
      throw error
    }
  }

  private func attachNow(isStart: Bool) throws(CacheError) {
    let root = try CacheRoot(resolved: path)
    // One more cache would leave the others without descriptors to publish with.
    if DescriptorReserve.isTouched(by: root.raw) { throw CacheError(opening: path, .tooManyOpenFiles) }
    let store = SnapshotStore(root: root, generation: generation)
    let contents = CacheContents(root: root, environment: environment)
    let watcher = CacheWatcher(root: root, layout: contents.layout) { [weak self] in
      if let self { isDirty(self) }
    }
    let publisher = Publisher(contents: contents, store: store, logger: logger)
    var attached = Attached(
      root: root, contents: contents, watcher: watcher, store: store, publisher: publisher, state: nil)
    do throws(StateDirectory.Failure) {
      attached.state = try StateDirectory(root: root)
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
    if isStart { try refuseForeignOutputs(in: root) }
    contents.loadSettings(isPatient: false)
    if isStart, let problem = contents.problems[CacheLayout.settings]?.problem {
      throw CacheError(settings: problem, in: path)
    }
    attached.server = ControlServer(root: root, state: attached.state, cache: self)
    self.attached = attached
    if let state = attached.state { contents.takeOver(store, state, logger) }
    // What is known is what was published: the first publication goes on from there.
    contents.endLoading(after: { contents.reconcile([.root], enter: { watcher.enter($0, $1) }) })
    pollUnreadable(attached)
    let now = Uptime.now()
    sweepDue = now.advanced(by: Self.sweepInterval)
    pollDue = watcher.polled.isEmpty ? nil : now.advanced(by: Self.pollInterval)
    reportPolling()
  }

  /// At the start a directory of ours that is a link, or another user's, is refused (CONTRACT section 7); an agent that runs
  /// treats it as not writable. Anything else may end by itself.
  private func refuse(_ error: PublishError) throws(CacheError) {
    guard error.explanation != nil else { return }
    throw CacheError(error.description(in: path), status: error.status)
  }

  private func refuseForeignOutputs(in root: CacheRoot) throws(CacheError) {
    do throws(PublishError) {
      try OwnedDirectory.refuseForeign(CacheLayout.snapshots, in: root)
    } catch {
      try refuse(error)
    }
  }

  private func reportPolling() {
    guard let attached, let (path, reason) = attached.watcher.polled.min(by: { $0.key < $1.key }) else { return }
    let directory = EscapedText.forPeople(self.path.appending(bytes: path.bytes).bytes)
    logger.warning("polling \(directory) every 2 s: \(reason)")
  }

  /// Whether there is a directory to serve now.
  package var isAttached: Bool { attached != nil }

  /// Finishes what is under way, and lets go of everything.
  package func finish() {
    if let store = attached?.store, store.needsDirectoryFlush {
      // Whatever came of the flush beside this thread, this one is waited for.
      store.noteDirectoryFlush(through: store.generation, hasFailed: true)
      do throws(PublishError) {
        try store.flushWhatIsLeft()
      } catch {
        logger.error("\(error.description(in: path))")
      }
    }
    detach()
  }

  /// Lets go of everything; the published files stay.
  package func detach() {
    guard let attached else { return }
    saveLastGood()
    attached.server?.stop()
    attached.watcher.stop()
    generation = max(generation, attached.store.generation)
    self.attached = nil
    flushing = nil
    flushingNext = nil
    sweepDue = nil
    pollDue = nil
    saveDue = nil
    aloneDue = nil
    rescan = RescanBackoff()
  }

  /// The directory is not where it was, or is being deleted: it gets not one more byte from us.
  private func lose(because reason: String, pause: Duration? = nil) {
    guard let attached else { return }
    lostIdentity = attached.root.identity
    // What a directory that was only moved away holds stays as it is, so not even the last good versions are written.
    attached.contents.log = nil
    detach()
    logger.warning("\(reason); waiting for \(EscapedText.forPeople(path.bytes))")
    failure = CacheError(reason, status: .noInput)
    let now = Uptime.now()
    if let pause, isStillThere(lostIdentity) {
      attachDue = now.advanced(by: pause)
      countWhenLost = entryCount()
      awaitReturn()
    } else {
      attachDue = now
      try? attach()
    }
  }

  private func awaitReturn() {
    if returnWatcher != nil { return }
    returnWatcher = ReturnWatcher(for: path) { [weak self] in
      guard let self, attached == nil else { return }
      attachDue = Uptime.now()
      isDirty(self)
    }
    // It may have come between the last look and the watch.
    if failure?.status == .noInput, let root = try? CacheRoot(resolved: path),
      lostIdentity.map({ !root.identity.isSameFile(as: $0) }) ?? true
    {
      attachDue = Uptime.now()
    }
  }

  /// Whether the directory from which ours was taken grows emptier yet. Writing into it would make `rm -r` fail.
  private func isDeletionGoingOn() -> Bool {
    guard let before = countWhenLost else { return false }
    let count = isStillThere(lostIdentity) ? entryCount() : nil
    countWhenLost = count
    guard let count, count < before else {
      countWhenLost = nil
      return false
    }
    return true
  }

  private func entryCount() -> Int? {
    guard let root = try? CacheRoot(resolved: path) else { return nil }
    var count = 0
    DirectoryWalk(root: root, layout: FeedRegistry.layout).walk(
      from: .root, enter: { _, _ in count += 1 }, file: { _, _ in count += 1 }, failed: { _, _ in })
    return count
  }

  private func isStillThere(_ identity: FileIdentity?) -> Bool {
    guard let identity, let root = try? CacheRoot(resolved: path) else { return false }
    return root.identity.isSameFile(as: identity)
  }

  // MARK: Processing

  /// Takes in everything that has arrived or become due, and publishes once.
  package func process() {
    aloneDue = nil
    guard takeIn() else { return }
    publish()
    settleWaiters()
  }

  /// Whether a publication together with others was given up, and one without them is due.
  package var isDueAlone: Bool { aloneDue != nil }

  /// What had no room beside the others' may have it alone.
  package func publishAlone() {
    attached?.publisher.mustCompare = true
    aloneDue = Uptime.now()
  }

  /// Takes in everything that has arrived or become due; false when there is no directory to publish into.
  private func takeIn() -> Bool {
    let now = Uptime.now()
    guard let attached else {
      guard let due = attachDue, due <= now else { return false }
      if isDeletionGoingOn() {
        attachDue = now.advanced(by: Self.deletionPause)
        return false
      }
      try? attach()
      return self.attached != nil
    }
    let news = attached.watcher.takeNews()
    if news.rootMayBeLost || !attached.root.isInPlace {
      guard attached.root.isInPlace else {
        lose(because: "the cache directory is gone")
        return self.attached != nil
      }
    }
    if news.stateIsGone {
      lose(because: "\(CacheLayout.state) was taken away", pause: Self.deletionPause)
      return self.attached != nil
    }
    if !news.isEmpty { counters.batches += 1 }
    writeCount += news.writeCount
    take(news, attached)
    takeWhatIsDue(now, attached)
    attached.watcher.hearsOfOtherFiles = !attached.contents.links.isEmpty
    pollUnreadable(attached)
    unreadable.tell(of: attached.contents, at: now, to: logger)
    if pollDue == nil, !attached.watcher.polled.isEmpty {
      // A directory came that gets no watch, such as the first one over the limit.
      updatePolling(attached, now)
      reportPolling()
    }
    return true
  }

  /// The first half of ``process()``, for a batch of caches that share their flushes: everything is taken in, and what is
  /// new is made, for the caller to write.
  package func prepare() -> PendingPublication? {
    guard takeIn(), let state = stateForPublishing() else {
      settleWaiters()
      return nil
    }
    let pending = attached?.publisher.prepare(state: state)
    if pending == nil { published(nil) }
    return pending
  }

  /// The second half. The batch goes on to flush the directories.
  ///
  /// - Returns: whether all went to its place.
  package func finish(_ pending: PendingPublication) -> Bool {
    var publication = attached?.publisher.finish(pending)
    publication?.unflushed = nil
    published(publication)
    return publication != nil
  }

  /// The flush that a batch shared after its renames is done.
  package func noteSharedFlush() {
    guard let store = attached?.store else { return }
    store.noteDirectoryFlush(through: store.generation, hasFailed: false)
    settleWaiters()
  }

  /// Writing for a batch, or the flush that it shared, failed: what was prepared is given up and tried again; what is in its
  /// place already is flushed again.
  package func abandon(because error: PublishError, isPublished: Bool = false) {
    if isPublished, let store = attached?.store {
      store.noteDirectoryFlush(through: store.generation, hasFailed: true)
    }
    attached?.publisher.mustCompare = true
    attached?.publisher.noteFailure(error)
    settleWaiters()
  }

  package var durability: Durability { attached?.contents.durability ?? .rename }

  private func published(_ publication: SnapshotStore.Publication?) {
    if publication != nil || attached?.contents.log?.hasPending == true {
      saveDue = saveDue ?? Uptime.now().advanced(by: Self.saveDelay)
    }
    if let directory = publication?.unflushed { flush(directory) }
    settleWaiters()
  }

  /// Brings renames to the disk while the next batch is taken in. Readers see them already, and one flush may serve several
  /// publications; whoever waits is told when it is done.
  private func flush(_ directory: OutputDirectory) {
    guard flushing == nil, let generation = attached?.store.generation else {
      flushingNext = directory
      return
    }
    flushing = directory
    DiskWorkers.shared.begin { [weak self] in
      let error = directory.failureOfFlush()
      Task { @AgentActor in self?.flushed(directory, through: generation, error) }
    }
  }

  private func flushed(_ directory: OutputDirectory, through generation: Int, _ error: PublishError?) {
    // The cache may have been lost and found meanwhile.
    guard flushing === directory, let attached else { return }
    flushing = nil
    attached.store.noteDirectoryFlush(through: generation, hasFailed: error != nil)
    if let error {
      attached.publisher.mustCompare = true
      attached.publisher.noteFailure(error)
      deadlineChanged(self)
    }
    if let next = flushingNext {
      flushingNext = nil
      flush(next)
    }
    settleWaiters()
  }

  /// Nothing tells of a directory that could not be listed when it can be.
  private func pollUnreadable(_ attached: Attached) {
    for (path, note) in attached.contents.unreadableDirectories {
      attached.watcher.poll(path, because: note.problem.message)
    }
  }

  private func take(_ news: CacheWatcher.News, _ attached: Attached) {
    let contents = attached.contents
    if news.settings { contents.loadSettings() }
    if news.overflow { rescan.overflowed(at: Uptime.now()) }
    contents.reconcile(news.directories) { attached.watcher.enter($0, $1) }
    if !news.goneDirectories.isEmpty || !news.movedDirectories.isEmpty {
      for path in contents.files.keys {
        if path.isBelow(anyOf: news.movedDirectories) {
          load(path, contents, isPatient: false)
        } else if path.isBelow(anyOf: news.goneDirectories) {
          load(path, contents)
        }
      }
    }
    var written: [(path: CachePath, feed: FeedName)] = []
    for path in news.files {
      if news.movedFiles.contains(path) {
        load(path, contents, isPatient: false)
      } else if case .session(let feed) = contents.layout.role(of: path) {
        written.append((path, feed))
      }
    }
    contents.load(written, haveChanged: true)
    if !news.isEmpty { for path in contents.links { load(path, contents) } }
  }

  private func load(_ path: CachePath, _ contents: CacheContents, isPatient: Bool = true) {
    guard case .session(let feed) = contents.layout.role(of: path) else { return }
    contents.loadAfterEvent(path, feed: feed, isPatientWithAbsence: isPatient)
  }

  private func takeWhatIsDue(_ now: Uptime, _ attached: Attached) {
    attached.contents.lookAgain(at: now)
    if attached.contents.needsReading || rescan.isDue(now) || sweepDue.map({ $0 <= now }) ?? false {
      sweep(attached)
    }
    if let due = pollDue, due <= now { poll(attached) }
    if let due = saveDue, due <= now { saveLastGood() }
  }

  /// Compares everything on disk with what is known, the published files too.
  private func sweep(_ attached: Attached) {
    if rescan.isWaiting {
      counters.rescans += 1
      logger.warning("the kernel dropped events; reading everything in \(EscapedText.forPeople(path.bytes)) again")
    }
    var found: Set<CachePath> = []
    attached.contents.reconcileAll { path, directory in
      found.insert(path)
      attached.watcher.enter(path, directory)
    }
    attached.watcher.forgetWhatIsGone(butFor: found)
    _ = attached.store.verify()
    attached.publisher.mustCompare = true
    let now = Uptime.now()
    rescan.swept(at: now)
    sweepDue = now.advanced(by: Self.sweepInterval)
    updatePolling(attached, now)
  }

  private func poll(_ attached: Attached) {
    let polled = Set(attached.watcher.polled.keys)
    var found: Set<CachePath> = []
    attached.contents.reconcile(polled) { path, directory in
      found.insert(path)
      attached.watcher.enter(path, directory)
    }
    // Nobody tells of the end of a directory that nobody watches.
    attached.watcher.stopPolling(
      polled.subtracting(found).filter { (try? Directory.identity(of: $0, in: attached.root.raw))?.type != .directory })
    attached.contents.loadSettings()
    updatePolling(attached, Uptime.now())
  }

  private func updatePolling(_ attached: Attached, _ now: Uptime) {
    pollDue = attached.watcher.polled.isEmpty ? nil : now.advanced(by: Self.pollInterval)
  }

  /// Reads everything again, as `sync`, `wait --sweep` and SIGHUP ask for.
  package func sweepNow() {
    guard let attached else { return }
    attached.contents.loadSettings(isPatient: false)
    sweep(attached)
    process()
  }

  /// Polls what is polled at once, because somebody waits for it.
  package func pollNow() {
    if let attached, pollDue != nil { poll(attached) }
    process()
  }

  /// The zone data or the system's zone changed.
  package func zonesChanged() {
    attached?.contents.updateCalendar()
    process()
  }

  /// Somebody set the clock: everything that is published is compared with what the new time computes.
  package func clockChanged() {
    attached?.publisher.mustCompare = true
    process()
  }

  // MARK: Publishing

  private func publish() {
    guard let state = stateForPublishing(), let attached else { return }
    published(attached.publisher.publish(state: state))
  }

  /// The writer's directory, unless a failed publication is to rest for a while.
  private func stateForPublishing() -> StateDirectory? {
    guard let attached else { return nil }
    if attached.publisher.retryDue.map({ $0 > Uptime.now() }) ?? false { return nil }
    // Somebody removed the lock, so that another agent could take it.
    if let state = attached.state, !state.isInPlace(in: attached.root) { self.attached?.state = nil }
    if self.attached?.state == nil { acquireState() }
    return self.attached?.state
  }

  /// The disk may let us have our own directory now.
  private func acquireState() {
    guard let attached else { return }
    do throws(StateDirectory.Failure) {
      let state = try StateDirectory(root: attached.root)
      attached.server?.stop()
      self.attached?.state = state
      self.attached?.server = ControlServer(root: attached.root, state: state, cache: self)
      attached.contents.takeOver(attached.store, state, logger)
      attached.contents.endLoading(after: {})
      attached.publisher.mustCompare = true
    } catch {
      switch error {
      case .heldByAnother:
        attached.publisher.noteFailure(
          PublishError(.open, CacheLayout.state, .resourceTemporarilyUnavailable, explanation: "another agent holds it")
        )
      case .publish(let error): attached.publisher.noteFailure(error)
      }
    }
  }

  func saveLastGood() {
    saveDue = nil
    guard let attached, let log = attached.contents.log else { return }
    log.keep(generation: attached.store.generation)
    guard log.hasPending else { return }
    do throws(Errno) {
      // After a first start these may be most of what is resident.
      if try log.save() >= Self.largeSave { clinux_release_heap() }
      if log.takeLoss() {
        logger.warning(
          "another program changed \(attached.contents.nameOfLog); reading everything again to keep the last good versions"
        )
        attached.contents.keepAnew()
        isDirty(self)
      }
    } catch {
      // Not what readers see; the next publication or the next try keeps it.
      logger.debug("cannot keep the last good versions: \(error)")
      saveDue = Uptime.now().advanced(by: .seconds(10))
    }
  }

  // MARK: Deadlines

  /// When ``process()`` must be called though nothing happens.
  package var nextDeadline: Uptime? {
    var deadlines = [attachDue, sweepDue, pollDue, saveDue, aloneDue, rescan.due]
    if let attached { deadlines += [attached.contents.nextDeadline, attached.publisher.retryDue] }
    return deadlines.compactMap(\.self).min()
  }

  /// The next moment at which some kind changes by time alone.
  package var nextBoundary: Instant? {
    guard let attached, attached.publisher.retryDue == nil else { return nil }
    return attached.publisher.nextBoundary
  }
}

package import CacheSync
package import Logging

/// Computes what readers see and has it written: only the kinds that something reached, only the bytes that changed, and
/// again later when the disk says no.
package final class Publisher {
  private let contents: CacheContents
  private let store: SnapshotStore
  private let logger: Logger

  /// When each kind must be computed again though no file changes.
  private var nextChange: [KindName: Instant] = [:]
  private var dayEnds: Instant?
  /// Whether everything is to be computed and compared, whatever changed.
  package var mustCompare = true
  private var pendingFeeds: Set<FeedName> = []

  package private(set) var publicationCount = 0
  package private(set) var retryCount = 0
  /// Why nothing can be written now, since when, and how often it was tried.
  package private(set) var failure: ProblemNote?
  /// The error that ``failure`` tells of.
  package private(set) var lastError: PublishError?
  package private(set) var retryDue: Uptime?
  private var retryDelay = Duration.zero
  private var nextReminder: Uptime?

  static let firstRetry = Duration.seconds(1)
  static let longestRetry = Duration.seconds(10)
  /// How long outputs that were removed during a publication are left alone: the cache is probably being deleted.
  static let deletionPause = Duration.milliseconds(500)
  static let reminderInterval = Duration.seconds(3600)

  package init(contents: CacheContents, store: SnapshotStore, logger: Logger) {
    self.contents = contents
    self.store = store
    self.logger = logger
  }

  package var nextBoundary: Instant? { (nextChange.values + [dayEnds].compactMap(\.self)).min() }

  /// Publishes what has changed; nil when nothing was written.
  package func publish(state: StateDirectory) -> SnapshotStore.Publication? {
    draft(state: state).flatMap { publish($0) }
  }

  /// Publishes what was drafted, by itself; nil when that failed.
  package func publish(_ pending: PendingPublication) -> SnapshotStore.Publication? {
    attempt { () throws(PublishError) in
      try store.publish(pending, durability: contents.durability)
    }
  }

  /// Makes what has changed; the caller goes on with it, alone or together with other caches'.
  package func draft(state: StateDirectory) -> PendingPublication? {
    guard let due = documentsDue() else { return nil }
    do throws(PublishError) {
      if let pending = try store.draft(due.documents, at: due.instant, state: state) { return pending }
      succeeded()
    } catch {
      mustCompare = true
      noteFailure(error)
    }
    return nil
  }

  /// Puts what was drafted, and is on disk now, in its place; false when that failed.
  package func commit(_ pending: PendingPublication) -> Bool {
    attempt { () throws(PublishError) in
      try store.commit(pending)
      return SnapshotStore.Publication(pending)
    } != nil
  }

  /// Says what came of the flush that many publications shared after their renames.
  package func noteFlush(failure: PublishError?) {
    store.noteDirectoryFlush(hasFailed: failure != nil)
    if let failure { giveUp(because: failure) }
  }

  /// What was drafted was not written: it is made and tried again.
  package func giveUp(because failure: PublishError) {
    mustCompare = true
    if failure.isLackOfSpace { return }
    noteFailure(failure)
  }

  private func attempt(_ publish: () throws(PublishError) -> SnapshotStore.Publication) -> SnapshotStore.Publication? {
    do throws(PublishError) {
      let publication = try publish()
      succeeded()
      publicationCount += 1
      logger.debug("published generation \(publication.generation): \(publication.written.joined(separator: " "))")
      return publication
    } catch {
      mustCompare = true
      noteFailure(error)
      return nil
    }
  }

  /// What must be computed now, as of one reading of the clock; nil when nothing must.
  private func documentsDue() -> (documents: [(name: String, document: OutputDocument)], instant: Instant)? {
    let changes = contents.claimChanges()
    pendingFeeds.formUnion(changes.feeds)
    if changes.settings { mustCompare = true }
    // The clock is read once: everything in a publication is of one moment.
    let instant = contents.environment.clock.now()
    guard mustCompare || !pendingFeeds.isEmpty || store.mustWriteManifest || nextBoundary.map({ $0 <= instant }) ?? true
    else { return nil }
    return (documents(at: contents.moment(at: instant)), instant)
  }

  private func documents(at moment: Moment) -> [(name: String, document: OutputDocument)] {
    var documents: [(name: String, document: OutputDocument)] = []
    let projector = contents.projector
    for kind in projector.kinds where mustCompute(kind, at: moment.instant) {
      let snapshot = projector.snapshot(of: kind, at: moment)
      let changes = [snapshot.timeline.nextChange, projector.nextProblemChange(of: kind, after: moment.instant)]
      nextChange[kind.name] = changes.compactMap(\.self).min() ?? Instant.validRange.upperBound
      documents.append((kind.name.fileName, snapshot.encoded()))
    }
    if mustCompare || !pendingFeeds.isEmpty || dayEnds.map({ $0 <= moment.instant }) ?? true {
      documents.append((CacheLayout.dayIndex, projector.dayIndex(at: moment)))
      dayEnds = moment.calendar.interval(of: moment.day).upperBound
    }
    return documents
  }

  private func mustCompute(_ kind: Kind, at instant: Instant) -> Bool {
    guard !mustCompare, let due = nextChange[kind.name] else { return true }
    return due <= instant || kind.feeds.contains(where: pendingFeeds.contains)
  }

  private func succeeded() {
    mustCompare = false
    pendingFeeds = []
    retryDue = nil
    retryDelay = .zero
    nextReminder = nil
    guard let failure else { return }
    let cache = EscapedText.forPeople(contents.root.path.bytes)
    logger.notice("publishing in \(cache) works again, after \(failure.count) failed tries")
    self.failure = nil
    lastError = nil
  }

  /// Publishing failed: it is tried again after 1 s, doubling to 10 s. Told when it begins and once an hour.
  package func noteFailure(_ error: PublishError) {
    let now = contents.environment.uptime.now()
    if error == .outputsRemoved {
      retryDue = now.advanced(by: Self.deletionPause)
      return
    }
    retryDelay = retryDelay == .zero ? Self.firstRetry : min(retryDelay * 2, Self.longestRetry)
    retryDue = now.advanced(by: retryDelay)
    lastError = error
    let problem = Problem(path: nil, message: error.description)
    if let failure {
      failure.count += 1
      failure.problem = problem
      retryCount += 1
      guard let reminder = nextReminder, reminder <= now else { return }
    } else {
      failure = ProblemNote(problem, since: contents.environment.clock.now())
    }
    nextReminder = now.advanced(by: Self.reminderInterval)
    logger.error(
      "\(error.description(in: contents.root.path)); readers keep what they have, and it is tried again until it works")
  }

  /// Tries again at once, because somebody asks.
  package func retryNow() { if retryDue != nil { retryDue = contents.environment.uptime.now() } }
}

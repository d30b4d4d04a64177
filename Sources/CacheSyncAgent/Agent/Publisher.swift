package import CacheSync
package import CacheSyncSystem
package import Logging

/// Says what of one cache is to be published, and when to try again after a failure.
///
/// It computes only the kinds whose feeds changed or whose next change is due; the store drafts only the files whose bytes
/// changed.
package final class Publisher {
  private let contents: CacheContents
  private let store: SnapshotStore
  private let logger: Logger

  /// When each kind must be computed again even if no file changes.
  private var nextChange: [KindName: Instant] = [:]
  private var dayEnds: Instant?
  /// Whether the next pass computes every kind and compares it with what is published.
  package var mustCompare = true
  private var pendingFeeds: Set<FeedName> = []

  package private(set) var publicationCount = 0
  /// How long the publications took, from what caused each to the rename of its manifest.
  package private(set) var durations = PublicationDurations()
  /// When the first of what the next publication takes in was heard or became due; nil when nothing waits.
  private var causedAt: Uptime?
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
  /// How long the publisher waits after its outputs were removed during a publication: the cache is probably being deleted.
  static let deletionPause = Duration.milliseconds(500)
  static let reminderInterval = Duration.seconds(3600)

  package init(contents: CacheContents, store: SnapshotStore, logger: Logger) {
    self.contents = contents
    self.store = store
    self.logger = logger
  }

  package var nextBoundary: Instant? { (nextChange.values + [dayEnds].compactMap(\.self)).min() }

  /// Records when something was heard or became due that the next publication takes in.
  ///
  /// It counts until everything is published, through failures too. What turns out to change nothing does not count.
  package func noteCause(at moment: Uptime) { causedAt = min(causedAt ?? moment, moment) }

  /// Computes and drafts what has changed; nil when nothing has.
  package func draft(state: StateDirectory) -> Publication? {
    guard let due = documentsDue() else {
      causedAt = nil
      return nil
    }
    do throws(PublishError) {
      if let publication = try store.draft(
        due.documents, at: due.instant, durability: contents.durability, state: state)
      {
        return publication
      }
      succeeded()
    } catch {
      failed(error)
    }
    return nil
  }

  /// Records how a publication ended.
  package func record(_ publication: Publication) {
    if let failure = publication.failure { return failed(failure) }
    if let causedAt, let end = publication.manifestRenamedAt { durations.add(from: causedAt, to: end) }
    succeeded()
    publicationCount += 1
    logger.debug("published generation \(publication.generation): \(publication.written.joined(separator: " "))")
  }

  private func failed(_ error: PublishError) {
    // What was drafted is computed again: it may not be what is published.
    mustCompare = true
    noteFailure(error)
  }

  /// Computes the documents that may have changed; nil when none may.
  private func documentsDue() -> (documents: [(name: String, document: OutputDocument)], instant: Instant)? {
    let changes = contents.claimChanges()
    pendingFeeds.formUnion(changes.feeds)
    if changes.settings { mustCompare = true }
    // Read once: everything in a publication is of one moment.
    let instant = contents.environment.clock.now()
    guard
      mustCompare || !pendingFeeds.isEmpty || store.mustWriteManifest
        || nextBoundary.map({ $0 <= instant }) ?? true
    else { return nil }
    return (documents(at: contents.moment(at: instant)), instant)
  }

  private func documents(at moment: Moment) -> [(name: String, document: OutputDocument)] {
    var documents: [(name: String, document: OutputDocument)] = []
    if mustCompare { contents.forgetDeletedOutputs(in: store) }
    defer { for feed in contents.feeds.all { feed.forgetComputed() } }
    let projector = contents.projector
    for kind in projector.kinds + projector.retired where mustCompute(kind, at: moment.instant) {
      let snapshot = projector.snapshot(of: kind, at: moment)
      let changes = [snapshot.timeline.nextChange, projector.nextProblemChange(of: kind, after: moment.instant)]
      nextChange[kind.name] = changes.compactMap(\.self).min() ?? Instant.validRange.upperBound
      documents.append((kind.name.fileName, snapshot.encoded()))
    }
    if mustCompare || !pendingFeeds.isEmpty || dayEnds.map({ $0 <= moment.instant }) ?? true {
      documents.append((CacheLayout.dayIndex, projector.dayIndex(at: moment)))
      dayEnds = moment.calendar.interval(of: moment.day).upperBound
      contents.recordStandingProblems(at: moment)
    }
    return documents
  }

  private func mustCompute(_ kind: Kind, at instant: Instant) -> Bool {
    guard !mustCompare, let due = nextChange[kind.name] else { return true }
    return due <= instant || kind.feeds.contains(where: pendingFeeds.contains)
  }

  private func succeeded() {
    mustCompare = false
    causedAt = nil
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

  /// Records a failure, and retries after 1 s, doubling to 10 s. Logs the first failure, and then one an hour.
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
      "\(error.description(in: contents.root.path)); existing snapshots are intact, and the agent retries until it works"
    )
  }

  /// Makes a retry due at once, because a command asks for it.
  package func retryNow() { if retryDue != nil { retryDue = contents.environment.uptime.now() } }
}

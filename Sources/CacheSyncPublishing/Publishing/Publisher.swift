package import CacheSync
package import CacheSyncSystem
package import Logging

/// Decides what one cache has to publish, and when to retry after a failure.
///
/// It computes only the kinds whose feeds changed or whose next change is due. The store drafts only the files whose
/// bytes changed.
package final class Publisher {
  private let contents: CacheContents
  private let store: SnapshotStore
  private let logger: Logger
  private let reports: RecurringReport

  /// When each kind must be computed again even if no file changes.
  private var nextChange: [KindName: Instant] = [:]
  private var dayEnds: Instant?
  /// The kinds whose entry in force is stale by its age.
  private var old: Set<KindName> = []
  /// Whether the next pass computes every kind and compares it with the published files.
  package var mustCompare = true
  private var pendingFeeds: Set<FeedName> = []

  package private(set) var publicationCount = 0
  /// How long the publications took, from the cause of each to the rename of its manifest.
  package private(set) var durations = PublicationDurations()
  /// When the earliest cause of the next publication arrived or became due; nil when nothing is pending.
  private var causedAt: Uptime?
  package private(set) var retryCount = 0
  /// Why publishing fails, since when, and how often it was tried; nil when it works.
  package private(set) var failure: ProblemNote?
  /// The error behind ``failure``.
  package private(set) var lastError: PublishError?
  package private(set) var retryDue: Uptime?
  private var retries = Backoff(from: .seconds(1), to: .seconds(10))

  /// How long the publisher waits after its outputs were removed during a publication: the cache is probably being
  /// deleted.
  package static let deletionPause = Duration.milliseconds(500)

  /// - Parameter reports: what reports that publishing fails and works again; nil for a report of its own.
  package init(contents: CacheContents, store: SnapshotStore, logger: Logger, reports: RecurringReport? = nil) {
    self.contents = contents
    self.store = store
    self.logger = logger
    self.reports = reports ?? RecurringReport(logger, uptime: contents.environment.uptime)
  }

  /// The feeds of which something is shown that is stale by its age, sorted.
  package var staleFeeds: [FeedName] {
    Set(contents.registry.kinds.filter { old.contains($0.name) }.compactMap(\.presentWith.first)).sorted()
  }

  package var nextBoundary: Instant? { (nextChange.values + [dayEnds].compactMap(\.self)).min() }

  /// Records when a cause of the next publication arrived or became due.
  ///
  /// The earliest cause remains until everything is published, even if publishing fails meanwhile. A cause that changes
  /// nothing is discarded.
  package func recordCause(at moment: Uptime) { causedAt = min(causedAt ?? moment, moment) }

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
    if let note = publication.note(in: contents.root.path) { logger.warning("\(note)") }
    if let failure = publication.failure { return failed(failure) }
    if let causedAt, let end = publication.manifestRenamedAt { durations.add(from: causedAt, to: end) }
    succeeded()
    publicationCount += 1
    logger.debug("published generation \(publication.generation): \(publication.written.joined(separator: " "))")
  }

  private func failed(_ error: PublishError) {
    // The next pass computes the drafted documents again, because they may not have been published.
    mustCompare = true
    recordFailure(error)
  }

  /// Computes the documents that may have changed; nil when none may have.
  private func documentsDue() -> (documents: [(name: String, document: OutputDocument)], instant: Instant)? {
    let changes = contents.claimChanges()
    pendingFeeds.formUnion(changes.feeds)
    if changes.settings { mustCompare = true }
    // Read once, so that everything in a publication is of the same moment.
    let instant = contents.environment.clock.now()
    guard
      mustCompare || !pendingFeeds.isEmpty || store.mustWriteManifest
        || nextBoundary.map({ $0 <= instant }) ?? true
    else { return nil }
    return (compute(at: contents.moment(at: instant)), instant)
  }

  /// Computes the documents that may have changed at a moment, and when each may change next. The first call returns every
  /// document.
  func compute(at moment: Moment) -> [(name: String, document: OutputDocument)] {
    var documents: [(name: String, document: OutputDocument)] = []
    if mustCompare { contents.removeDeletedOutputs(in: store) }
    defer { contents.feeds.removeComputed() }
    let projector = contents.projector
    for kind in projector.kinds + projector.retired where mustCompute(kind, at: moment.instant) {
      let snapshot = projector.snapshot(of: kind, at: moment)
      let changes = [snapshot.timeline.nextChange, projector.nextProblemChange(of: kind, after: moment.instant)]
      nextChange[kind.name] = changes.compactMap(\.self).min() ?? Instant.validRange.upperBound
      if snapshot.timeline.isOld { old.insert(kind.name) } else { old.remove(kind.name) }
      documents.append((kind.name.fileName, snapshot.encoded()))
    }
    if mustCompare || !pendingFeeds.isEmpty || dayEnds.map({ $0 <= moment.instant }) ?? true {
      documents.append((CacheLayout.dayIndex, projector.dayIndex(at: moment)))
      dayEnds = moment.calendar.interval(of: moment.day).upperBound
      contents.recordCurrentProblems(at: moment)
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
    retries.reset()
    guard let failure else { return }
    let cache = EscapedText.forPeople(contents.root.path.bytes)
    reports.end(Self.subject, "publishing in \(cache) works again, after \(failure.count) failed tries")
    self.failure = nil
    lastError = nil
  }

  /// Records a failure, and schedules a retry after 1 s, doubling up to 10 s.
  package func recordFailure(_ error: PublishError) {
    let now = contents.environment.uptime.now()
    if error == .outputsRemoved {
      retryDue = now.advanced(by: Self.deletionPause)
      return
    }
    retryDue = now.advanced(by: retries.next())
    lastError = error
    let problem = Problem(path: nil, message: error.message(in: contents.root.path))
    if let failure {
      failure.count += 1
      failure.problem = problem
      retryCount += 1
    } else {
      failure = ProblemNote(problem, since: contents.environment.clock.now())
    }
    reports.begin(
      Self.subject, at: .error, isRepeated: true,
      error.description(
        in: contents.root.path, note: "; existing snapshots are intact, and the agent retries until it works"))
  }

  private static let subject = "publishing"

  /// Makes a pending retry due at once, because a command requires it.
  package func retryNow() { if retryDue != nil { retryDue = contents.environment.uptime.now() } }
}

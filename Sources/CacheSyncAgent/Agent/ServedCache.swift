package import CacheSync
package import CacheSyncPublishing
package import CacheSyncSystem
package import Logging
package import SystemPackage

/// Serves one cache while its directory exists, and waits for the directory while it is missing.
///
/// Used only on the thread of the cache's disk.
package final class ServedCache {
  /// What the agent provides when it creates a cache.
  package struct Configuration: Sendable {
    package var path: FilePath
    package var environment: CacheEnvironment
    package var logger: Logger
    package var host: CacheHost
    /// The greatest generation that this process has published at the path.
    package var generation = 0
    /// Whether the cache is in a directory of caches; the agent reports each one that disappears from there.
    package var isInCollection = false
    /// Whether readers have seen another directory at the cache's path, until this one is open. Its outputs are then
    /// written again, with a generation greater than theirs and that of the other directory.
    package var isReplacement = false
    /// Whether a line about a file names the cache, because the agent serves several.
    package var isOneOfSeveral = false
  }

  private enum Phase {
    case waiting(Absence)
    case open(OpenCache)
  }

  /// Why a cache is not served, and when to look again.
  private struct Absence {
    /// Nil before the first attempt.
    var reason: CacheError?
    var retryDue: Uptime
    /// Until when the agent leaves the directory alone: `.cachesync` was removed from it, so it is probably being
    /// deleted.
    var pausedUntil: Uptime?
    /// The directory that the agent leaves alone. The agent serves another directory in its place at once. It stays
    /// open, because a new directory could get its inode otherwise.
    var lost: CacheRoot?
    /// Whether the agent refused the cache at the start, for a reason that it tolerates in a cache that it already
    /// serves. It keeps refusing the cache until that reason ends.
    var wasRefused = false
    /// Why the cache cannot be served, found only after the start had waited for a `sync` to release it.
    var refusal: CacheError?

    var isHeldBySync: Bool { reason?.isHeldBySync ?? false }
  }

  private var configuration: Configuration
  private let pool: WorkerPool
  /// What reports that the directory comes and goes.
  private let reports: RecurringReport
  /// What reports that something in it comes and goes.
  private let openReports: RecurringReport
  /// What reports the files that are refused.
  private let refusals: RecurringReport
  private var phase: Phase

  private static let retryInterval = Duration.seconds(2)
  /// How long it may take until the agent notices the end of a `sync`.
  private static let syncRetryInterval = Duration.milliseconds(200)
  /// Each try asks a holder that reaches the files by another road.
  private static let questionInterval = Duration.seconds(60)

  private static func retryInterval(after error: CacheError) -> Duration {
    if error.isHeldElsewhere { return questionInterval }
    return error.isHeldBySync ? syncRetryInterval : retryInterval
  }

  /// How long the agent leaves a directory alone after `.cachesync` was removed from it: deleting the rest takes a
  /// moment.
  private static let deletionPause = Duration.seconds(2)

  /// Opens nothing yet; ``attach(isStart:)`` or a pass does.
  package init(_ configuration: Configuration, pool: WorkerPool) {
    self.configuration = configuration
    self.pool = pool
    reports = RecurringReport(configuration.logger, uptime: configuration.environment.uptime)
    openReports = RecurringReport(configuration.logger, uptime: configuration.environment.uptime)
    refusals = RecurringReport(configuration.logger, uptime: configuration.environment.uptime, every: .minute)
    phase = .waiting(Absence(retryDue: configuration.environment.uptime.now()))
  }

  private var path: FilePath { configuration.path }
  private var logger: Logger { configuration.logger }
  private var now: Uptime { configuration.environment.uptime.now() }

  /// Nil while the cache is not served.
  package var open: OpenCache? {
    if case .open(let cache) = phase { cache } else { nil }
  }

  package var report: CacheReport {
    switch phase {
    case .waiting(let absence):
      CacheReport(
        generation: configuration.generation,
        nextDeadline: absence.pausedUntil.map { max($0, absence.retryDue) } ?? absence.retryDue,
        isHeldBySync: absence.isHeldBySync, refusal: absence.refusal)
    case .open(let cache): cache.report
    }
  }

  // MARK: Coming and going

  /// Opens the directory, takes the lock, watches and reads everything. Throws the reason when that fails; the passes
  /// then retry.
  package func attach(isStart: Bool = false) throws(CacheError) {
    guard case .waiting(let absence) = phase else { return }
    do throws(CacheError) {
      guard configuration.host.budget.claim() else { throw CacheError(opening: path, .tooManyOpenFiles) }
      let cache: OpenCache
      do throws(CacheError) {
        cache = try open(isStart: isStart || absence.wasRefused)
      } catch {
        configuration.host.budget.release()
        throw error
      }
      phase = .open(cache)
      configuration.isReplacement = false
      reportReturn(from: absence, to: cache.root)
    } catch {
      let isRefusal = absence.isHeldBySync && absence.wasRefused && !error.isHeldBySync
      log(error, after: absence, isStart: isStart || isRefusal)
      phase = .waiting(
        Absence(
          reason: error, retryDue: now.advanced(by: Self.retryInterval(after: error)),
          wasRefused: isStart || absence.wasRefused, refusal: isRefusal ? error : nil))
      throw error
    }
  }

  /// Opens the directory that is at the path now.
  private func open(isStart: Bool) throws(CacheError) -> OpenCache {
    do throws(CacheError) {
      return try OpenCache(configuration, pool: pool, reports: openReports, refusals: refusals, isStart: isStart)
    } catch {
      // No event reports a directory that has taken the path meanwhile.
      guard error.isReplaced else { throw error }
      return try OpenCache(configuration, pool: pool, reports: openReports, refusals: refusals, isStart: isStart)
    }
  }

  /// Logs once why a cache is not served. The start reports its errors itself.
  private func log(_ error: CacheError, after absence: Absence, isStart: Bool) {
    if absence.reason?.description == error.description || isGone(error) { return }
    if error.isHeldBySync {
      logger.notice("waiting for the sync that holds \(EscapedText.forPeople(path.bytes)) to end")
    } else if !isStart {
      reports.begin(Self.absence + error.description, error.description)
    }
  }

  /// Whether an error means that a cache disappeared from its directory of caches. The agent reports that once,
  /// whatever the reason.
  private func isGone(_ error: CacheError) -> Bool {
    configuration.isInCollection
      && [Errno.noSuchFileOrDirectory, .notDirectory].contains {
        error.description == CacheError(opening: path, $0).description
      }
  }

  private func reportReturn(from absence: Absence, to root: CacheRoot) {
    let name = EscapedText.forPeople(path.bytes)
    let reported = reports.standing(Self.absence)
    defer { for subject in reported { reports.end(subject, isSilent: true, "serving \(name) again") } }
    // The agent reports the end of a `sync` itself.
    guard let reason = absence.reason, !reason.isHeldBySync else { return }
    if configuration.isInCollection, let lost = absence.lost {
      let isSame = root.isSame(as: lost)
      reports.happen(
        "return", isSame ? "serving \(name) again: \(reason)" : "serving another directory at \(name) now")
    } else if let first = reported.first {
      reports.end(first, "serving \(name) again")
    } else {
      reports.happen("return", "serving \(name) again")
    }
  }

  private static let absence = "absence "

  /// Saves the last good versions and closes the directory; the published files stay.
  package func shutDown() {
    open?.save(waits: true)
    open?.state?.leave()
    detach(because: CacheError("the agent ends", status: .noInput))
  }

  private func detach(because reason: CacheError, pausedUntil: Uptime? = nil, retryDue: Uptime? = nil) {
    guard case .open(let cache) = phase else { return }
    cache.end()
    configuration.generation = max(configuration.generation, cache.store.generation)
    configuration.host.budget.release()
    phase = .waiting(
      Absence(reason: reason, retryDue: retryDue ?? now, pausedUntil: pausedUntil, lost: cache.root))
  }

  /// Stops serving a directory that was moved away or is being deleted.
  ///
  /// The agent writes nothing more to it, not even the last good versions, so that a directory that was only moved
  /// stays unchanged.
  private func handle(_ loss: OpenCache.Loss) {
    switch loss {
    case .taken(let error):
      reports.begin(Self.absence + error.description, error.description)
      detach(because: error, retryDue: now.advanced(by: Self.retryInterval))
    case .directory:
      reportLoss(loss)
      detach(because: CacheError(loss.description, status: .noInput))
      try? attach()
    case .ownDirectory:
      reportLoss(loss)
      detach(
        because: CacheError(loss.description, status: .noInput), pausedUntil: now.advanced(by: Self.deletionPause))
    }
  }

  /// In a directory of caches, the agent learns only later whether the cache disappeared or was replaced.
  private func reportLoss(_ loss: OpenCache.Loss) {
    if configuration.isInCollection { return }
    reports.begin(
      Self.absence + loss.description, "\(loss.description); waiting for \(EscapedText.forPeople(path.bytes))")
  }

  private func isStillThere(_ lost: CacheRoot?) -> Bool { lost?.isInPlace ?? false }

  // MARK: Passes

  /// Makes one pass: reads everything that has arrived or is due, and publishes once.
  ///
  /// - Parameter requestedAt: when the agent requested it; nil means now.
  package func process(requestedAt: Uptime? = nil) {
    if let cache = ingest(requestedAt: requestedAt) { OpenCache.publish([cache], with: pool) }
  }

  /// Reads everything that has arrived or is due; nil when there is no directory to publish into.
  ///
  /// - Parameter requestedAt: when the agent requested it; nil means now.
  package func ingest(requestedAt: Uptime? = nil) -> OpenCache? {
    reports.remind()
    openReports.remind()
    refusals.remind()
    switch phase {
    case .waiting(let absence):
      if let end = absence.pausedUntil, now < end, isStillThere(absence.lost) { return nil }
      try? attach()
    case .open(let cache):
      if let loss = cache.ingest(requestedAt: requestedAt) { handle(loss) }
    }
    return open
  }

  /// Reads everything again and publishes at once, even after a failed attempt, as SIGHUP requires.
  package func sweep() {
    open?.publisher.recordCause(at: now)
    open?.publisher.retryNow()
    open?.sweepNow()
    process()
  }

  /// Applies changed zone data, or a changed system time zone.
  package func updateZones() {
    open?.contents.updateZones()
    process()
  }

  /// Compares everything published with what the new time computes, after the clock was set.
  package func compareEverything() {
    open?.publisher.mustCompare = true
    process()
  }

  /// Replies with the generation once everything that was written before is published.
  ///
  /// - Parameter reportsFailure: whether to reply with the reason if publishing fails. Otherwise the reply waits until
  ///   publishing works again.
  package func wait(
    _ id: Int, sweeping: Bool, reportsFailure: Bool, reply: @escaping @Sendable ([UInt8]) -> Void
  ) {
    open?.publisher.recordCause(at: now)
    open?.publisher.retryNow()
    if sweeping { open?.sweepNow() } else { open?.lookNow() }
    process()
    open?.addWaiter(id, reportsFailure: reportsFailure, reply: reply)
  }
}

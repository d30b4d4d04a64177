import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Synchronization
import SystemPackage

// How the agent answers the commands `status`, `wait` and `sync`.

extension CacheAgent {
  /// How long the agent waits for a disk before it answers `status` without it. The command waits for 5 s.
  private static let patience = Duration.seconds(2)

  func answer(_ request: ControlRequest, of key: CachePath, on connection: ControlConnection) {
    guard let entry = caches[key] else { return connection.close() }
    // The kernel queues an event before the write that caused it returns, so the queue has the events of all earlier
    // writes.
    InotifyWatcher.shared.drain()
    switch request {
    case .status: answerStatus(of: key, entry.queue, on: connection)
    case .wait: wait(for: key, on: connection, sweeping: false, reportsFailure: false)
    case .sweep: wait(for: key, on: connection, sweeping: true, reportsFailure: false)
    case .sync: wait(for: key, on: connection, sweeping: true, reportsFailure: true)
    }
  }

  private func wait(for key: CachePath, on connection: ControlConnection, sweeping: Bool, reportsFailure: Bool) {
    let begin: @LoopActor @Sendable () -> Void = { [weak self] in
      guard let queue = self?.caches[key]?.queue else { return connection.close() }
      self?.wait(for: key, queue, on: connection, sweeping: sweeping, reportsFailure: reportsFailure)
    }
    if let definitions { definitions.afterReading(begin) } else { begin() }
  }

  private func wait(
    for key: CachePath, _ queue: DiskQueue, on connection: ControlConnection, sweeping: Bool, reportsFailure: Bool
  ) {
    waiterCount += 1
    let id = waiterCount
    queue.run { disk in
      disk.reports(of: [key]) { cache in
        cache.wait(id, sweeping: sweeping, reportsFailure: reportsFailure) { [weak connection] answer in
          LoopActor.perform { connection?.send(answer) }
        }
      }
    }
    connection.onEnd { [weak self] in
      let queue = self?.caches[key]?.queue ?? queue
      queue.disk.perform { $0.cache(at: key)?.open?.cancelWaiter(id) }
    }
  }

  /// A `status` request in progress, with the part of the answer that is known so far.
  @LoopActor
  private final class StatusQuestion {
    /// The whole answer except the unclaimed and ignored files.
    var known: CacheStatus?
    /// Whether the client was answered or disconnected, so that the search for files can be skipped.
    nonisolated let isOver = Atomic(false)
  }

  func answerStatus(of key: CachePath, _ queue: DiskQueue, on connection: ControlConnection) {
    guard let report = caches[key]?.report else { return connection.close() }
    let directory = FilePath(bytes: key.bytes)
    // One request to a disk that does not respond is enough: more would only queue behind it.
    if let since = caches[key]?.silentSince {
      return send(CacheStatus(of: directory, silentSince: since, report: report), on: connection)
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
      recordSilence(of: key, since: since)
      send(CacheStatus(of: directory, silentSince: since, report: report), on: connection)
    }
    queue.run { [weak self] disk in
      let status = disk.cache(at: key)?.open?.status()
      let walks = disk.walks
      disk.trials.async {
        let known = status?.withWritability()
        LoopActor.perform {
          self?.recordSilence(of: key, since: nil)
          question.known = known
        }
        walks.async {
          guard !question.isOver.load(ordering: .relaxed), let whole = known?.withLeftFiles() else { return }
          LoopActor.perform { self?.send(whole, on: connection) }
        }
      }
      return [:]
    }
  }

  /// Records since when a cache's disk has not responded; nil when it responds.
  private func recordSilence(of key: CachePath, since: Instant?) {
    if caches[key]?.silentSince == since { return }
    caches[key]?.silentSince = since
    reportServing()
  }

  /// Runs a closure after a delay if the connection is still open, to answer with what is known by then.
  func answer(on connection: ControlConnection, after delay: Duration, _ body: @escaping @LoopActor () -> Void) {
    let alarm = Alarms.shared.set(after: delay) { if connection.isOpen { body() } }
    connection.onEnd { Alarms.shared.cancel(alarm) }
  }

  func send(_ status: CacheStatus, on connection: ControlConnection) {
    let shared = InotifyWatcher.shared
    connection.send(
      status.encoded(
        ProcessTotals(
          events: shared.eventCount, overflows: shared.overflowCount, startedAt: startedAt,
          zoneWarning: configuration.environment.zoneWarning)))
  }
}

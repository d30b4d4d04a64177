import CacheSync
import CacheSyncPublishing
import CacheSyncSystem

/// The definitions for all caches, `--feeds DIR` (definitions.md section 1).
///
/// It reads them again when they may have changed, on the thread of their disk, and then has every cache adopt them. A
/// bad or missing file counts after ``CacheContents/stillness``, as a session file does.
@LoopActor
final class DefinitionCollection {
  private let shared: SharedDefinitions
  /// The queue of the directory's disk; nil when the process has no thread or descriptor left for it.
  private let queue: @LoopActor () -> DiskQueue?
  /// Called after each reading; has every cache adopt the definitions.
  private let wasRead: @LoopActor () -> Void
  private var watcher: DefinitionsWatcher?
  /// When a bad or missing file counts.
  private var alarm: Int?
  /// The bad and missing files that do not count yet.
  private var unsettled: [CachePath: FileIdentity?] = [:]
  /// The closures to run once a bad or missing file has counted, or a later change has restarted the wait.
  private var waiting: [@LoopActor () -> Void] = []

  init(
    _ shared: SharedDefinitions, queue: @escaping @LoopActor () -> DiskQueue?,
    wasRead: @escaping @LoopActor () -> Void
  ) {
    self.shared = shared
    self.queue = queue
    self.wasRead = wasRead
    watcher = DefinitionsWatcher(shared.directory) { [weak self] in self?.look() }
    // The definitions may have changed since the first reading.
    look()
    lookWithSweeps()
  }

  /// Reads the directory as often as a cache is swept by default, to find writes that cause no event.
  private func lookWithSweeps() {
    Alarms.shared.set(after: CacheSettings.defaultSweep) { [weak self] in
      self?.watcher?.lookAgain()
      self?.lookWithSweeps()
    }
  }

  /// Reads the definitions again, and has every cache adopt them.
  ///
  /// - Parameter isPatient: whether a bad or missing file counts only after a wait.
  private func look(isPatient: Bool = true) {
    let shared = shared
    queue()?.run { _ in
      let unsettled = shared.read(isPatient: isPatient)
      LoopActor.perform { self.adopt(andWaitFor: unsettled) }
      return [:]
    }
  }

  private func adopt(andWaitFor unsettled: [CachePath: FileIdentity?]) {
    wasRead()
    // A reading that finds the same bad files may have had another reason, such as dropped events: it ends no wait.
    let isSameWait = !unsettled.isEmpty && unsettled == self.unsettled
    if alarm != nil, isSameWait { return }
    // The wait starts again with the latest change, as for a session file.
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
    self.unsettled = unsettled
    if !unsettled.isEmpty {
      alarm = Alarms.shared.set(after: CacheContents.stillness) { [weak self] in
        self?.alarm = nil
        self?.look(isPatient: false)
      }
    }
    if isSameWait { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Runs a closure once the caches have all definitions that were written before, including bad ones.
  func afterReading(_ body: @escaping @LoopActor @Sendable () -> Void) {
    guard let queue = queue() else { return body() }
    // Queued behind a reading that is in progress.
    queue.run({ _ in [:] }, then: { if self.alarm != nil { self.waiting.append(body) } else { body() } })
  }

  /// Reads the definitions again, counts bad files at once, and returns when the reading is done.
  func read() async {
    guard let queue = queue() else { return }
    let shared = shared
    await withCheckedContinuation { end in
      queue.run(
        { _ in
          shared.read(isPatient: false)
          return [:]
        }, then: { end.resume() })
    }
  }
}

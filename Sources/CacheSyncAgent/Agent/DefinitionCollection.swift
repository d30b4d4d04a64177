package import CacheSyncSystem

/// The definitions for all caches, `--feeds DIR` (definitions.md section 1): reads them again when they may have changed, on the
/// thread of their disk, and then has every cache adopt them.
///
/// A bad or missing file counts once it has been so for ``CacheContents/stillness``, as a session file does.
@LoopActor
final class DefinitionCollection {
  private let shared: SharedDefinitions
  /// The queue of the directory's disk; nil when the process has no thread or descriptor left for it.
  private let queue: @LoopActor () -> DiskQueue?
  /// Has every cache adopt what was read.
  private let wasRead: @LoopActor () -> Void
  private var watcher: DefinitionsWatcher?
  /// When a bad or missing file counts.
  private var alarm: Int?
  /// What runs when it has counted, or a later change begins the wait anew.
  private var waiting: [@LoopActor () -> Void] = []

  init(
    _ shared: SharedDefinitions, queue: @escaping @LoopActor () -> DiskQueue?,
    wasRead: @escaping @LoopActor () -> Void
  ) {
    self.shared = shared
    self.queue = queue
    self.wasRead = wasRead
    watcher = DefinitionsWatcher(shared.directory) { [weak self] in self?.look() }
    // They may have changed since they were read first.
    look()
    lookWithSweeps()
  }

  /// Looks at the directory as often as each cache is swept, for the writes that no event shows.
  private func lookWithSweeps() {
    Alarms.shared.set(after: OpenCache.sweepInterval) { [weak self] in
      self?.watcher?.lookAgain()
      self?.lookWithSweeps()
    }
  }

  /// Reads the definitions again, and has every cache adopt them.
  ///
  /// - Parameter isPatient: whether a bad or missing file gets time to become whole.
  private func look(isPatient: Bool = true) {
    let shared = shared
    queue()?.run { _ in
      let mustWait = shared.read(isPatient: isPatient)
      LoopActor.perform { self.adopt(andWait: mustWait) }
      return [:]
    }
  }

  private func adopt(andWait mustWait: Bool) {
    // From the latest change on, as for a session file.
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
    if mustWait {
      alarm = Alarms.shared.set(after: CacheContents.stillness) { [weak self] in
        self?.alarm = nil
        self?.look(isPatient: false)
      }
    }
    wasRead()
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Runs a closure when the caches have been told of all definitions that were written before, also of bad ones.
  func afterReading(_ body: @escaping @LoopActor @Sendable () -> Void) {
    guard let queue = queue() else { return body() }
    // Behind a look that is under way.
    queue.run({ _ in [:] }, then: { if self.alarm != nil { self.waiting.append(body) } else { body() } })
  }

  /// Reads them again, bad ones too, and returns when they are read.
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

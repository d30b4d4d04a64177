import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Logging
import SystemPackage

// The work that becomes due in a cache without an event: sweeps, polls, and saving the last good versions.

extension OpenCache {
  private static let saveRetry = Duration.seconds(10)
  /// How often to check whether a rewritten log is on disk.
  private static let rewritingInterval = Duration.milliseconds(100)

  func handleDeadlines(at now: Uptime) {
    contents.lookAgain(at: now)
    if contents.needsReading || rescan.isDue(now) || sweepDue <= now { sweep() }
    if let due = pollDue, due <= now { poll() }
    if let due = saveDue, due <= now { save() }
  }

  // MARK: Sweeping

  /// When the next sweep is due, by the settings in force.
  var sweepDue: Uptime { sweptAt.advanced(by: contents.sweepInterval) }

  /// Compares everything on disk, including the published files, with what is known.
  private func sweep() {
    if rescan.isWaiting {
      rescanCount += 1
      reports.happen(
        "overflow", at: .warning,
        "the kernel dropped events; reading everything in \(EscapedText.forPeople(path.bytes)) again")
    }
    beat()
    contents.updateZones()
    var found: Set<CachePath> = []
    contents.reconcileAll { path, directory in
      found.insert(path)
      watcher.watch(path, directory)
    }
    // The events that the kernel dropped may have included the removal of a directory.
    watcher.remove(watcher.directories.subtracting(found).filter { !isDirectory($0) })
    _ = store.verify()
    publisher.mustCompare = true
    let now = environment.uptime.now()
    sweepCount += 1
    rescan.swept(at: now)
    sweptAt = now
    updatePolling()
  }

  /// Sweeps at once, for `sync`, `wait --sweep` and SIGHUP.
  func sweepNow() {
    // Zones come before the settings, which may name a zone that did not exist before.
    contents.updateZones()
    contents.loadSettings(isPatient: false)
    sweep()
  }

  func isDirectory(_ path: CachePath) -> Bool {
    (try? Directory.identity(of: path, in: root.raw))?.type == .directory
  }

  // MARK: Polling

  /// Compares the settings and the directories that get no events from the kernel with what is known.
  private func poll() {
    if watcher.polled[.root] != nil { answerWithoutEvent() }
    let polled = Set(watcher.polled.keys)
    var found: Set<CachePath> = []
    contents.reconcile(polled) { path, directory in
      found.insert(path)
      watcher.watch(path, directory)
    }
    // The removal of an unwatched directory causes no event.
    watcher.remove(polled.subtracting(found).filter { !isDirectory($0) })
    contents.loadSettings()
    updatePolling()
  }

  /// Checks at once what changes without an event, for `wait`: directories that are polled, and the files that the agent
  /// waits for, because a program that still has one open may have written to it.
  func lookNow() {
    if pollDue != nil { poll() }
    contents.lookAtWaiting()
  }

  func updatePolling() {
    pollDue = watcher.polled.isEmpty ? nil : environment.uptime.now().advanced(by: Self.pollInterval)
  }

  /// - Parameter polled: the directories that are polled, each with the reason.
  func reportPolling(_ polled: [CachePath: String]) {
    guard let (path, reason) = polled.min(by: { $0.key < $1.key }) else {
      return reports.end("polling", "no directory in \(EscapedText.forPeople(self.path.bytes)) is polled any more")
    }
    let directory = EscapedText.forPeople(self.path.appending(bytes: path.bytes).bytes)
    reports.begin("polling", "polling \(directory) every 2 s: \(reason)")
  }

  /// Polls the directories that could not be listed: no event reports when they become readable.
  func pollUnreadable() {
    for (path, note) in contents.problems.unreadableDirectories { watcher.poll(path, because: note.problem.message) }
  }

  // MARK: Saving

  /// Saves the last good versions, unless the cache is being deleted: a new file would make `rm -r` fail.
  ///
  /// - Parameter waits: whether to return only when they are on disk.
  func save(waits: Bool = false) {
    saveDue = nil
    guard let log = contents.lastGood.log else { return }
    log.keep(generation: store.generation)
    let isFlushing = contents.durability == .flush
    guard log.hasPending || (isFlushing && log.needsFlush) else { return }
    let now = environment.uptime.now()
    guard root.isInPlace, let state, state.isInPlace(in: root), store.isManifestInPlace else {
      saveDue = now.advanced(by: Publisher.deletionPause)
      return
    }
    do throws(Errno) {
      // After a first start the saved bytes may be most of the process's resident memory.
      host.freed.record(try log.save(isFlushing: isFlushing, waits: waits))
      guard !log.hasPending else {
        saveDue = now.advanced(by: Self.rewritingInterval)
        return
      }
      contents.lastGood.problem = nil
      guard log.claimLoss() else { return }
      contents.reportLogLoss(
        "was changed by another program: every file is read again, to keep its last good version", logger)
      contents.refillLog()
    } catch {
      // Readers do not notice; the next publication or the next retry saves the versions.
      logger.debug("cannot keep the last good versions: \(error)")
      saveDue = now.advanced(by: error == .noSuchFileOrDirectory ? Publisher.deletionPause : Self.saveRetry)
    }
  }
}

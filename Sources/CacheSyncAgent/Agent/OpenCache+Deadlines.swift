import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Logging
import SystemPackage

// The work that becomes due in a cache without an event: sweeps, polls, making removed outputs again, and saving the last
// good versions.

/// Outputs that another program removed.
struct RemovedOutputs {
  let count: Int
  let since: Instant
  let lastRemoval: Uptime
  /// When they are made again.
  private(set) var due: Uptime

  /// How long nothing may have been removed (contract.md section 5).
  private static let stillness = Duration.milliseconds(250)
  /// How long after the last output was removed the rest of the cache is waited for, which may be deleted too.
  private static let patience = Duration.milliseconds(1500)

  init(count: Int, since: Instant, lastRemoval: Uptime) {
    (self.count, self.since, self.lastRemoval) = (count, since, lastRemoval)
    due = lastRemoval.advanced(by: Self.stillness)
  }

  /// Waits longer, because something else was removed from the cache.
  mutating func wait(after now: Uptime) {
    due = max(due, min(now.advanced(by: Self.stillness), lastRemoval.advanced(by: Self.patience)))
  }
}

extension OpenCache {
  private static let saveRetry = Duration.seconds(10)
  /// How often to check whether a rewritten log is on disk.
  private static let rewritingInterval = Duration.milliseconds(100)

  func handleDeadlines(at now: Uptime) {
    contents.lookAgain(at: now)
    if contents.needsReading || rescan.isDue(now) || sweepDue <= now { sweep() }
    if let due = removed?.due, due <= now { restoreOutputs() }
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
    restoreOutputs(evenChanged: true)
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

  // MARK: Removed outputs

  /// Watches `snapshots` unless it is watched, so that the kernel reports what is removed there.
  func watchOutputs() {
    guard !watcher.watchesOutputs,
      let directory = try? Directory.open(CachePath(CacheLayout.snapshots), in: root.raw)
    else { return }
    watcher.watchOutputs(directory.raw)
    // What was removed before caused no event.
    noticeRemovedOutputs(at: environment.uptime.now())
  }

  /// Looks which outputs are missing. They are made again once nothing has been removed for a while: a program may be about
  /// to remove more of them, or the whole cache.
  func noticeRemovedOutputs(at now: Uptime) {
    let count = store.missing.count
    if count == 0 {
      removed = nil
    } else if removed?.count != count {
      removed = RemovedOutputs(count: count, since: removed?.since ?? environment.clock.now(), lastRemoval: now)
    }
  }

  /// Has the next publication make the outputs again that are missing.
  ///
  /// - Parameter evenChanged: whether also those that another program changed.
  private func restoreOutputs(evenChanged: Bool = false) {
    removed = nil
    guard evenChanged || !store.missing.isEmpty else { return }
    _ = store.verify()
    publisher.mustCompare = true
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
    // What a sweep found in this pass is made again with it.
    if !publisher.mustCompare { noticeRemovedOutputs(at: environment.uptime.now()) }
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

import CacheSync
import CacheSyncSystem
package import Logging

extension CacheContents {
  /// Adopts the files that earlier runs left in a cache, once this process holds the lock.
  ///
  /// It removes their temporaries and reads their published files. Their last good versions replace files that are
  /// unusable now. From now on this process maintains the log.
  package func adoptPreviousRuns(in state: StateDirectory, into store: SnapshotStore, _ logger: Logger) {
    state.removeTemporaries(in: root)
    let loaded = LastGoodLog.load(from: state.raw)
    if let damage = loaded.damage {
      reportLogLoss(
        "is good for its first \(counted(loaded.wholeBytes, "byte")) (\(damage)): last good versions after them are lost",
        logger)
    }
    store.raiseGeneration(toAtLeast: loaded.generation)
    store.readExistingOutputs(named: registry.kinds.map(\.name.fileName) + [CacheLayout.dayIndex])
    recordOutputs(named: store.known)
    let log = LastGoodLog(in: state.directory, flushingOn: pool.background)
    log.open(after: loaded)
    lastGood.keep(in: log)
    fallBack(to: loaded)
  }

  /// Falls back to the last good versions that an agent kept, for a command that only reads.
  func fallBackToKept() {
    guard let state = try? StateDirectory.open(root: root, creating: false) else { return }
    fallBack(to: LastGoodLog.load(from: state.raw))
  }

  /// Forgets the kinds of ``retiredKindNames`` whose snapshots were deleted, so that the agent does not restore these.
  func removeDeletedOutputs(in store: SnapshotStore) {
    for name in retiredKindNames where store.removeIfDeleted(name.fileName) { publishedKindNames.remove(name) }
  }

  /// Reports that a log has lost its contents: once on standard error, and in `status` until the log is complete again.
  package func reportLogLoss(_ message: String, _ logger: Logger) {
    let file = CachePath(CacheLayout.state).appending(CacheLayout.lastGood.utf8)
    lastGood.problem = ProblemNote(Problem(path: file, message: message), since: environment.clock.now())
    logger.warning("\(EscapedText.forPeople(root.path.appending(bytes: file.bytes).bytes)) \(message)")
  }
}

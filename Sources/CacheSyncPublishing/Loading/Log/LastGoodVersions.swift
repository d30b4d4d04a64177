import CacheSyncSystem

/// The last good versions of a cache's files: those of earlier runs, to fall back to, and the log that stores this
/// run's for the next one.
package final class LastGoodVersions {
  /// The versions that earlier runs accepted; nil once every file is judged.
  private(set) var earlier: LastGoodLog.Loaded?
  /// Stores good versions for the next run; nil for a command that only reads, and while the agent cannot write.
  package private(set) var log: LastGoodLog?
  /// The definitions for all caches that the log stores.
  var definitions = LoggedDefinitions()
  /// The problem that the log lost versions; nil once it is complete again.
  package var problem: ProblemNote?

  /// Returns the version that an earlier run accepted.
  subscript(path: CachePath) -> LastGoodLog.LastGood? { earlier?[path] }

  /// Falls back to the versions of earlier runs. Call it before the first file is checked.
  func fallBack(to earlier: LastGoodLog.Loaded) { self.earlier = earlier }

  /// Stores versions in a log from now on.
  func keep(in log: LastGoodLog) { self.log = log }

  /// Forgets a file that is missing for good.
  ///
  /// - Parameter size: how many bytes its version takes in the log; 0 when there is none.
  func remove(_ path: CachePath, size: Int) {
    earlier?.remove(path)
    log?.remove(path, size: size)
  }

  /// Releases the versions of earlier runs, once every file is judged. A file that may still be in the middle of a
  /// write delays this: it needs its last good version if it turns out bad.
  ///
  /// The log then removes the records of missing files, so that a bad file with the same name finds no version.
  func closeOnceJudged(_ files: inout FileIndex) {
    guard let earlier else { return }
    var unheld: [CachePath] = []
    for path in earlier.records.keys {
      let state = files[path]
      if case .settling = state { return }
      if state?.verdict?.isHeld != true, definitions[path] == nil { unheld.append(path) }
    }
    if let log {
      for path in unheld {
        log.remove(path, size: earlier[path]?.size ?? 0)
        files.removeLoggedBytes(of: path)
      }
    }
    self.earlier = nil
  }
}

import CacheSync
package import CacheSyncSystem

/// The last good versions of a cache's files: what earlier runs kept, to fall back to, and the log that keeps this run's for the
/// next one.
package final class LastGoodVersions {
  /// What earlier runs read as good; nil once every file is judged.
  private(set) var earlier: LastGoodLog.Loaded?
  /// Keeps good versions for the next run; nil for a command that only reads, and while the agent cannot write.
  package private(set) var log: LastGoodLog?
  /// What the log has of definitions for all caches.
  var definitions = LoggedDefinitions()
  /// That the log lost some of them; nil once it is whole again.
  package var problem: ProblemNote?

  /// What an earlier run read as good.
  subscript(path: CachePath) -> LastGoodLog.LastGood? { earlier?[path] }

  /// Falls back to what earlier runs kept; called before the first file is looked at.
  func fallBack(to earlier: LastGoodLog.Loaded) { self.earlier = earlier }

  /// Keeps versions in a log from now on.
  func keep(in log: LastGoodLog) { self.log = log }

  /// Forgets a file that is gone for good.
  ///
  /// - Parameter size: how many bytes its version takes in the log; 0 when there is none.
  func forget(_ path: CachePath, size: Int) {
    earlier?.forget(path)
    log?.forget(path, size: size)
  }

  /// Closes what earlier runs read as good, once every file is judged. A file that may still be in the middle of being
  /// written keeps it open: it needs its last good version if it turns out bad.
  ///
  /// The log then forgets the files that are gone, so that a bad file of the same name finds nothing in force.
  func closeOnceJudged(_ files: inout FileIndex) {
    guard let earlier, !earlier.records.keys.contains(where: files.isSettling) else { return }
    if let log {
      for path in earlier.records.keys where files[path]?.verdict?.isHeld != true && definitions[path] == nil {
        log.forget(path, size: earlier[path]?.size ?? 0)
        files.forgetLoggedBytes(of: path)
      }
    }
    self.earlier = nil
  }
}

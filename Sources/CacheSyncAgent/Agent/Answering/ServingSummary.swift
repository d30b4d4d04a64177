import CacheSync
package import CacheSyncSystem

/// A short summary of what the agent serves and any problems, for the log and the service manager's status.
package struct ServingSummary: Equatable, Sendable, CustomStringConvertible {
  /// The cache, when the agent has exactly one.
  package var only: CachePath?
  package var servedCount = 0
  /// The caches whose directories are missing, or that cannot be served for another reason.
  package var awaitedCount = 0
  package var unwritableCount = 0
  package var polledCount = 0

  /// One line without control characters, such as "serving 3 caches; waiting for 1; 1 not writable".
  package var description: String {
    if let only {
      let path = EscapedText.forPeople(only.bytes)
      guard awaitedCount == 0 else { return "waiting for \(path)" }
      return "serving \(path)" + (unwritableCount > 0 ? "; not writable" : "") + (polledCount > 0 ? "; polling" : "")
    }
    let details = [
      (awaitedCount, "waiting for \(awaitedCount)"), (unwritableCount, "\(unwritableCount) not writable"),
      (polledCount, "\(polledCount) polled"),
    ]
    return "serving \(counted(servedCount, "cache"))" + details.map { $0 > 0 ? "; \($1)" : "" }.joined()
  }
}

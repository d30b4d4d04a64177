package import CacheSync
package import CacheSyncSystem

/// A cache's report after every pass: everything that the agent's thread knows about it.
package struct CacheReport: Sendable {
  /// Whether the cache's directory exists and is served.
  package var isServing = false
  /// The greatest generation ever published here.
  package var generation = 0
  /// The next moment at which a kind changes through time alone.
  package var nextBoundary: Instant?
  /// When a pass is due even without news.
  package var nextDeadline: Uptime?
  /// Until when the agent collects news without publishing, because the cache published a moment ago
  /// (contract.md section 6).
  package var restsUntil: Uptime?
  /// False while publishing fails.
  package var isWritable = true
  /// Whether a directory gets no events from the kernel, so that the agent polls it every 2 s.
  package var isPolling = false
  /// Whether only an event of the parent directory reports that the directory is deleted.
  package var vanishesSilently = false
  /// How often everything was compared with the disk since the directory was opened.
  package var sweepCount = 0
  /// Whether a `sync` holds the cache; the agent waits for its end.
  package var isHeldBySync = false
  /// Why the cache cannot be served, found only after the start had waited for a `sync` to release it.
  package var refusal: CacheError?
  package var counters = CacheCounters()

  /// Whether the serving summary is the same for another report.
  func isServedLike(_ other: CacheReport) -> Bool {
    (isServing, isWritable, isPolling) == (other.isServing, other.isWritable, other.isPolling)
  }
}

/// The services that the agent provides to a cache.
package struct CacheHost: Sendable {
  /// Called when there is news for a pass to read.
  package var hasNews: @LoopActor @Sendable () -> Void
  /// Called with every request that a command sends to the cache's socket.
  package var answer: @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  /// Where the cache claims its descriptors.
  package var budget: DescriptorBudget
  /// Where the cache records how much memory it has freed.
  package var freed: FreedMemory
}

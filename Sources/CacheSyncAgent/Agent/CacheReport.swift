package import CacheSync
package import CacheSyncSystem

/// What a cache reports after every pass: all that the agent's thread knows of it.
package struct CacheReport: Sendable {
  /// Whether the cache's directory is there and served.
  package var isServing = false
  /// The greatest generation ever published here.
  package var generation = 0
  /// The next moment at which some kind changes by time alone.
  package var nextBoundary: Instant?
  /// When a pass is due even without news.
  package var nextDeadline: Uptime?
  /// Until when the agent lets news gather, because the cache published a moment ago (contract.md section 6).
  package var restsUntil: Uptime?
  /// Whether the last try to publish did not fail.
  package var isWritable = true
  /// Whether the kernel tells nothing of some directory, so that the agent looks there every 2 s.
  package var isPolling = false
  /// How often everything was compared with the disk since the directory was opened.
  package var sweepCount = 0
  /// Whether a `sync` holds the cache, for whose end the agent waits.
  package var isHeldBySync = false
  /// Why the cache cannot be served after all, once a `sync` has ended for which the start waited.
  package var refusal: CacheError?
  package var counters = CacheCounters()

  /// Whether the words about what is served are the same for another report.
  func isServedLike(_ other: CacheReport) -> Bool {
    (isServing, isWritable, isPolling) == (other.isServing, other.isWritable, other.isPolling)
  }
}

/// What a cache needs from the agent that serves it.
package struct CacheHost: Sendable {
  /// Called when there is news, for a pass to ingest.
  package var hasNews: @LoopActor @Sendable () -> Void
  /// Called with every request that a command sends to the cache's socket.
  package var answer: @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  /// Where the cache claims its descriptors.
  package var budget: DescriptorBudget
  /// Where the cache notes what memory it has freed.
  package var freed: FreedMemory

  package init(
    hasNews: @escaping @LoopActor @Sendable () -> Void,
    answer: @escaping @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void, budget: DescriptorBudget,
    freed: FreedMemory
  ) {
    self.hasNews = hasNews
    self.answer = answer
    self.budget = budget
    self.freed = freed
  }
}

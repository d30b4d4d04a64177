package import CacheSync

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
  /// Until when the agent lets news gather, because the cache published a moment ago (CONTRACT section 6).
  package var restsUntil: Uptime?
}

/// What a cache needs from the agent that serves it.
package struct CacheHost: Sendable {
  /// Called when there is news, for a pass to ingest.
  package var hasNews: @AgentActor @Sendable () -> Void
  /// Called with every request that a command sends to the cache's socket.
  package var answer: @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  /// Where the cache claims its descriptors.
  package var budget: DescriptorBudget

  package init(
    hasNews: @escaping @AgentActor @Sendable () -> Void,
    answer: @escaping @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void, budget: DescriptorBudget
  ) {
    self.hasNews = hasNews
    self.answer = answer
    self.budget = budget
  }
}

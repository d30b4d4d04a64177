package import CacheSync

/// What a cache says of itself after every pass: all that the agent's thread knows of it.
package struct CacheReport: Sendable {
  /// Whether there is a directory to serve now.
  package var isServing = false
  /// The greatest generation ever published here.
  package var generation = 0
  /// The next moment at which some kind changes by time alone.
  package var nextBoundary: Instant?
  /// When a pass is due though nothing happens.
  package var nextDeadline: Uptime?
  /// Until when news is left to gather, because something was published a moment ago (CONTRACT section 6, pace).
  package var restsUntil: Uptime?
}

/// What a cache needs of the agent that serves it.
package struct CacheHost: Sendable {
  /// Called when a pass has something to do.
  package var hasNews: @AgentActor @Sendable () -> Void
  /// Called with every request that a command sends to the cache's socket.
  package var answer: @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  /// What its descriptors are counted in.
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

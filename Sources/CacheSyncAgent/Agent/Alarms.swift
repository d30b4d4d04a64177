package import CacheSync

/// Closures that run on the agent's thread after a delay, beside the caches' own deadlines.
@AgentActor
package final class Alarms {
  /// The process's, so that one timer serves all of them.
  package static let shared = Alarms()

  private var waiting: [Int: (due: Uptime, action: @AgentActor () -> Void)] = [:]
  private var count = 0
  /// Called when ``next`` may have changed.
  package var changed: @AgentActor () -> Void = {}

  package init() {}

  package var next: Uptime? { waiting.values.map(\.due).min() }

  /// Runs a closure after a delay, unless it is cancelled with the number that this returns.
  @discardableResult
  package func set(after delay: Duration, _ action: @escaping @AgentActor () -> Void) -> Int {
    count += 1
    waiting[count] = (Uptime.now().advanced(by: delay), action)
    changed()
    return count
  }

  package func cancel(_ id: Int) { waiting[id] = nil }

  package func ring(at now: Uptime) {
    // The action of one alarm may cancel another.
    for (id, alarm) in waiting where alarm.due <= now && waiting.removeValue(forKey: id) != nil { alarm.action() }
  }
}

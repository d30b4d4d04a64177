package import CacheSync

/// What the agent's thread is to do later, beside the caches' own deadlines.
@AgentActor
package final class Alarms {
  /// Set on the agent's thread, so that the process needs one timer, whatever waits.
  package static let shared = Alarms()

  private var waiting: [Int: (due: Uptime, action: @AgentActor () -> Void)] = [:]
  private var count = 0
  /// Called when ``next`` may have changed.
  package var changed: @AgentActor () -> Void = {}

  package init() {}

  package var next: Uptime? { waiting.values.map(\.due).min() }

  /// Does something after a while, unless it is cancelled.
  @discardableResult
  package func set(after delay: Duration, _ action: @escaping @AgentActor () -> Void) -> Int {
    count += 1
    waiting[count] = (Uptime.now().advanced(by: delay), action)
    changed()
    return count
  }

  package func cancel(_ id: Int) { waiting[id] = nil }

  package func ring(at now: Uptime) {
    // One that rang before may have cancelled a later one.
    for (id, alarm) in waiting where alarm.due <= now && waiting.removeValue(forKey: id) != nil { alarm.action() }
  }
}

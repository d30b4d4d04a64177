import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import SystemPackage

/// Asking the agent of a cache, for the commands that do.
enum AgentConnection {
  /// Sends a request; nil when no process holds the cache. Throws when a bridge does, which answers nothing.
  ///
  /// - Parameter awaitingStart: whether to wait for an agent that has the lock and does not listen yet.
  static func ask(_ request: String, _ path: FilePath, timeout: Duration, awaitingStart: Bool) throws
    -> ControlClient.Answer?
  {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    let deadline = Uptime.now().advanced(by: timeout)
    while true {
      if let client = ControlClient(root: root) {
        let rest = Duration.milliseconds(Uptime.now().milliseconds(until: deadline))
        return client.ask(request, timeout: rest)
      }
      let holder = StateDirectory.holder(of: root)
      if holder == .bridge { throw bridgeHolds(path) }
      guard awaitingStart, holder != nil else { return nil }
      guard Uptime.now() < deadline else { return .timedOut }
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(10)))
    }
  }

  static func bridgeHolds(_ path: FilePath) -> Failure {
    let name = EscapedText.forPeople(path.bytes)
    return Failure("a bridge holds \(name), not an agent: ask where the cache's agent runs", .unavailable)
  }

  static func noAgent(_ path: FilePath) -> Failure {
    let start = ServiceUnits(serving: path)?.start ?? "cachesyncd run"
    return Failure("no agent holds \(EscapedText.forPeople(path.bytes)): start one with \(start)", .unavailable)
  }
}

import CacheSync
import CacheSyncAgent
import CacheSyncPrograms
import CacheSyncPublishing
import CacheSyncSystem
import Glibc
import SystemPackage

/// Queries the agent of a cache, for the commands that require it.
enum AgentConnection {
  /// Sends a request; nil when no process holds the cache. Throws when a bridge holds it, because a bridge answers no
  /// requests.
  ///
  /// It waits for an agent that has the lock but does not listen yet, and for a `sync` to end. If a link leads to the
  /// cache, it may have been swapped a moment ago, so it also waits a second for an agent to follow.
  ///
  /// - Parameter grace: how long after the end of a `sync` to wait for an agent that was also waiting for it.
  static func ask(_ request: String, _ path: FilePath, timeout: Duration, grace: Duration = .zero) throws
    -> ControlClient.Answer?
  {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    let deadline = Uptime.now().advanced(by: timeout)
    var syncSeen: Uptime?
    let isLinked = try path.absolute().lexicallyNormalized() != root.path
    let followingDeadline = Uptime.now().advanced(by: isLinked ? followingTime : .zero)
    while true {
      if let client = ControlClient(root: root) {
        guard client.answers else { throw isOfAnotherUser(path, client.user) }
        let rest = Duration.milliseconds(Uptime.now().milliseconds(until: deadline))
        return client.ask(request, timeout: rest)
      }
      if let owner = StateDirectory.otherOwner(in: root) { throw isOfAnotherUser(path, owner) }
      let holder = StateDirectory.holder(of: root)
      if holder == .bridge { throw bridgeHolds(path) }
      let now = Uptime.now()
      if holder == .sync { syncSeen = now }
      guard holder != nil || now < followingDeadline || syncSeen.map({ now < $0.advanced(by: grace) }) ?? false else {
        return nil
      }
      guard now < deadline else { return .timedOut }
      SystemSleep.sleep(until: Uptime.now().advanced(by: .milliseconds(10)))
    }
  }

  /// How long an agent may take to follow a swapped link.
  private static let followingTime = Duration.seconds(1)

  /// - Parameter user: the user who runs the agent, or who ran the last one.
  static func isOfAnotherUser(_ path: FilePath, _ user: UInt32) -> Failure {
    let whole = (try? path.absolute()) ?? path
    let allowed = user == 0 ? "root" : "user \(AccessAdvice.name(of: user)) and root"
    return Failure(
      "only \(allowed) may ask the agent of \(EscapedText.forPeople(path.bytes)), and this is"
        + " \(AccessAdvice.name(of: geteuid())): sudo cachesyncd status --cache \(ShellWord.quoted(whole))",
      .noPermission)
  }

  static func bridgeHolds(_ path: FilePath) -> Failure {
    let name = EscapedText.forPeople(path.bytes)
    return Failure("a bridge holds \(name), not an agent: ask where the cache's agent runs", .unavailable)
  }

  /// Returns the command that starts an agent in the foreground.
  private static func command(for path: FilePath) -> String {
    let isDefault = (try? DefaultCache.path)?.lexicallyNormalized() == path.lexicallyNormalized()
    return "cachesyncd run" + (isDefault ? "" : " --cache \(ShellWord.quoted(path.bytes))")
  }

  /// - Parameter holder: the type of the process that holds the cache instead of an agent.
  static func noAgent(_ path: FilePath, besides holder: CacheLock.Holder? = nil) -> Failure {
    let start = ServiceUnits(serving: path)?.start ?? command(for: path)
    switch holder {
    case .bridge: return bridgeHolds(path)
    case .sync:
      let name = EscapedText.forPeople(path.bytes)
      return Failure(
        "no agent holds \(name), but a sync does: retry when it has ended, or start an agent with \(start)",
        .unavailable)
    case .agent, nil: break
    }
    return Failure("no agent holds \(EscapedText.forPeople(path.bytes)): start one with \(start)", .unavailable)
  }
}

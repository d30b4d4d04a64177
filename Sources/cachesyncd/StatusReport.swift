import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage

/// An agent's answer, or what is known about an agent that did not answer.
struct StatusReport {
  var path: FilePath
  /// Whether the directory is missing; the command has already reported that.
  var isMissing = false
  /// The type of the process that holds the cache although no agent answers; nil when none does.
  var holder: CacheLock.Holder?
  var isAlive = false
  var isHearing = false
  var pid = 0
  var value: JSONValue?

  /// How long the round trip through the watched directory may take (metrics.md).
  private static let replyTimeout = Duration.seconds(5)

  var status: ExitStatus { !isAlive ? .unavailable : isHearing ? .success : .withoutEvents }

  /// The problems, and the feeds that are stale by age. The texts are the agent's.
  var problems: [JSONValue] { value?["problems"]?.array ?? [] }
  var staleFeeds: [String] { (value?["stale"]?.array ?? []).compactMap(\.string) }

  /// Whether a person should mend something.
  var needsMending: Bool { !staleFeeds.isEmpty || problems.contains { !Self.isWarning($0) } }

  static func isWarning(_ problem: JSONValue) -> Bool {
    problem["severity"]?.string == Problem.Severity.warning.rawValue
  }

  static func ask(_ path: FilePath) throws -> StatusReport {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(path))
    var report = StatusReport(path: path)
    guard let client = ControlClient(root: root) else {
      if let owner = StateDirectory.otherOwner(in: root) { throw AgentConnection.isOfAnotherUser(path, owner) }
      report.holder = StateDirectory.holder(of: root)
      return report
    }
    guard client.answers else { throw AgentConnection.isOfAnotherUser(path, client.user) }
    report.isAlive = true
    report.pid = client.pid
    // A hanging agent accepts the connection and sends no answer: it is alive and receives no events.
    guard case .line(let bytes) = client.ask("status", timeout: replyTimeout) else { return report }
    report.value = bytes.withUnsafeBytes { JSONValue.parse($0) }
    report.isHearing = report.value?["hearing"]?.bool ?? false
    return report
  }

  var metrics: StatusMetrics.Cache {
    StatusMetrics.Cache(path: path.bytes, isAlive: isAlive, answer: value)
  }

  /// Returns all members of metrics.md, including those that an agent did not send.
  func encoded(withCache: Bool) -> [UInt8] {
    var members = value?.object ?? CacheStatus.unknown
    members["alive"] = .bool(isAlive)
    members["hearing"] = .bool(isHearing)
    members["pid"] = isAlive ? .integer(pid) : .null
    if withCache { members["cache"] = .string(EscapedText.forPrograms(path.bytes)) }
    var writer = JSONWriter()
    writer.value(.object(members))
    return writer.bytes
  }
}

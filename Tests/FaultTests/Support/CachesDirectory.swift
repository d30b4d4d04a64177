import CacheSync
import Glibc
import Testing

/// A directory of caches, and the real agent that serves them all.
final class CachesDirectory {
  let parent: TestCache
  private(set) var process: ChildProcess

  /// Makes the caches, each with one task, starts the agent, and waits until it has published them.
  init(_ names: [String], in parent: TestCache, prefix: [String] = []) throws {
    self.parent = parent
    for name in names { try Self.drop("before", name, in: parent) }
    process = try ChildProcess(
      prefix + [Machine.agent, "run", "--caches-in", parent.path, "--time-zone", Machine.zone])
    try until("all are served") { try names.allSatisfy { try title(in: $0) == "before" } }
  }

  private static func drop(_ title: String, _ name: String, in parent: TestCache) throws {
    try parent.drop("\(name)/tasks/a.json", Sessions.task(1, title))
  }

  /// Gives a cache's task another title.
  func drop(_ title: String, in name: String) throws { try Self.drop(title, name, in: parent) }

  /// The title that a cache's readers see.
  func title(in name: String) throws -> String? {
    guard let bytes = TestCache.read(parent.at("\(name)/snapshots/todays-tasks.json")) else { return nil }
    let value = bytes.withUnsafeBytes { JSONValue.parse($0) }
    return value?["entries"]?[0]?["content"]?["tasks"]?[0]?["title"]?.string
  }

  /// Runs a command on one of the caches.
  func ask(_ arguments: String..., about name: String) throws -> ChildProcess.Result {
    let process = try ChildProcess([Machine.agent] + arguments + ["--cache", parent.at(name)])
    let status = try process.wait()
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  func status(of name: String) throws -> Agent.Status {
    let result = try ask("status", "--json", about: name)
    return Agent.Status(code: result.status, value: JSONValue.parse(text: result.output))
  }

  /// Stops the agent, changes the caches, and continues the agent, so that it gets the events of all changes at once.
  func whileStopped(_ change: () throws -> Void) throws {
    process.signal(SIGSTOP)
    defer { process.signal(SIGCONT) }
    try change()
  }
}

extension JSONValue {
  /// A command's output as JSON, or null if it is not JSON.
  static func parse(text: String) -> JSONValue { Array(text.utf8).withUnsafeBytes { parse($0) } ?? .null }
}

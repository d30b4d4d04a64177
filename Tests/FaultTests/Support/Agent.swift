import CacheSync
import Glibc
import Testing

/// The real agent, in a process of its own.
final class Agent {
  let cache: String
  let process: ChildProcess

  /// Starts an agent and waits until it has published what is there.
  init(_ cache: TestCache, prefix: [String] = [], arguments: [String] = [], awaitingStart: Bool = true) throws {
    self.cache = cache.path
    process = try ChildProcess(
      prefix + [Machine.agent, "run", "--cache", cache.path, "--time-zone", "UTC"] + arguments)
    if awaitingStart { try until("the agent serves", within: 20) { try wait(seconds: 20).status == 0 } }
  }

  func ask(_ arguments: String..., within seconds: Double = 60) throws -> ChildProcess.Result {
    let process = try ChildProcess([Machine.agent] + arguments + ["--cache", cache])
    let status = try process.wait(within: seconds)
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  /// The barrier: everything written before is published.
  @discardableResult
  func wait(seconds: Int = 30, sweeping: Bool = false) throws -> ChildProcess.Result {
    let arguments = ["wait", "--timeout", String(seconds)] + (sweeping ? ["--sweep"] : [])
    let process = try ChildProcess([Machine.agent] + arguments + ["--cache", cache])
    let status = try process.wait(within: Double(seconds) + 10)
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  /// Waits and requires that it worked; the generation.
  @discardableResult
  func settled(seconds: Int = 30, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
    let result = try wait(seconds: seconds)
    #expect(result.status == 0, "\(result.error)", sourceLocation: sourceLocation)
    return Int(result.output.split(separator: "\n").first ?? "") ?? 0
  }

  struct Status {
    var code: Int32
    var value: JSONValue

    var messages: [String] { (value["problems"]?.array ?? []).compactMap { $0["message"]?.string } }
    var polled: [String] { (value["polled"]?.array ?? []).compactMap { $0["path"]?.string } }
    var isWritable: Bool { value["writable"]?.bool == true }

    func counter(_ name: String) -> Int { value["counters"]?[name]?.int ?? -1 }
  }

  func status() throws -> Status {
    let result = try ask("status", "--json")
    let value = Array(result.output.utf8).withUnsafeBytes { JSONValue.parse($0) }
    return Status(code: result.status, value: value ?? .null)
  }

  /// Ends the agent and returns its exit status and how long it took.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) throws -> (status: Int32, seconds: Double) {
    let start = secondsNow()
    process.signal(signal)
    let status = try process.wait(within: 20)
    return (status, secondsNow() - start)
  }

  /// Memory in use, in KiB, and open descriptors.
  var resources: (resident: Int, descriptors: Int) {
    (Self.resident(of: process.pid), TestCacheDescriptors.count(of: process.pid))
  }

  /// A process's memory in use, in KiB; 0 when there is no such process.
  static func resident(of pid: pid_t) -> Int {
    let status = TestCache.read("/proc/\(pid)/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

enum TestCacheDescriptors {
  static func count(of pid: pid_t) -> Int {
    guard let directory = opendir("/proc/\(pid)/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count - 2
  }
}

/// Makes system calls of an agent fail, while it is held.
final class Injection {
  private let strace: ChildProcess

  init(_ rule: String, calls: String, into agent: Agent) throws {
    strace = try ChildProcess([
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):\(rule)", "-p",
      String(agent.process.pid),
    ])
    let status = "/proc/\(agent.process.pid)/status"
    try until("strace is attached") {
      TestCache.read(status).map { !String(decoding: $0, as: UTF8.self).contains("TracerPid:\t0\n") } ?? false
    }
  }

  func end() throws {
    strace.signal(SIGINT)
    try strace.wait(within: 30)
  }
}

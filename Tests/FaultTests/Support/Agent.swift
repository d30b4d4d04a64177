import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// The real agent, in a process of its own.
final class Agent {
  let cache: String
  let process: ChildProcess

  /// Starts an agent and waits until it has published what is there.
  ///
  /// - Parameter prefix: the beginning of a command that becomes the agent.
  init(
    _ cache: TestCache, prefix: [String] = [], arguments: [String] = [], zone: String? = Machine.zone,
    awaitingStart: Bool = true
  ) throws {
    self.cache = cache.path
    process = try ChildProcess(
      prefix + [Machine.agent, "run", "--cache", cache.path] + (zone.map { ["--time-zone", $0] } ?? []) + arguments)
    if awaitingStart { try until("the agent serves") { try wait(seconds: 20).status == 0 } }
  }

  func ask(_ arguments: String..., within seconds: Double = 120) throws -> ChildProcess.Result {
    let process = try ChildProcess([Machine.agent] + arguments + ["--cache", cache])
    let status = try process.wait(within: seconds)
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  /// Runs `wait`: when it succeeds, the agent has published everything written before.
  @discardableResult
  func wait(seconds: Int = 60) throws -> ChildProcess.Result {
    let process = try ChildProcess([Machine.agent, "wait", "--timeout", String(seconds), "--cache", cache])
    let status = try process.wait(within: Double(seconds) + 60)
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  /// Runs `wait`, requires that it succeeds, and returns the generation.
  @discardableResult
  func settled(seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
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

  /// Ends the agent and returns its exit status, how long it took, as `Stopwatch` measures it, and for how many seconds the
  /// agent waited for a processor meanwhile.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) throws -> (status: Int32, seconds: Double, wait: Double) {
    let stopwatch = Stopwatch(of: process.pid)
    process.signal(signal)
    let status = try process.wait(stopwatch)
    return (status, stopwatch.elapsed / .seconds(1), stopwatch.wait / .seconds(1))
  }

  /// Whether the agent has got as far as the lock. The file alone says nothing: a dead agent leaves it behind.
  var holdsLock: Bool {
    let directory = "/proc/\(process.pid)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")) == cache + "/.cachesync/lock"
    }
  }

  /// What the agent has open below the cache, with the flags of open(2).
  func openFiles(below cache: TestCache) -> [String] {
    let process = "/proc/\(process.pid)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(process)/fd")) ?? []
    return names.compactMap { name -> String? in
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\(name)"),
        path.hasPrefix(cache.path)
      else { return nil }
      let info = String(decoding: TestCache.read("\(process)/fdinfo/\(name)") ?? [], as: UTF8.self)
      let flags = info.split(separator: "\n").first { $0.hasPrefix("flags:") } ?? ""
      return "\(path) \(flags)"
    }
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

/// Has strace list the system calls of a process, or change their results, until `end()`.
final class Injection {
  private let strace: ChildProcess
  private let log: String

  /// - Parameters:
  ///   - rule: what strace makes of the calls (its option `inject`); nil: it only lists them.
  ///   - path: the one file whose calls count; nil: the calls on every file.
  init(_ rule: String?, calls: String, on path: String? = nil, into process: ChildProcess) throws {
    log = Guardian.prefix + "strace-\(process.pid)"
    strace = try ChildProcess(
      ["strace", "-f", "-qq", "-y", "-e", "signal=none", "-o", log] + (path.map { ["-P", $0] } ?? []) + [
        "-e", "trace=\(calls)",
      ] + (rule.map { ["-e", "inject=\(calls):\($0)"] } ?? []) + ["-p", String(process.pid)])
    let tasks = "/proc/\(process.pid)/task"
    try until("strace is attached to every thread") {
      let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
      return threads.allSatisfy { thread in
        TestCache.read("\(tasks)/\(thread)/status").map {
          !String(decoding: $0, as: UTF8.self).contains("TracerPid:\t0\n")
        } ?? true
      }
    }
  }

  convenience init(_ rule: String, calls: String, into agent: Agent) throws {
    try self.init(rule, calls: calls, into: agent.process)
  }

  deinit { unlink(log) }

  /// The calls until now, a line each.
  var calls: [String] {
    (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  func end() throws {
    strace.signal(SIGINT)
    try strace.wait()
  }
}

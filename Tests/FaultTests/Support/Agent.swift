import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@testable import cachesyncd

/// The real agent, in a separate process.
final class Agent {
  let cache: String
  let process: ChildProcess

  /// Starts an agent and waits until it has published the existing files.
  ///
  /// - Parameter prefix: the beginning of a command that becomes the agent.
  init(
    _ cache: TestCache, prefix: [String] = [], arguments: [String] = [], zone: String? = Machine.zone,
    awaitingStart: Bool = true
  ) throws {
    self.cache = cache.path
    process = try ChildProcess(
      prefix + [Machine.agent, "run", "--cache", cache.path] + (zone.map { ["--time-zone", $0] } ?? []) + arguments)
    if awaitingStart { try untilItServes() }
  }

  /// Waits until the agent serves the cache and has published the existing files.
  func untilItServes() throws {
    try until("the agent serves") {
      try wait()
      return true
    }
  }

  /// Runs a command on the cache.
  func ask(_ arguments: String..., within seconds: Double = 120) throws -> ChildProcess.Result {
    let process = try ChildProcess([Machine.agent] + arguments + ["--cache", cache])
    let status = try process.wait(within: seconds)
    return ChildProcess.Result(status: status, output: process.output, error: process.error)
  }

  /// Sends a request like the command `wait`: when this returns, the agent has published everything written before.
  /// Returns the generation.
  ///
  /// The request comes from this process, with the command's own code: in a debug build the argument parser takes four
  /// times as long as the rest of the command. Tests that count the agent's descriptors run the command instead,
  /// because the agent may close its end of a connection some time after its answer.
  @discardableResult
  func wait(seconds: Int = 60) throws -> Int {
    try WaitCommand.wait(FilePath(cache), sweeping: false, timeout: .seconds(seconds))
  }

  /// Waits like `wait`, and records an issue if that fails. Returns the generation.
  @discardableResult
  func settled(seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
    do {
      return try wait(seconds: seconds)
    } catch {
      Issue.record("\(Failure(error))", sourceLocation: sourceLocation)
      return 0
    }
  }

  /// Runs the command `wait` in a separate process, and requires that it succeeds.
  func settledByCommand(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try ask("wait", "--timeout", "60")
    #expect(result.status == 0, "\(result.error)", sourceLocation: sourceLocation)
  }

  struct Status {
    var code: Int32
    var value: JSONValue

    var messages: [String] { (value["problems"]?.array ?? []).compactMap { $0["message"]?.string } }
    var polled: [String] { (value["polled"]?.array ?? []).compactMap { $0["path"]?.string } }
    var isWritable: Bool { value["writable"]?.bool == true }

    func counter(_ name: String) -> Int { value["counters"]?[name]?.int ?? -1 }
  }

  /// The exit status and output of the command `status --json`, requested from this process.
  func status() throws -> Status {
    do {
      let report = try StatusReport.ask(FilePath(cache))
      let value = report.encoded(withCache: false).withUnsafeBytes { JSONValue.parse($0) }
      return Status(code: report.status.rawValue, value: value ?? .null)
    } catch {
      return Status(code: Failure(error).status.rawValue, value: .null)
    }
  }

  /// Ends the agent. Returns its exit status, how long it took as measured by `Stopwatch`, and how many seconds the
  /// agent waited for a processor meanwhile.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) throws -> (status: Int32, seconds: Double, wait: Double) {
    let stopwatch = Stopwatch(of: process.pid)
    process.signal(signal)
    let status = try process.wait(stopwatch)
    return (status, stopwatch.elapsed / .seconds(1), stopwatch.wait / .seconds(1))
  }

  /// Whether the agent holds the lock. The file alone does not show that, because a dead agent leaves it behind.
  var holdsLock: Bool {
    let directory = "/proc/\(process.pid)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")) == cache + "/.cachesync/lock"
    }
  }

  /// The agent's open files below the cache, with the flags of open(2).
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

  /// A process's memory in use, in KiB, or 0 if there is no such process.
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

/// Makes strace list the system calls of a process, or change their results, until `end()`.
final class Injection {
  private let strace: ChildProcess
  private let log: String

  /// - Parameters:
  /// - rule: how strace changes the calls (its option `inject`), or nil if it only lists them.
  /// - path: the only file whose calls count, or nil for all files.
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

  /// The calls so far, one on each line.
  var calls: [String] {
    (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  func end() throws {
    strace.signal(SIGINT)
    try strace.wait()
  }
}

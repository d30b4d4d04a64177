import Foundation
import Glibc
import Synchronization
import Testing
import TestSupport

/// A child process of the tests. It is killed when the last reference to it is released, and when the test process
/// ends.
final class ChildProcess {
  let pid: pid_t
  private let errorPath: String
  private let outputPath: String
  private let input: Int32
  private var status: Int32?

  private static let number = Atomic<Int>(0)

  /// Held while a process starts, and while a test writes a file in place. A process that starts has every file open
  /// until it runs its program, so the kernel would report the close of the file late, after the test's next step.
  static let starting = Mutex(())

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    guard let path = arguments[0].contains("/") ? arguments[0] : Machine.tool(arguments[0]) else {
      throw TestFailure("there is no \(arguments[0])")
    }
    let name = Guardian.prefix + "process-\(Self.number.add(1, ordering: .relaxed).newValue)"
    errorPath = name + ".err"
    outputPath = name + ".out"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TestFailure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    input = ends[1]
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runner blocks and ignores some signals. The agent starts as from a shell.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var variables = ProcessInfo.processInfo.environment
    variables["TZ"] = nil
    variables.merge(environment) { $1 }
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = Self.starting.withLock { _ in posix_spawn(&pid, path, &actions, &attributes, &argv, &envp) }
    guard result == 0 else { throw TestFailure("cannot run \(path): \(String(cString: strerror(result)))") }
    self.pid = pid
    Guardian.shared.began(pid)
  }

  deinit {
    if isRunning {
      kill(pid, SIGCONT)
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      Guardian.shared.ended(pid)
    }
    close(input)
    unlink(errorPath)
    unlink(outputPath)
  }

  var isRunning: Bool { poll() == nil }

  private func poll() -> Int32? {
    if let status { return status }
    var raw: Int32 = 0
    guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
    Guardian.shared.ended(pid)
    let signal = raw & 0x7f
    status = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
    return status
  }

  /// The exit status, or 128 plus the signal's number. Throws if it has not ended in time.
  @discardableResult
  func wait(within seconds: Double = 120, _ stopwatch: Stopwatch? = nil) throws -> Int32 {
    let start = secondsNow()
    while true {
      stopwatch?.look()
      if let status = poll() { return status }
      guard secondsNow() - start < seconds else { throw TestFailure("process \(pid) did not end within \(seconds) s") }
      usleep(2000)
    }
  }

  /// The processor time that it has used, in seconds, or 0 if it has ended.
  var processorSeconds: Double {
    let text = String(decoding: TestCache.read("/proc/\(pid)/stat") ?? [], as: UTF8.self)
    // proc(5): the name, in brackets, may contain blanks. utime and stime are the 12th and 13th words after it.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The processor time, in seconds, that it uses in the next second.
  func processorSecondsInOne() -> Double {
    let before = processorSeconds
    usleep(1_000_000)
    return processorSeconds - before
  }

  /// What its threads do, and what may wake them, at one moment (proc(5)).
  struct Activity {
    /// By thread: how often it has started or stopped running, and where in the kernel it waits.
    var threads: [String: (switches: Int, place: String)] = [:]
    /// By descriptor: what an inotify instance watches, or the remaining time of a timer (`it_value`).
    var sources: [String: String] = [:]
    /// Whether a thread runs, or continues as soon as a processor is free or the disk has responded.
    var isAtWork = false

    var switches: Int { threads.values.reduce(0) { $0 + $1.switches } }

    /// The threads that have run since, and the timers and watches that changed. A timer that fired has more time left.
    func changes(since before: Activity) -> String {
      let ran = threads.map {
        (name: $0.key, place: $0.value.place, count: $0.value.switches - (before.threads[$0.key]?.switches ?? 0))
      }
      .filter { $0.count != 0 }.map { "thread \($0.name), which waits in \($0.place): \($0.count) switches" }
      let other = sources.filter { before.sources[$0.key] != $0.value }.map {
        "\($0.key): \(before.sources[$0.key] ?? "none"), now \($0.value)"
      }
      return (ran.sorted() + other.sorted()).joined(separator: "; ")
    }
  }

  func activity() throws -> Activity {
    var activity = Activity()
    func text(_ path: String) -> String {
      TestCache.read("/proc/\(pid)/\(path)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
      let lines = text("task/\(thread)/status").split(separator: "\n")
      let switches = lines.filter { $0.contains("ctxt_switches") }.compactMap { Int($0.filter(\.isNumber)) }
      activity.threads[thread] = (switches.reduce(0, +), text("task/\(thread)/wchan"))
      if lines.contains(where: { $0.hasPrefix("State:\tR") || $0.hasPrefix("State:\tD") }) { activity.isAtWork = true }
    }
    for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(descriptor)")
      guard let target, target.contains("timerfd") || target.contains("inotify") else { continue }
      let lines = text("fdinfo/\(descriptor)").split(separator: "\n").filter {
        $0.hasPrefix("clockid") || $0.hasPrefix("it_value") || $0.hasPrefix("inotify")
      }
      activity.sources["descriptor \(descriptor), \(target)"] = lines.joined(separator: ", ")
    }
    return activity
  }

  /// Waits until no thread has run, been ready, or waited for a disk for some seconds.
  func waitForRest(of seconds: Double = 0.5) throws {
    try until("process \(pid) is at rest") {
      let switches = try activity().switches
      usleep(UInt32(seconds * 1_000_000))
      let after = try activity()
      return !after.isAtWork && after.switches == switches
    }
  }

  /// Sends a signal, unless the process has ended, because its id may be another's by now. After SIGSTOP it returns
  /// when every thread has stopped: the kernel signals one of them, and the others run until that one has had its turn.
  func signal(_ number: Int32) {
    guard isRunning, kill(pid, number) == 0, number == SIGSTOP else { return }
    var about = siginfo_t()
    let deadline = secondsNow() + 10
    while isRunning, secondsNow() < deadline {
      // waitid(2): with WNOHANG it also returns 0 if nothing has stopped yet, and leaves the signal's number 0.
      about.si_signo = 0
      if waitid(P_PID, id_t(pid), &about, WSTOPPED | WNOHANG) != 0 || about.si_signo == SIGCHLD { return }
      usleep(1000)
    }
  }

  var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
  var error: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

  struct Result {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs a command to its end.
  @discardableResult
  static func run(_ arguments: String..., within seconds: Double = 120) throws -> Result {
    let process = try ChildProcess(arguments)
    let status = try process.wait(within: seconds)
    return Result(status: status, output: process.output, error: process.error)
  }

  /// Runs a shell command to its end. Throws if it fails.
  @discardableResult
  static func shell(_ command: String) throws -> String {
    let result = try run("/bin/sh", "-c", command, within: 300)
    guard result.status == 0 else { throw TestFailure("\(command): \(result.error)") }
    return result.output
  }
}

import Foundation
import Glibc
import Testing
import TestSupport

/// The real program as users run it: a child process, its output, its exit status.
enum Program {
  /// The debug binary, which is in the same directory as the test bundle.
  static let path: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("cachesyncd").path
  }()

  /// Runs a command to its end. A command that takes too long is killed, which shows as the signal.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], directory: String? = nil,
    within seconds: Double = 120
  ) throws -> Outcome {
    let child = try Child(arguments, input: input, environment: environment, directory: directory)
    return try child.outcome(within: seconds)
  }
}

/// The result of a command.
struct Outcome {
  /// The exit status, or the negative signal of a killed process.
  var status: Int32
  var output: String
  var errors: String

  /// Lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Whether standard error is one line that begins with the program's name.
  var hasOneLineError: Bool {
    errors.hasPrefix("cachesyncd: ") && errors.hasSuffix("\n") && errors.filter { $0 == "\n" }.count == 1
  }

  /// Whether it ended with the status of wrong usage, and a message on standard error only.
  var isWrongUsage: Bool { status == 64 && output.isEmpty && errors.hasPrefix("cachesyncd: ") }
}

/// A child process. If it still runs when the last reference to it is released, it is killed.
final class Child {
  let pid: pid_t
  private let folder: TemporaryFolder
  private var status: Int32?

  struct CannotStart: Error {
    var reason: Int32
  }

  /// - Parameters:
  /// - output: the file for standard output, or nil for one that ``output`` reads.
  /// - wrapper: a command, by its path, that becomes the program, such as unshare(1).
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], directory: String? = nil,
    output: String? = nil, through wrapper: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    try Data(input.utf8).write(to: URL(fileURLWithPath: folder.path + "/in"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, folder.path + "/in", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output ?? folder.path + "/out", writing, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, folder.path + "/err", writing, 0o600)
    var variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC"]
    // The test's own environment, limited to what locates libraries and configures sanitizers.
    for name in ["LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    variables.merge(environment) { $1 }
    // The shell replaces posix_spawn_file_actions_addchdir_np(3), which Swift cannot import, and keeps the process.
    let shell = directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    let command = wrapper + shell + [Program.path] + arguments
    var argv = command.map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    // A shell starts what it runs in the background with SIGINT ignored, and a child process would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let reason = posix_spawn(&pid, command[0], &actions, &attributes, &argv, &envp)
    guard reason == 0 else { throw CannotStart(reason: reason) }
    self.pid = pid
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    removeClock()
  }

  /// Removes what libfaketime shares between this process and its children. libfaketime does so itself, but not when a
  /// signal ends the process. Then it would remain until the machine restarts.
  private func removeClock() {
    for name in ["faketime_shm_\(pid)", "sem.faketime_sem_\(pid)"] { unlink("/dev/shm/" + name) }
  }

  var output: String { text("out") }
  var errors: String { text("err") }

  private func text(_ name: String) -> String {
    let data = try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// The exit status, once the process has ended.
  func exitStatus() -> Int32? {
    if let status { return status }
    var word: Int32 = 0
    guard waitpid(pid, &word, WNOHANG) == pid else { return nil }
    status = word & 0x7F == 0 ? (word >> 8) & 0xFF : -(word & 0x7F)
    removeClock()
    return status
  }

  /// Whether it sleeps for a fixed time, like a command that polls does between two looks.
  var isBetweenTwoLooks: Bool {
    (try? String(contentsOfFile: "/proc/\(pid)/wchan", encoding: .utf8)) == "hrtimer_nanosleep"
  }

  /// Sends a signal. After SIGSTOP it returns when every thread has stopped: the kernel signals one of them, and the
  /// others run until that one has had its turn.
  func send(_ signal: Int32) {
    guard exitStatus() == nil, kill(pid, signal) == 0, signal == SIGSTOP else { return }
    _ = holds {
      var about = siginfo_t()
      // waitid(2): with WNOHANG it returns 0 also when nothing has stopped yet, and leaves the signal's number 0.
      return waitid(P_PID, id_t(pid), &about, WSTOPPED | WNOHANG) != 0 || about.si_signo == SIGCHLD
    }
  }

  /// Waits for the end of the process.
  func outcome(within seconds: Double = 120, _ stopwatch: Stopwatch? = nil) throws -> Outcome {
    let ends = holds(within: seconds) {
      stopwatch?.look()
      return exitStatus() != nil
    }
    if !ends {
      send(SIGKILL)
      _ = holds { exitStatus() != nil }
    }
    return Outcome(status: try #require(exitStatus()), output: output, errors: errors)
  }
}

/// Checks until a condition is true, for at most so many seconds, which are enough for a slow or busy machine. Returns
/// whether it became true. An error is false until then: a file to look at may not be there yet.
func holds(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while (try? condition()) != true {
    if ContinuousClock.now > deadline { return try condition() }
    usleep(2_000)
  }
  return true
}

/// Whether a condition becomes true within so many seconds of the program's time, as measured by `Stopwatch`.
func holds(by program: Child, within seconds: Int, _ condition: () throws -> Bool) rethrows -> Bool {
  let stopwatch = Stopwatch(of: program.pid)
  let holds = try holds {
    stopwatch.look()
    return try condition()
  }
  return holds && stopwatch.elapsed < .seconds(seconds)
}

/// A directory that is removed with its last reference.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/cachesyncd-tests-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

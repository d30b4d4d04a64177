import CLinux
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import Logging
import SystemPackage

/// Runs the user's command once for each line, one run at a time, without a shell.
///
/// Standard input of the command is a file in memory that contains the line. So a command that does not read it blocks
/// nothing.
final class CommandRunner {
  /// What the command receives in its environment, besides the cache.
  struct Change {
    var kind: String
    var generation: Int
    var state: Snapshot.State
  }

  /// How long a command may take after SIGTERM before it is killed.
  private static let grace = Duration.seconds(5)

  private let words: [CommandLineWord]
  private let timeout: Duration
  private let cache: FilePath
  private let logger: Logger
  private let signals: Descriptor
  private var askedToEnd: Int32?

  /// From now on the signals that end a program are queued for ``endSignal()``.
  init(_ words: [CommandLineWord], timeout: Duration, cache: FilePath, logger: Logger) throws {
    guard let signals = Descriptor(clinux_catch_signals(true)) else {
      throw Failure("cannot wait for signals: \(Errno(rawValue: errno))", .inputOutput)
    }
    EndSignals.unblockAll()
    self.words = words
    self.timeout = timeout
    self.cache = cache
    self.logger = logger
    self.signals = signals
  }

  /// Readable when ``endSignal()`` may return a signal.
  var descriptor: Int32 { signals.raw }

  /// Returns the signal that asked this program to end; nil when none did.
  func endSignal() -> Int32? {
    _ = readSignals()
    return askedToEnd
  }

  /// Runs the command and waits until it has ended: by itself, after the timeout, or because this program must end.
  /// Logs a warning when the command fails.
  func run(_ line: [UInt8], for change: Change) {
    let about = "\(words[0].forPeople) for \(change.kind), generation \(change.generation)"
    let process: pid_t
    do {
      process = try start(line, change)
    } catch {
      // The exit statuses of env(1) and shells.
      logger.warning("cannot run \(about): \(error) (status \(error == .noSuchFileOrDirectory ? 127 : 126))")
      return
    }
    var ending = Ending.byItself(until: Uptime.now().advanced(by: timeout))
    var isLate = false
    while true {
      if let status = status(of: process) {
        if case .asked(let deadline) = ending { endRest(of: process, until: deadline) }
        if isLate {
          logger.warning("\(about) did not end within \(timeout) and was ended: \(Self.words(for: status))")
        } else if status != 0, askedToEnd == nil {
          logger.warning("\(about) failed: \(Self.words(for: status))")
        }
        return
      }
      poll(until: ending.deadline)
      let wasAsked = readSignals()
      let isDue = ending.deadline.map { $0 <= Uptime.now() } ?? false
      switch ending {
      case .byItself where isDue || wasAsked:
        isLate = !wasAsked
        kill(-process, SIGTERM)
        ending = .asked(until: Uptime.now().advanced(by: Self.grace))
      case .asked where isDue || wasAsked:
        kill(-process, SIGKILL)
        ending = .killed
      default: break
      }
    }
  }

  private enum Ending {
    case byItself(until: Uptime)
    case asked(until: Uptime)
    case killed

    var deadline: Uptime? {
      switch self {
      case .byItself(let deadline), .asked(let deadline): deadline
      case .killed: nil
      }
    }
  }

  private func start(_ line: [UInt8], _ change: Change) throws(Errno) -> pid_t {
    guard let input = Descriptor(clinux_memory_file("line")) else { throw Errno(rawValue: errno) }
    try AtomicFile.writeAll(line + [UInt8(ascii: "\n")], to: input.raw)
    lseek(input.raw, 0, SEEK_SET)
    _ = cache.withPlatformString { setenv("CACHESYNC_CACHE", $0, 1) }
    setenv("CACHESYNC_KIND", change.kind, 1)
    setenv("CACHESYNC_GENERATION", "\(change.generation)", 1)
    setenv("CACHESYNC_STATE", change.state.rawValue, 1)
    var arguments = words.map { strdup($0.bytes.map { CChar(bitPattern: $0) } + [0]) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: Int32 = 0
    let error = clinux_spawn(arguments, input.raw, &process)
    if error != 0 { throw Errno(rawValue: error) }
    return process
  }

  /// Returns the status from waitpid(2); nil while the process runs.
  private func status(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == 0 ? nil : status
  }

  /// Waits until the processes that a command left behind in its group have ended, and kills them after the deadline.
  /// No signal reports their end, so it polls with growing pauses.
  private func endRest(of group: pid_t, until deadline: Uptime) {
    var pause = Duration.milliseconds(10)
    while kill(-group, 0) == 0 {
      guard Uptime.now() < deadline else {
        kill(-group, SIGKILL)
        return
      }
      poll(until: min(Uptime.now().advanced(by: pause), deadline))
      if readSignals() { kill(-group, SIGKILL) }
      pause *= 2
    }
  }

  private func poll(until deadline: Uptime?) {
    var descriptor = pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0)
    Glibc.poll(&descriptor, 1, Int32(clamping: deadline.map { Uptime.now().milliseconds(until: $0) } ?? -1))
  }

  /// Reads the pending signals. Returns whether one of them asks this program to end.
  private func readSignals() -> Bool {
    var isAsked = false
    while case let number = clinux_caught_signal(signals.raw), number != 0 {
      if number == SIGCHLD { continue }
      askedToEnd = number
      isAsked = true
    }
    return isAsked
  }

  /// waitpid(2): the signal in the lowest seven bits, or the exit status in the second byte.
  private static func words(for status: Int32) -> String {
    status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
  }
}

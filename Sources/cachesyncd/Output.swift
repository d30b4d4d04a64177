import ArgumentParser
import CacheSync
import CacheSyncAgent
import Glibc
import Logging
import SystemPackage

/// Ends a command with one line on standard error and the exit status of CONTRACT section 7.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var status: ExitStatus

  init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// - Parameter cache: which one it happened in, where the error itself does not say.
  init(_ error: any Error, in cache: FilePath? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case let error as CacheError: self.init(error.description, error.status)
    case let error as PublishError:
      self.init(cache.map { error.description(in: $0) } ?? error.description, error.status)
    default: self.init("\(error)", .inputOutput)
    }
  }
}

enum Terminal {
  /// Writes bytes to standard output, and waits for a reader that is slow. One that went away ends the command quietly.
  static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try rest.withUnsafeBytes { try FileDescriptor.standardOutput.write($0) })
      } catch Errno.wouldBlock {
        // Another process may have made the terminal or the pipe non-blocking, for all that share it.
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } catch Errno.brokenPipe {
        exit(0)
      } catch {
        Self.error("cannot write standard output: \(error)")
        exit(ExitStatus.inputOutput.rawValue)
      }
    }
  }

  static func line(_ text: String) { write(Array(text.utf8) + [UInt8(ascii: "\n")]) }

  static func line(_ bytes: [UInt8]) { write(bytes + [UInt8(ascii: "\n")]) }

  /// Says on standard error what went wrong.
  static func error(_ text: String) { StandardError.write(text, .error) }

  /// Whether people look at the output, and want colours.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) != 0 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
      && getenv("TERM").map { String(cString: $0) } != "dumb"
  }
}

extension Terminal {
  /// How many columns people see; nil in a pipe, in a file, and on a terminal that does not say.
  static var width: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}

extension Terminal {
  /// A moment as a clock on the wall there shows it: `Sat 2026-11-21 09:30:00`.
  static func localTime(_ instant: Instant, _ calendar: CivilCalendar) -> String {
    let day = calendar.wallTime(of: instant).day
    return "\(day.weekday.name.prefix(3)) \(day) \(calendar.clock(at: instant, withSeconds: true))"
  }
}

/// Runs a command's body and turns whatever it throws into a line and a status.
func reporting(_ body: () throws -> ExitStatus) throws {
  // A reader of our output that goes away shows as an error of a write, not as a signal's death.
  signal(SIGPIPE, SIG_IGN)
  let status: ExitStatus
  do {
    status = try body()
  } catch let error as ValidationError {
    throw error
  } catch let error as ExitCode {
    throw error
  } catch {
    let failure = Failure(error)
    Terminal.error(failure.description)
    status = failure.status
  }
  if status != .success { throw ExitCode(status.rawValue) }
}

/// One line on standard error for each message: what a daemon's journal or a cron mail wants.
struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    StandardError.log(EscapedText.forPeople(event.message.description), event.level)
  }
}

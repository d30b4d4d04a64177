import CacheSync
import CacheSyncSystem
import Glibc
public import Logging
import Synchronization

/// Lines on standard error. People and scripts see the program's name before each message, and before a message of the log its
/// level. The journal knows the program and has a field for the level, which it takes from the beginning of each line
/// (sd-daemon(3)).
public enum StandardError {
  private static let name = Mutex("cachesyncd")

  /// The name before each message. A program of another name sets it at its start; those that run as commands of cachesyncd do
  /// not.
  public static var program: String {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue } }
  }

  /// Whether people look at the messages.
  public static let isTerminal = isatty(STDERR_FILENO) != 0

  /// What the line of a start that went well ends with: the journal's readers have no key to press.
  public static var stopHint: String { isTerminal ? "; stop with ^C" : "" }

  /// Whether the journal reads standard error: `JOURNAL_STREAM` has its device and inode (systemd.exec(5)). The variable alone
  /// says nothing, because a program that the service starts inherits it too.
  public static let isJournal: Bool = {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var about = stat()
    guard fstat(STDERR_FILENO, &about) == 0 else { return false }
    return String(cString: stream) == "\(about.st_dev):\(about.st_ino)"
  }()

  /// Whether a message would be taken now: not by a terminal that is stopped, nor by a pipe that is full.
  public static var takesMore: Bool {
    var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) > 0
  }

  /// Writes a message of the log.
  public static func log(_ message: String, _ level: Logger.Level) {
    write(isJournal ? message : "\(level): \(message)", level)
  }

  /// Writes a message of one or more lines.
  public static func write(_ message: String, _ level: Logger.Level) {
    guard isJournal else { return write(bytesOf: "\(program): \(message)\n") }
    let lines = message.split(separator: "\n")
    write(bytesOf: lines.map { "<\(level.journalPriority)>\($0)\n" }.joined())
  }

  /// Writes over the line that the cursor of a terminal is in.
  public static func overwriteLine(with text: String) {
    // Back to the first column, the text, and away with what was longer.
    write(bytesOf: "\r\(text)\u{1B}[K")
  }

  private static func write(bytesOf text: String) { try? AtomicFile.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

extension Logger.Level {
  /// syslog(3)'s number, in which the lower is the graver.
  fileprivate var journalPriority: Int {
    switch self {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }
}

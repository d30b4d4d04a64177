import CacheSyncSystem
import Glibc
public import Logging
import Synchronization

/// Lines on standard error. For people and scripts, each message begins with the program's name, and a log message also
/// with its level. The journal knows the program, and reads the level from a prefix of each line (sd-daemon(3)).
public enum StandardError {
  private static let name = Mutex("cachesyncd")

  /// The name before each message. A program with another name sets it at its start; a program that runs as a command
  /// of cachesyncd does not.
  public static var program: String {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue } }
  }

  /// Whether standard error is a terminal.
  package static let isTerminal = isatty(STDERR_FILENO) != 0

  /// Ends the line that a program prints after a successful start. It is empty unless standard error is a terminal, because
  /// only a person at a terminal can press ^C.
  public static var stopHint: String { isTerminal ? "; stop with ^C" : "" }

  /// Whether standard error goes to the journal: `JOURNAL_STREAM` contains its device and inode (systemd.exec(5)). The
  /// variable alone is not enough, because child processes of the service inherit it too.
  package static let isJournal: Bool = {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var about = stat()
    guard fstat(STDERR_FILENO, &about) == 0 else { return false }
    return String(cString: stream) == "\(about.st_dev):\(about.st_ino)"
  }()

  /// Whether standard error accepts a message now. A stopped terminal or a full pipe does not.
  package static var takesMore: Bool {
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

  /// Overwrites the terminal's current line.
  package static func overwriteLine(with text: String) {
    // Returns to the first column, writes the text, and erases the rest of the line.
    write(bytesOf: "\r\(text)\u{1B}[K")
  }

  private static func write(bytesOf text: String) { try? AtomicFile.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

extension Logger.Level {
  /// The number of the level in syslog(3), where lower is more severe.
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

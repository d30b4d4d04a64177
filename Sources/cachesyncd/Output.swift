import CacheSync
import CacheSyncPrograms
import CacheSyncPublishing
import Glibc
import SystemPackage

extension CacheError: ErrorWithStatus {}
extension PublishError: ErrorWithStatus {}

extension Failure {
  /// - Parameter cache: the cache of the error, in case the error does not name it.
  init(_ error: any Error, in cache: FilePath) {
    if let error = error as? PublishError {
      self.init(error.description(in: cache), error.status)
    } else {
      self.init(error)
    }
  }
}

extension Terminal {
  /// Whether the output goes to people who want colours.
  static var hasColour: Bool {
    isatty(STDOUT_FILENO) != 0 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
      && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  /// The columns of the terminal; nil in a pipe, in a file, and on a terminal that does not report them.
  static var width: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Formats a moment in local time: `Sat 2026-11-21 09:30:00`.
  static func localTime(_ instant: Instant, _ calendar: CivilCalendar) -> String {
    let day = calendar.wallTime(of: instant).day
    return "\(day.weekday.name.prefix(3)) \(day) \(calendar.clock(at: instant, withSeconds: true))"
  }
}

/// Parts of the commands' help texts.
enum HelpText {
  // Examples must name an existing feed and kind, whichever those are.
  static let feed = FeedRegistry.builtIn.feeds[0].name.description
  static let kind = FeedRegistry.builtIn.feeds[0].kinds[0].name.description

  /// Formats lines to copy, with a heading.
  static func examples(_ lines: String...) -> String {
    "Examples:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }
}

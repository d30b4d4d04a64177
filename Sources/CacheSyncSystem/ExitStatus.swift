/// The exit statuses of the commands (commands.md); most are those of sysexits.h.
public enum ExitStatus: Int32, Comparable, Sendable {
  case success = 0
  /// Something is to be mended, as `status --check` says.
  case needsMending = 1
  case usage = 64
  case invalidData = 65
  case noInput = 66
  /// No agent holds the cache.
  case unavailable = 69
  /// The agent is running but receives no file events.
  case withoutEvents = 70
  /// The process may not open enough files.
  case systemError = 71
  case cannotCreate = 73
  case inputOutput = 74
  /// Another agent holds the cache, or the timeout has passed.
  case temporaryFailure = 75
  case noPermission = 77
  case configuration = 78

  /// The greatest of several outcomes is the exit status.
  public static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }
}

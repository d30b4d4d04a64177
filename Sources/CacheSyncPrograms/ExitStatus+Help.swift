public import CacheSyncSystem

extension ExitStatus {
  /// The exit statuses of a command for its help, a line each, but for those that every command has.
  public static func help(_ statuses: (ExitStatus, String)...) -> String {
    "Exit status (besides 0 for success and 64 for wrong usage):\n"
      + statuses.map { "  \($0.rawValue)  \($1)" }.joined(separator: "\n")
  }
}

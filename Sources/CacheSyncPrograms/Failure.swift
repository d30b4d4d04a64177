public import CacheSync
public import CacheSyncSystem

/// An error with the exit status of the command that it ends.
public protocol ErrorWithStatus: Error, CustomStringConvertible {
  /// The exit status of the process.
  var status: ExitStatus { get }
}

extension DefaultCache.NoHome: ErrorWithStatus {
  /// The same status as for a missing cache.
  public var status: ExitStatus { .noInput }
}

/// Ends a command with one line on standard error, and an exit status of commands.md.
public struct Failure: ErrorWithStatus {
  /// What happened, where, and what to do, in one line.
  public var description: String
  /// The exit status of the process.
  public var status: ExitStatus

  /// Creates a failure from a message and a status.
  public init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// Creates a failure from any error; the status is 74 for an error without a status.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any ErrorWithStatus: self.init(error.description, error.status)
    default: self.init("\(error)", .inputOutput)
    }
  }
}

extension ExitStatus {
  /// The exit statuses of a command for its help, a line each, but for those that every command has.
  public static func help(_ statuses: (ExitStatus, String)...) -> String {
    "Exit status (besides 0 for success and 64 for wrong usage):\n"
      + statuses.map { "  \($0.rawValue)  \($1)" }.joined(separator: "\n")
  }
}

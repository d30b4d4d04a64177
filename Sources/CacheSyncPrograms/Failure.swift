public import CacheSync
public import CacheSyncSystem

/// An error that knows the exit status of a command that it ends.
public protocol ErrorWithStatus: Error, CustomStringConvertible {
  /// What the process exits with.
  var status: ExitStatus { get }
}

extension DefaultCache.NoHome: ErrorWithStatus {
  /// As of a cache that does not exist.
  public var status: ExitStatus { .noInput }
}

/// Ends a command with one line on standard error, and an exit status of commands.md.
public struct Failure: ErrorWithStatus {
  /// What happened, where, and what to do, in one line.
  public var description: String
  /// What the process exits with.
  public var status: ExitStatus

  /// Makes one of words and a status.
  public init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// What ends a command in which any error was thrown: 74 for one that knows no status.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any ErrorWithStatus: self.init(error.description, error.status)
    default: self.init("\(error)", .inputOutput)
    }
  }
}

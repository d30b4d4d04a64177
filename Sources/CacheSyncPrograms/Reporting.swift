public import ArgumentParser
import CacheSync
public import CacheSyncSystem
import Glibc

/// Runs a command's body, and turns whatever it throws into a line and a status.
///
/// - Throws: what ArgumentParser makes the usage's errors and the exit status of.
public func reporting(_ body: () throws -> ExitStatus) throws {
  beginReporting()
  let status: ExitStatus
  do {
    status = try body()
  } catch {
    status = try report(error)
  }
  if status != .success { throw ExitCode(status.rawValue) }
}

/// The same for a body that waits. One that is cancelled has done its work.
public func reporting(_ body: () async throws -> ExitStatus) async throws {
  beginReporting()
  let status: ExitStatus
  do {
    status = try await body()
  } catch is CancellationError {
    status = .success
  } catch {
    status = try report(error)
  }
  if status != .success { throw ExitCode(status.rawValue) }
}

/// A reader of the output that goes away then shows as an error of a write, not as a signal's death.
private func beginReporting() { signal(SIGPIPE, SIG_IGN) }

private func report(_ error: any Error) throws -> ExitStatus {
  if error is ValidationError || error is ExitCode { throw error }
  let failure = Failure(error)
  Terminal.error(failure.description)
  return failure.status
}

extension ParsableCommand {
  /// Ends the process with what the parser says: help on standard output; an error as one that begins with the program's name,
  /// and below it the usage.
  public static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let text = CommandLineWord.readable(fullMessage(for: error))
    if status.isSuccess {
      if !text.isEmpty { Terminal.line(text) }
    } else if !text.isEmpty {
      let prefix = _errorPrefix
      Terminal.error(String(text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]))
    }
    exit(withError: ExitCode(status.rawValue))
  }
}

public import ArgumentParser
public import CacheSyncSystem
import Glibc

/// Runs a command's body, and converts any error into a line and an exit status.
///
/// - Throws: the error from which ArgumentParser creates the usage message and the exit status.
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

/// The same for an asynchronous body. A cancelled body counts as successful.
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

/// With SIGPIPE ignored, a reader that disconnects causes a write error and does not kill the process.
private func beginReporting() { signal(SIGPIPE, SIG_IGN) }

private func report(_ error: any Error) throws -> ExitStatus {
  if error is ValidationError || error is ExitCode { throw error }
  let failure = Failure(error)
  Terminal.error(failure.description)
  return failure.status
}

extension ParsableCommand {
  /// Ends the process with the parser's message: help goes to standard output; an error begins with the program's name,
  /// and the usage follows it.
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

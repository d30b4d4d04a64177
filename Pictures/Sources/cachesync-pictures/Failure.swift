import ArgumentParser
import CacheSync
import Glibc
import SystemPackage

/// The exit statuses of the contract's commands, which are those of sysexits.h.
struct ExitStatus: RawRepresentable, Sendable, Equatable {
  var rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  static let usage = ExitStatus(rawValue: 64)
  static let noInput = ExitStatus(rawValue: 66)
  static let unavailable = ExitStatus(rawValue: 69)
  /// The agent runs but does not hear.
  static let deaf = ExitStatus(rawValue: 70)
  static let cannotCreate = ExitStatus(rawValue: 73)
  static let inputOutput = ExitStatus(rawValue: 74)
  static let temporaryFailure = ExitStatus(rawValue: 75)
  static let noPermission = ExitStatus(rawValue: 77)
  static let configuration = ExitStatus(rawValue: 78)
}

/// Ends a command with one line on standard error and an exit status.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var status: ExitStatus

  init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }
}

enum StandardError {
  /// This program runs as a command of cachesyncd, so its messages begin as that one's do.
  static func line(_ text: String) { lines(text.replacing("\n", with: " ")) }

  /// An error with its usage below it.
  static func lines(_ text: String) {
    let line = "cachesyncd: \(text)\n"
    _ = try? FileDescriptor.standardError.writeAll(Array(line.utf8))
  }
}

/// Runs a command's body and turns what it throws into a line and a status.
func reporting(_ body: () async throws -> ExitStatus) async throws {
  // A reader of the output that goes away shows as an error of a write, not as a signal's death.
  signal(SIGPIPE, SIG_IGN)
  let status: ExitStatus
  do {
    status = try await body()
  } catch let error as ValidationError {
    throw error
  } catch let failure as Failure {
    StandardError.line(failure.description)
    status = failure.status
  } catch is CancellationError {
    status = .success
  } catch {
    StandardError.line("\(error)")
    status = .inputOutput
  }
  if status != .success { throw ExitCode(status.rawValue) }
}

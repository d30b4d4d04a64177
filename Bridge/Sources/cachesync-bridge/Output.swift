import ArgumentParser
import CacheSync
import CacheSyncBridge
import Glibc
import Logging
import SystemPackage

/// The exit statuses of the commands, which are cachesyncd's.
struct ExitStatus: RawRepresentable, Sendable, Equatable {
  var rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  static let usage = ExitStatus(rawValue: 64)
  static let invalidData = ExitStatus(rawValue: 65)
  static let noInput = ExitStatus(rawValue: 66)
  /// The engine cannot be reached, has no streams of the namespace, or no bridge writes for it.
  static let unavailable = ExitStatus(rawValue: 69)
  static let cannotCreate = ExitStatus(rawValue: 73)
  static let inputOutput = ExitStatus(rawValue: 74)
  /// Another bridge writes for the namespace, or the engine did not answer in time.
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

  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as EngineError:
      let status: ExitStatus =
        switch error {
        case .notConnected, .nobodyAnswers, .cannotConnect: .unavailable
        case .unanswered, .wrongLastSequence: .temporaryFailure
        case .notPermitted: .noPermission
        case .tooLarge: .invalidData
        case .refused, .unreadable: .inputOutput
        }
      self.init(error.description, status)
    case let error as Credentials.Failure:
      let status: ExitStatus =
        switch error {
        case .unreadable: .noInput
        case .isOpen: .noPermission
        case .unknown: .configuration
        }
      self.init(error.description, status)
    default: self.init("\(error)", .inputOutput)
    }
  }
}

enum Terminal {
  /// Writes bytes to standard output. A reader that went away ends the command quietly.
  static func write(_ bytes: [UInt8]) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch Errno.brokenPipe {
      exit(0)
    } catch {
      Self.error("cannot write standard output: \(error)")
      exit(ExitStatus.inputOutput.rawValue)
    }
  }

  static func line(_ text: String) { write(Array(text.utf8) + [UInt8(ascii: "\n")]) }

  static func error(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array("cachesync-bridge: \(text)\n".utf8))
  }
}

/// Runs a command's body on the bridge's thread, and turns whatever it throws into a line and a status.
func reporting(_ body: @escaping @BridgeActor @Sendable () async throws -> ExitStatus) throws {
  // A reader of our output that goes away shows as an error of a write, not as a signal's death.
  signal(SIGPIPE, SIG_IGN)
  let status: ExitStatus
  do {
    status = try BridgeActor.run(body)
  } catch let error as ValidationError {
    throw error
  } catch {
    let failure = Failure(error)
    Terminal.error(failure.description)
    status = failure.status
  }
  if status != .success { throw ExitCode(status.rawValue) }
}

/// One line on standard error for each message.
struct StandardErrorHandler: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    Terminal.error("\(event.level): \(EscapedText.forPeople(event.message.description))")
  }
}

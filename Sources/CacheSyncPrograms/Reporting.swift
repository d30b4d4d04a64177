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
  ///
  /// - Parameter command: the one that was running, whose usage follows its errors.
  public static func end(with error: any Error, of command: (any ParsableCommand)? = nil) -> Never {
    let status = exitCode(for: error)
    // Help is not an error, and only the whole program knows the place of the command that it is about.
    let own = status.isSuccess ? nil : command.map { type(of: $0).ownMessage(for: error) }
    var text = CommandLineWord.readable(own ?? fullMessage(for: error))
    if status.isSuccess {
      if !text.isEmpty { Terminal.line(text) }
    } else if !text.isEmpty {
      let prefix = _errorPrefix
      if text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
      // The parser lists many values below each other, and does not suggest the options that all commands have.
      text = text.replacing(" the following:\n  - ", with: " ").replacing("\n  - ", with: ", ")
      let (unknown, first) = ("Unknown option '", text.prefix { !$0.isNewline })
      if first.hasPrefix(unknown), first.hasSuffix("'"),
        let near = NearestName.of(String(first.dropFirst(unknown.count).dropLast()), among: ["--help", "--version"])
      {
        text = "\(first). Did you mean '\(near)'?" + text.dropFirst(first.count)
      }
      Terminal.error(text)
    }
    exit(withError: ExitCode(status.rawValue))
  }

  /// The message with this command's usage. The parser knows a command of another only by its last word.
  private static func ownMessage(for error: any Error) -> String {
    let path = (configuration.usage ?? "").prefix { !"<[\n".contains($0) }.split(separator: " ")
    return fullMessage(for: error).replacing("See '\(_commandName) ", with: "See '\(path.joined(separator: " ")) ")
  }

  /// - Throws: an error that names the nearest command, if the first words name no command. `help` takes them too.
  public static func refuseUnknownCommand(in words: [String]) throws {
    var words = words[...]
    if words.first == "help" { words.removeFirst() }
    var commands = configuration.subcommands
    while !commands.isEmpty, let word = words.popFirst(), !word.hasPrefix("-"), word != "help" {
      if let command = commands.first(where: { $0._commandName == word }) {
        commands = command.configuration.subcommands
      } else {
        let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        throw ValidationError(
          "unknown command '\(EscapedText.forPeople(word))': \(NearestName.advice(for: word, among: names))")
      }
    }
  }
}

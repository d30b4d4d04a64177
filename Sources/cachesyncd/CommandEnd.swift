import ArgumentParser
import CacheSync

extension Cachesyncd {
  /// Parses the words, runs the command, and ends the process as the contract's section 7 says. The argument parser would
  /// begin its errors in another way, and take an unknown command for an argument of `run`.
  static func runAndEnd(_ words: [String]) -> Never {
    do {
      try refuseUnknownCommand(words)
    } catch {
      end(with: error, of: Self.self)
    }
    if words.first?.hasPrefix("--generate-completion-script") == true || words.first == "---completion" {
      runAndEnd(CompletedCommand.withCursor(words), as: CompletedCommand.self)
    }
    runAndEnd(words, as: Self.self)
  }

  private static func runAndEnd<Root: ParsableCommand>(_ words: [String], as root: Root.Type) -> Never {
    do {
      var command = try root.parseAsRoot(words)
      try command.run()
      exit()
    } catch {
      end(with: misplacedCommand(in: words, error) ?? error, of: root)
    }
  }

  private static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// What is wrong with `cachesyncd --cache DIR show`: options that come first are those of `run`, which takes no words.
  private static func misplacedCommand(in words: [String], _ error: any Error) -> ValidationError? {
    guard words.first?.hasPrefix("-") == true,
      let word = words.first(where: { message(for: error) == "Unexpected argument '\($0)'" })
    else { return nil }
    let name = NearestName.of(word, among: names) ?? names[0]
    return ValidationError(
      "unexpected '\(EscapedText.forPeople(word))': a command comes before the options, as in cachesyncd \(name) --cache DIR"
    )
  }

  private static func refuseUnknownCommand(_ words: [String]) throws {
    // `help` takes a command's name too.
    guard let word = words.first == "help" ? words.dropFirst().first : words.first, !word.hasPrefix("-"),
      !(names + ["help"]).contains(word)
    else { return }
    throw ValidationError(
      "unknown command '\(EscapedText.forPeople(word))': \(NearestName.advice(for: word, among: names))")
  }

  /// Prints what the parser says: help on standard output; an error as one that begins with the program's name, and below it
  /// the usage.
  private static func end<Root: ParsableCommand>(with error: any Error, of root: Root.Type) -> Never {
    let status = root.exitCode(for: error)
    let text = root.fullMessage(for: error)
    if status.isSuccess {
      if !text.isEmpty { Terminal.line(text) }
    } else if !text.isEmpty {
      let prefix = _errorPrefix
      Terminal.error(String(text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]))
    }
    exit(withError: ExitCode(status.rawValue))
  }
}

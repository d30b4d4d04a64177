import ArgumentParser
import CacheSyncPrograms
import CacheSyncSystem

extension Cachesyncd {
  /// Parses the words, runs the command, and ends the process as the contract's section 7 requires. The argument
  /// parser's own way would begin its errors differently, and treat an unknown command as an argument of `run`.
  static func runAndEnd(_ words: [String]) -> Never {
    do {
      try refuseUnknownCommand(in: words)
    } catch {
      end(with: error)
    }
    if words.first?.hasPrefix("--generate-completion-script") == true || words.first == "---completion" {
      runAndEnd(CompletedCommand.withCursor(words), as: CompletedCommand.self)
    }
    runAndEnd(PicturesProgram.askedForHelp(words), as: Self.self)
  }

  private static func runAndEnd<Root: ParsableCommand>(_ words: [String], as root: Root.Type) -> Never {
    var running: (any ParsableCommand)?
    do {
      var command = try root.parseAsRoot(words)
      running = command
      try command.run()
      exit()
    } catch {
      root.end(with: misplacedCommand(in: words, error) ?? error, of: running)
    }
  }

  private static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// Returns the error for `cachesyncd --cache DIR show`: leading options belong to `run`, which takes no words.
  private static func misplacedCommand(in words: [String], _ error: any Error) -> ValidationError? {
    guard words.first?.hasPrefix("-") == true,
      let word = words.first(where: { message(for: error) == "Unexpected argument '\($0)'" })
    else { return nil }
    let name = NearestName.of(word, among: names) ?? names[0]
    return ValidationError(
      "unexpected '\(EscapedText.forPeople(word))': a command comes before the options, as in cachesyncd \(name) --cache DIR"
    )
  }
}

import ArgumentParser

extension CachesyncPictures {
  /// Parses the words, runs the command, and ends the process; errors begin as cachesyncd's do, whose commands these are.
  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let text = fullMessage(for: error)
    if status.isSuccess { exit(withError: error) }
    if !text.isEmpty {
      let prefix = _errorPrefix
      StandardError.lines(String(text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]))
    }
    exit(withError: ExitCode(status.rawValue))
  }
}

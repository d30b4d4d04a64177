import ArgumentParser
import CacheSyncPrograms

extension CachesyncPictures {
  /// Parses the words, runs the command, and ends the process; errors begin as cachesyncd's do, whose commands these are.
  static func main() async {
    do {
      var command = try parseAsRoot(CommandLineWord.allForParser)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error)
    }
  }
}

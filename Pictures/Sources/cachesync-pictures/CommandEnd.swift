import ArgumentParser
import CacheSyncPrograms
import CacheSyncSystem

extension CachesyncPictures {
  /// Parses the arguments, runs the command, and ends the process. Errors have the same beginning as those of
  /// cachesyncd, because these are its commands.
  static func main() async {
    do {
      var command = try parseAsRoot(CommandLineWord.allForParser)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error)
    }
  }
}

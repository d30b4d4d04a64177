import ArgumentParser
import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import NIOCore

struct CachesyncPictures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    // What people type: messages and help name it.
    commandName: "cachesyncd",
    abstract: "Draw snapshots; cachesyncd runs this program for render and serve.",
    version: CacheSyncVersion.current,
    subcommands: [RenderCommand.self, ServeCommand.self])
}

extension CachesyncPictures {
  /// Parses the arguments, runs the command, and ends the process. Errors have the same beginning as those of
  /// cachesyncd, because these are its commands.
  static func main() async {
    var running: (any ParsableCommand)?
    do {
      try refuseUnknownCommand(in: CommandLineWord.allForParser)
      var command = try parseAsRoot(CommandLineWord.allForParser)
      running = command
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error, of: running)
    }
  }
}

@main
enum Program {
  /// On the main actor, so that no other thread exists yet.
  @MainActor static func main() async {
    useOneHeap()
    // One thread is enough for the connections of a few people.
    NIOSingletons.groupLoopCountSuggestion = 1
    await CachesyncPictures.main()
  }
}

import ArgumentParser
import CacheSync
import CacheSyncPrograms

@main
struct CachesyncBridge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-bridge",
    abstract: "Makes a cache on any host behave as if the agent ran there.",
    discussion: """
      The bridge carries session files through an engine, NATS JetStream, to the host where cachesyncd serves the cache, and \
      carries the snapshots back. docs/reference/wire.md describes the data in the engine.
      """,
    version: CacheSyncVersion.current,
    subcommands: [
      SetupCommand.self, HomeCommand.self, AwayCommand.self, PoolCommand.self, DropCommand.self, WatchCommand.self,
      StatusCommand.self,
      ForgetCommand.self,
    ])

  static func main() {
    StandardError.program = configuration.commandName ?? ""
    useOneHeap()
    do {
      try refuseUnknownCommand(in: CommandLineWord.allForParser)
      var command = try parseAsRoot(CommandLineWord.allForParser)
      try command.run()
    } catch {
      end(with: error)
    }
  }
}

import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms

@main
struct CachesyncBridge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-bridge",
    abstract: "Makes a cache on any host behave as if the agent ran there.",
    discussion: """
      Session files flow through an engine, NATS JetStream, towards the host where cachesyncd serves the cache; what it \
      publishes flows back. docs/reference/wire.md says what is in the engine.
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
      var command = try parseAsRoot(CommandLineWord.allForParser)
      try command.run()
    } catch {
      end(with: error)
    }
  }
}

import ArgumentParser
import CacheSync
import CacheSyncAgent
import CacheSyncPrograms

@main
struct Cachesyncd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesyncd",
    abstract: "Keeps today's view of a cache of session files published, for widgets and other readers.",
    discussion: """
      Apps drop session JSON files into a cache directory; cachesyncd watches it and publishes one snapshot file per \
      kind of widget under snapshots/, at every change and at every local midnight. Without a subcommand it runs the agent.

      The cache directory is --cache, else $CACHESYNC_CACHE, else $XDG_CACHE_HOME/cachesync, else ~/.cache/cachesync. \
      The time zone is --time-zone, else the cache's own, else $TZ, else that of /etc/localtime.

      \(HelpText.examples(
        "cachesyncd run", "cachesyncd show", "cachesyncd drop \(HelpText.feed) this-week.json --wait",
        "cachesyncd help drop"))
      """,
    version: CacheSyncVersion.current,
    subcommands: [
      RunCommand.self, SyncCommand.self, ShowCommand.self, CheckCommand.self, StatusCommand.self, NextCommand.self,
      WatchCommand.self, WaitCommand.self, DropCommand.self, IntentCommand.self, FeedsCommand.self, FeedCommand.self,
      RenderCommand.self, ServeCommand.self,
    ],
    defaultSubcommand: RunCommand.self
  )

  static func main() { runAndEnd(CommandLineWord.allForParser) }
}

import ArgumentParser
import CacheSync
import CacheSyncPrograms

@main
struct Cachesyncd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesyncd",
    abstract:
      "Publishes small snapshot files, for widgets and other readers, of the JSON files that apps drop into a cache.",
    discussion: """
      Apps drop session files of JSON into a cache directory. cachesyncd watches it and publishes a snapshot file for each \
      kind of widget in snapshots/, at every change and at every local midnight. Without a command it runs the agent.

      The cache directory is the first of: --cache, $CACHESYNC_CACHE, $XDG_CACHE_HOME/cachesync, ~/.cache/cachesync. \
      The time zone is the first of: --time-zone, the cache's setting, $TZ, /etc/localtime.

      \(HelpText.examples(
        "cachesyncd run", "cachesyncd show", "cachesyncd drop \(HelpText.feed) this-week.json --wait",
        "cachesyncd help drop"))
      """,
    version: CacheSyncVersion.current,
    subcommands: [
      RunCommand.self, SyncCommand.self, ShowCommand.self, CheckCommand.self, StatusCommand.self, NextCommand.self,
      WatchCommand.self, WaitCommand.self, DropCommand.self, IntentCommand.self, KindsCommand.self, ScreensCommand.self,
      FeedsCommand.self, FeedCommand.self, SchemaCommand.self, ExportCommand.self,
      RenderCommand.self, ServeCommand.self,
    ],
    defaultSubcommand: RunCommand.self
  )

  static func main() { runAndEnd(CommandLineWord.allForParser) }
}

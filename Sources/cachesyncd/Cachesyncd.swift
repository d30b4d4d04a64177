import ArgumentParser

@main
struct Cachesyncd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesyncd",
    abstract: "Keeps today's view of a cache of session files published, for widgets and other readers.",
    discussion: """
      Apps drop session JSON files into a cache directory; cachesyncd watches it and publishes one snapshot file per \
      kind of widget under snapshots/, at every change and at every local midnight. Without a subcommand it runs the agent.

      The cache directory is --cache, else $CACHESYNC_CACHE, else $XDG_CACHE_HOME/cachesync, else ~/.cache/cachesync.
      """,
    version: "1.0.0",
    subcommands: [
      RunCommand.self, SyncCommand.self, ShowCommand.self, CheckCommand.self, StatusCommand.self, NextCommand.self,
      WatchCommand.self, WaitCommand.self, DropCommand.self, IntentCommand.self,
    ],
    defaultSubcommand: RunCommand.self
  )
}

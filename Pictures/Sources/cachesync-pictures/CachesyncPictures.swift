import ArgumentParser
import CacheSync

@main
struct CachesyncPictures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-pictures",
    abstract: "Draw snapshots; cachesyncd runs this program for render and serve.",
    version: CacheSyncVersion.current,
    subcommands: [RenderCommand.self, ServeCommand.self])
}

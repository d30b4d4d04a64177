import ArgumentParser

@main
struct CachesyncPictures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-pictures",
    abstract: "Draw snapshots; cachesyncd runs this program for render and serve.",
    subcommands: [RenderCommand.self, ServeCommand.self])
}

import ArgumentParser

@main
struct CachesyncPictures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-pictures", abstract: "Draw snapshots; cachesyncd runs this program for render and serve.")
}

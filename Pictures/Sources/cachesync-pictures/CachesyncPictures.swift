import ArgumentParser
import CacheSync
import CacheSyncPrograms

struct CachesyncPictures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cachesync-pictures",
    abstract: "Draw snapshots; cachesyncd runs this program for render and serve.",
    version: CacheSyncVersion.current,
    subcommands: [RenderCommand.self, ServeCommand.self])
}

@main
enum Program {
  /// On the main actor, so that there is no other thread yet, and no job has gone to one.
  @MainActor static func main() async {
    useOneHeap()
    SharedThreads.takeOver()
    await CachesyncPictures.main()
  }
}

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

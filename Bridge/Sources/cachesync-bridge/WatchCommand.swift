import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print each snapshot of a cache that changes from now on, as one line of JSON.",
    usage: "cachesync-bridge watch <name> [--server <url> ...]",
    discussion: """
      For a cache that publishes nothing, or is missing, it prints nothing. If the engine goes away, it waits for it.

      \(ExitStatus.help(
        (.unavailable, "the engine cannot be reached at the start, or the namespace is missing"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: ArgumentHelp("The cache's name in the namespace.", valueName: "name"))
  var cache: NameArgument

  @OptionGroup var shards: ShardsOption
  @OptionGroup var options: EngineOptions

  func run() throws {
    let (options, cache, shards) = (options, cache.name, shards.shards)
    try reporting {
      let engine = try options.connected()
      let namespace = try await options.space(engine, shards: shards)
      let reader = SetReader(engine, namespace, cache) { set, before in
        for file in set.files where file.isSnapshot && before?.files.contains(file) != true {
          Terminal.write(file.bytes)
        }
      }
      try await reader.follow()
      return await untilEnd(of: engine) { finish in
        try EndSignals.trap { withExtendedLifetime(reader) { finish(nil) } }
      }
    }
  }
}

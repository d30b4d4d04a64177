import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print each snapshot of a cache that changes from now on, as one line of JSON.",
    usage: "cachesync-bridge watch <name> [--server <url> ...]",
    discussion: """
      A cache that publishes nothing, and one that is not there yet, print nothing. An engine that goes away is waited for. \
      Exit status 69: no engine at the start, or no such namespace. 77: not permitted.
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
      return await withCheckedContinuation { continuation in
        Signals.trap {
          withExtendedLifetime(reader) { continuation.resume(returning: ExitStatus.success) }
        }
      }
    }
  }
}

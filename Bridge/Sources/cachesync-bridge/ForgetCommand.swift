import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove all of a cache from a namespace: its session files, its set and its last good versions.",
    usage: "cachesync-bridge forget <name> [--unserved] [--server <url> ...]",
    discussion: """
      It changes no directory. A home that serves the cache later removes the files that came from the engine and are \
      unchanged. forget refuses while a bridge serves the cache, and while it cannot tell.

      \(ExitStatus.help(
        (.unavailable, "the engine cannot be reached, the namespace is missing, or no bridge answers"),
        (.temporaryFailure, "a bridge serves the cache, or other clients are still writing it"),
        (.noPermission, "permission denied")))
      """)

  @Argument(help: ArgumentHelp("The cache's name in the namespace.", valueName: "name"))
  var cache: NameArgument

  @Flag(name: .long, help: "Assume that no bridge serves the cache, if none answers.")
  var unserved = false

  @OptionGroup var shards: ShardsOption
  @OptionGroup var options: EngineOptions

  func run() throws {
    let (options, cache, unserved, shards) = (options, cache.name, unserved, shards.shards)
    try reporting {
      let engine = try options.connected()
      let namespace = try await options.space(engine, shards: shards)
      let forgetting = Forgetting(engine: engine, namespace: namespace, cache: cache)
      let name = EscapedText.forPeople(cache.bytes)
      switch try await forgetting.service() {
      case .none: break
      case .bridge(let role, let bridge, let path):
        throw Failure(
          "the \(role) \(bridge) has \(name) at \(path): start it without this cache, then forget it",
          .temporaryFailure)
      case .unknown(let owner):
        guard unserved else {
          throw Failure(
            "\(owner), which served this shard last, does not answer: start it without \(name), or use --unserved if "
              + "nothing serves it", .unavailable)
        }
      }
      do {
        let count = try await forgetting.forget()
        let removed = "session files \(count.files), sets \(count.sets), last good versions \(count.goodVersions)"
        Terminal.line("\(name) is removed: \(removed)")
        return .success
      } catch Forgetting.Failure.engine(let error) {
        throw error
      } catch {
        throw Failure(
          "other clients go on writing \(name): stop them, then forget it again", .temporaryFailure)
      }
    }
  }
}

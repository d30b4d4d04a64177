import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct AwayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "away",
    abstract:
      "Run where no agent runs: send the files that are dropped here, and show the snapshots that an agent publishes elsewhere.",
    usage: "cachesync-bridge away --cache <dir=name> ... [--server <url> ...]",
    discussion: """
      Runs in the foreground until SIGTERM or SIGINT. Meanwhile it holds the lock of the caches, so that no agent serves them. \
      It works without the engine for any length of time, and sends pending files when the engine is back. It does not send \
      links.

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.unavailable, "the namespace is missing"),
        (.temporaryFailure, "an agent or another bridge holds the cache"),
        (.noPermission, "permission denied")))
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A cache directory, and its name in the namespace. May be given more than once.", valueName: "dir=name"),
    completion: .directory)
  var cache: [CommandLineWord] = []

  @Option(name: .long, help: "The name of this bridge for people. Default: the host's name.")
  var name: String?

  @OptionGroup var shards: ShardsOption
  @OptionGroup var options: EngineOptions

  func validate() throws {
    guard !cache.isEmpty else { throw ValidationError("name a cache with --cache DIR=NAME") }
    if cache.contains(where: \.isEmpty) { throw ValidationError("--cache needs a directory") }
  }

  func run() throws {
    let (options, shards) = (options, shards.shards)
    let name = name ?? HostName.current
    let caches = try CacheDirectory.resolve(cache, needsName: true)
    try reporting {
      let engine = try options.engine(named: name)
      let away = Away(engine, name: name, caches: caches, logger: options.logger)
      do throws(DirectoryRefusal) {
        try away.open()
      } catch {
        throw Failure(error)
      }
      return await untilEnd(of: engine) { finish in
        try EndSignals.trap { withExtendedLifetime(away) { finish(nil) } }
        LoopActor.task {
          do {
            away.start(try await options.spaceOnceReached(engine, shards: shards))
          } catch {
            finish(Failure(error))
          }
        }
      }
    }
  }
}

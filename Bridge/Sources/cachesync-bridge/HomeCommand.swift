import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct HomeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract:
      "Run beside an agent: write the files that other hosts drop into its caches, and send the snapshots back.",
    discussion: """
      Runs in the foreground until SIGTERM or SIGINT. A namespace has one home, or a pool. When the engine goes away, home \
      keeps running and connects again by itself. Every day it removes from the engine the intents that its agent lists as \
      removable, and deletions that are 90 days old.

      \(ExitStatus.help(
        (.noInput, "the cache is missing"),
        (.unavailable, "the engine cannot be reached at the start, or the namespace is missing"),
        (.temporaryFailure, "another home or a pool writes for the namespace, or another bridge holds the cache"),
        (.noPermission, "permission denied")))
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A cache directory, and its name in the namespace. Default: the name of the directory.", valueName: "dir[=name]"),
    completion: .directory)
  var cache: [CommandLineWord] = []

  @Option(
    name: .long, help: ArgumentHelp("A directory in which every directory is a cache.", valueName: "dir"),
    completion: .directory)
  var cachesIn: CommandLineWord?

  @Flag(name: .long, help: "Take the namespace from another home, or a pool, whose hosts are gone.")
  var takeOver = false

  @Option(name: .long, help: "The name of this bridge for people. Default: the host's name.")
  var name: String?

  @OptionGroup var options: EngineOptions

  func validate() throws {
    guard !cache.isEmpty || cachesIn != nil else { throw ValidationError("name a cache with --cache or --caches-in") }
    if cache.contains(where: \.isEmpty) || cachesIn?.isEmpty == true {
      throw ValidationError("--cache and --caches-in need a directory")
    }
  }

  func run() throws {
    let (options, takeOver, cachesIn) = (options, takeOver, cachesIn)
    let name = name ?? HostName.current
    let caches = try CacheDirectory.resolve(cache)
    try reporting {
      let logger = options.logger
      let folder = try cachesIn.map { try CacheDirectory.resolve($0.path) }
      let engine = try options.engine(named: name)
      let namespace = try await options.spaceOnceReached(engine, shards: nil)
      return await untilEnd(of: engine) { finish in
        let home = Home(
          engine, namespace, name: name, caches: caches, cachesIn: folder, takesOver: takeOver, logger: logger
        ) { end in
          finish(Self.failure(end, namespace))
        }
        try EndSignals.trap { withExtendedLifetime(home) { finish(nil) } }
        if home.open() { home.start() }
      }
    }
  }

  private static func failure(_ end: Home.End, _ namespace: Namespace) -> Failure {
    switch end {
    case .refused(let refusal): Failure(refusal)
    case .hasAnother(let who):
      Failure(
        "\(namespace.name) has a home or a pool already (\(who)): stop this one, or use --take-over if that host is gone",
        .temporaryFailure)
    case .deposed(let who):
      Failure("another bridge took \(namespace.name) over (\(who)): this one ends", .temporaryFailure)
    case .system(let what, let reason): Failure("\(what) (\(reason))", .inputOutput)
    }
  }
}

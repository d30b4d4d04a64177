import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct PoolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Run beside each of several agents: they share all caches of the namespace.",
    discussion: """
      Runs in the foreground until SIGTERM or SIGINT, beside an agent with --caches-in DIR --durability rename. Only the bridge \
      may use DIR. It must be empty at first, and holds working copies. If a member dies, hangs or loses its agent, the other \
      members take its caches over within a few seconds. Each member needs a different --name.

      \(ExitStatus.help(
        (.usage, "DIR is not empty, and was not made by a pool"),
        (.noInput, "the directory is missing"),
        (.unavailable, "the engine cannot be reached at the start, or the namespace is missing"),
        (.temporaryFailure, "another member has the name, a home writes for the namespace, or another bridge holds DIR"),
        (.noPermission, "permission denied")))
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("The directory of the agent's caches. Only the bridge may use it.", valueName: "dir"))
  var cachesIn: CommandLineWord

  @Option(name: .long, help: "The name of this member. Default: the host's name.")
  var name: String?

  @Flag(name: .long, help: "Take the namespace from a home whose host is gone.")
  var takeOver = false

  @OptionGroup var options: EngineOptions

  func validate() throws {
    if cachesIn.isEmpty { throw ValidationError("--caches-in needs a directory") }
    if name == "" { throw ValidationError("--name needs a name") }
  }

  func run() throws {
    let (options, takeOver, cachesIn) = (options, takeOver, cachesIn)
    let name = name ?? HostName.current
    try reporting {
      let logger = options.logger
      let folder = try CacheDirectory.resolve(cachesIn.path)
      let engine = try options.engine(named: name)
      let namespace = try await options.spaceOnceReached(engine, shards: nil)
      return await untilEnd(of: engine) { finish in
        let pool = Pool(
          engine, namespace, name: name, cachesIn: folder, takesOver: takeOver, logger: logger
        ) { end in
          finish(Self.failure(end, namespace, name))
        }
        try EndSignals.trap {
          LoopActor.task {
            await pool.shutDown()
            finish(nil)
          }
        }
        if pool.open() { pool.begin() }
      }
    }
  }

  private static func failure(_ end: Pool.End, _ namespace: Namespace, _ name: String) -> Failure {
    switch end {
    case .refused(let refusal): Failure(refusal)
    case .system(let what, let reason): Failure("\(what) (\(reason))", .inputOutput)
    case .member(.equalName):
      Failure(
        "the pool of \(namespace.name) has a member \(EscapedText.forPeople(name)) already: give this one another --name",
        .temporaryFailure)
    case .member(.hasHome(let who)):
      Failure(
        "\(namespace.name) has a home (\(who)): stop this one, or use --take-over if that host is gone",
        .temporaryFailure)
    }
  }
}

import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem
import SystemPackage

struct PoolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Run beside each of several agents: they share all caches of the namespace.",
    discussion: """
      Runs in the foreground until SIGTERM or SIGINT, beside an agent with --caches-in DIR --durability rename. DIR is the \
      bridge's: it is empty at first, and all that is in it are working copies. The caches of a member that dies, hangs or \
      loses its agent are taken over by the others within a few seconds; --name must be another one for each.

      Exit status 64: DIR is not empty, and no pool's. 66: no such directory. 69: no engine at the start, or no such \
      namespace. 75: another member has the name, a home writes for the namespace, or another bridge has DIR. 77: not \
      permitted.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("The directory of the agent's caches, which is the bridge's alone.", valueName: "dir"))
  var cachesIn: CommandLineWord

  @Option(name: .long, help: "What the other members and people see of this one (default: the host's name).")
  var name: String?

  @Flag(name: .long, help: "Take the namespace from a home, whose host is gone.")
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
          engine, namespace,
          Pool.Configuration(
            name: name, cachesIn: folder, takesOver: takeOver, logger: logger, stopHint: StandardError.stopHint)
        ) { end in
          let failure = Self.failure(end, namespace, name)
          finish(failure.status, failure.description)
        }
        Signals.trap {
          LoopActor.task {
            await pool.shutDown()
            finish(.success, nil)
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

import ArgumentParser
import CacheSync
import CacheSyncBridge
import Glibc
import Logging
import SystemPackage

struct HomeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract: "Run beside an agent: bring what the network drops into its caches, and show what they publish.",
    discussion: """
      Runs in the foreground until SIGTERM or SIGINT. A namespace has one home. It goes on while the engine is away, and \
      connects again by itself.

      Exit status 66: no such cache. 69: no engine at the start, or no such namespace. 75: another home writes for the \
      namespace, or another bridge has the cache. 77: not permitted.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A cache directory, and its name in the namespace (default: the directory's).", valueName: "dir[=name]"))
  var cache: [String] = []

  @Option(
    name: .long, help: ArgumentHelp("A directory in which every directory is a cache of its own.", valueName: "dir"))
  var cachesIn: String?

  @Flag(name: .long, help: "Take the namespace from another home, whose host is gone.")
  var takeOver = false

  @Option(name: .long, help: "What people see of this bridge (default: the host's name).")
  var name: String?

  @OptionGroup var options: EngineOptions

  func validate() throws {
    guard !cache.isEmpty || cachesIn != nil else { throw ValidationError("name a cache with --cache or --caches-in") }
    if cache.contains("") || cachesIn == "" { throw ValidationError("--cache and --caches-in need a directory") }
  }

  func run() throws {
    let (options, takeOver, cachesIn) = (options, takeOver, cachesIn)
    let name = name ?? Self.hostName
    let caches = try resolved()
    try reporting {
      let logger = options.logger
      let folder = try cachesIn.map { try Self.resolve($0) }
      let engine = try options.engine(named: name)
      let namespace = try await Self.namespace(engine, options)
      return await withCheckedContinuation { continuation in
        var isOver = false
        @BridgeActor func finish(_ status: ExitStatus, _ message: String? = nil) {
          guard !isOver else { return }
          isOver = true
          if let message { Terminal.error(message) }
          engine.close()
          continuation.resume(returning: status)
        }
        let home = Home(
          engine, namespace,
          Home.Configuration(name: name, caches: caches, cachesIn: folder, takesOver: takeOver, logger: logger)
        ) { end in
          let failure = Self.failure(end, namespace)
          finish(failure.status, failure.description)
        }
        Signals.trap { withExtendedLifetime(home) { finish(.success) } }
        if home.open() { home.start() }
      }
    }
  }

  /// How many shards there are is asked first. An engine that is away at the start is waited for.
  @BridgeActor
  private static func namespace(_ engine: Engine, _ options: EngineOptions) async throws -> Namespace {
    let logger = options.logger
    var isFirst = true
    engine.stayConnected()
    var backoff = Backoff()
    while true {
      do {
        return try await options.space(engine, shards: nil)
      } catch let error as EngineError {
        switch error {
        case .notConnected, .unanswered:
          if isFirst {
            logger.warning("cannot reach the engine at \(options.servers.joined(separator: ", ")): \(error); trying on")
          }
          isFirst = false
          await BridgeActor.sleep(backoff.next())
        default: throw error
        }
      }
    }
  }

  private func resolved() throws -> [(name: CacheName, path: FilePath)] {
    var caches: [(name: CacheName, path: FilePath)] = []
    for text in cache {
      let (directory, named) = Self.split(text)
      let path: FilePath
      do {
        path = try Self.resolve(directory)
      } catch let failure as Failure {
        Terminal.error(failure.description)
        throw ExitCode(failure.status.rawValue)
      }
      let bytes = named.map { Array($0.utf8) } ?? path.lastComponent.map { Array($0.string.utf8) } ?? []
      guard let name = CacheName(bytes: bytes) else {
        throw ValidationError("'\(EscapedText.forPeople(bytes))' is no cache's name: use --cache \(directory)=NAME")
      }
      guard !caches.contains(where: { $0.name == name }) else {
        throw ValidationError("two caches are called \(name): use --cache DIR=NAME")
      }
      caches.append((name, path))
    }
    return caches
  }

  /// The name is behind the last `=`, unless a directory follows there.
  private static func split(_ text: String) -> (directory: String, name: String?) {
    guard let equals = text.lastIndex(of: "="), !text[equals...].contains("/"), equals > text.startIndex else {
      return (text, nil)
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func resolve(_ directory: String) throws -> FilePath {
    guard let real = realpath(directory, nil) else {
      let reason = DirectoryRefusal(FilePath(directory), Errno(rawValue: errno))
      throw failure(reason)
    }
    defer { free(real) }
    return FilePath(platformString: real)
  }

  private static func failure(_ refusal: DirectoryRefusal) -> Failure {
    let status: ExitStatus =
      switch refusal {
      case .missing, .notDirectory: .noInput
      case .held: .temporaryFailure
      case .foreign: .noPermission
      case .system(_, let reason): reason == .permissionDenied ? .noPermission : .inputOutput
      }
    return Failure(refusal.description, status)
  }

  private static func failure(_ end: Home.End, _ namespace: Namespace) -> Failure {
    switch end {
    case .refused(let refusal): failure(refusal)
    case .hasAnother(let who):
      Failure(
        "\(namespace.name) has a home already (\(who)): stop this one, or use --take-over if that host is gone",
        .temporaryFailure)
    case .deposed(let who):
      Failure("another bridge took \(namespace.name) over (\(who)): this one ends", .temporaryFailure)
    case .system(let what, let reason): Failure("\(what) (\(reason))", .inputOutput)
    }
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "home" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

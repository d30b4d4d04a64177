import ArgumentParser
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem
import Glibc
import Logging

/// The engine's servers, and the bridge's credentials.
struct EngineOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A server of the engine. May be given more than once. Default: $CACHESYNC_SERVER, then nats://127.0.0.1:4222.",
      valueName: "url"))
  var server: [String] = []

  @Option(name: .long, help: "The namespace.")
  var namespace = Namespace.defaultName

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A .creds file, or a file with an nkey seed or user:password. Only its owner may be able to read it.",
      valueName: "file"), completion: .file())
  var credentials: CommandLineWord?

  @Option(
    name: .long,
    help: ArgumentHelp("The authority that signed the engine's certificate. Requires TLS.", valueName: "file"),
    completion: .file())
  var tlsCa: CommandLineWord?

  @Option(
    name: .long, help: ArgumentHelp("The certificate to show to the engine.", valueName: "file"), completion: .file())
  var tlsCert: CommandLineWord?

  @Option(name: .long, help: ArgumentHelp("The key of that certificate.", valueName: "file"), completion: .file())
  var tlsKey: CommandLineWord?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The prefix of the subjects of answers. Default: _INBOX_USER for user:password, otherwise _INBOX.",
      valueName: "word"))
  var inboxPrefix: String?

  @Option(name: .long, help: "The least severe messages to print on standard error.")
  var logLevel = LogLevel.notice

  func validate() throws {
    guard Namespace.isName(namespace) else {
      throw ValidationError(
        "invalid namespace '\(EscapedText.forPeople(namespace))': use at most 64 letters, digits, - and _")
    }
    if let inboxPrefix, !Engine.isInboxPrefix(inboxPrefix) {
      throw ValidationError("--inbox-prefix takes letters, digits, - and _, at most 64")
    }
    if (tlsCert == nil) != (tlsKey == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
    for url in servers {
      // Before any message that prints the URL.
      guard !url.contains("@") else { throw ValidationError("no passwords on the command line: use --credentials") }
      let address = ServerAddress(url)
      guard !address.host.isEmpty, UInt16(address.port) != nil, ["nats", "tls"].contains(address.scheme) else {
        throw ValidationError(
          "invalid server '\(EscapedText.forPeople(url))': use nats://host:port or tls://host:port")
      }
    }
  }

  var servers: [String] {
    if !server.isEmpty { return server }
    let named = getenv("CACHESYNC_SERVER").map { String(cString: $0) } ?? ""
    let list = named.split { $0 == "," || $0 == " " }.map(String.init)
    return list.isEmpty ? ["nats://127.0.0.1:4222"] : list
  }

  var logger: Logger { logLevel.logger }

  /// Reads the credentials, but does not connect yet.
  @LoopActor
  func engine(named name: String) throws -> Engine {
    let known = try credentials.map { try Credentials.read($0.path) }
    let configuration = Engine.Configuration(
      servers: servers, name: name, credentials: known, tlsAuthority: tlsCa?.path,
      tlsCertificate: tlsCert?.path, tlsKey: tlsKey?.path, inboxPrefix: inboxPrefix)
    if !configuration.wantsTLS, let open = servers.map(ServerAddress.init).first(where: { !$0.isLoopback }) {
      logger.warning("without TLS every machine on the way to \(open.host) can read and change the data: use --tls-ca")
    }
    return Engine(configuration)
  }

  /// An engine that is connected, for a command that ends.
  @LoopActor
  func connected() throws -> Engine {
    let engine = try engine(named: "cachesync-bridge")
    do {
      try engine.connect()
    } catch {
      let servers = servers.map { EscapedText.forPeople($0) }.joined(separator: ", ")
      throw Failure(
        "cannot reach the engine at \(servers): \(error); start it, or name another with --server", .unavailable)
    }
    return engine
  }

  /// The namespace as its first stream describes it. A client that may not ask passes the number of shards.
  @LoopActor
  func space(_ engine: Engine, shards: Int?) async throws -> Namespace {
    if let shards {
      guard let space = Namespace(namespace, shardCount: shards) else {
        throw Failure("a namespace has 1 to \(Namespace.greatestShardCount) shards", .usage)
      }
      return space
    }
    do {
      return try await engine.namespace(namespace)
    } catch EngineError.noResponders {
      throw Failure(
        "the engine has no namespace \(namespace), or does not tell: run cachesync-bridge setup, or say --shards",
        .unavailable)
    } catch EngineError.notPermitted {
      throw Failure("the engine does not tell how many shards \(namespace) has: say it with --shards", .noPermission)
    }
  }

  /// The namespace, after asking for the number of shards. Waits for an engine that cannot be reached at the start.
  @LoopActor
  func spaceOnceReached(_ engine: Engine, shards: Int?) async throws -> Namespace {
    var isFirst = true
    engine.stayConnected()
    var backoff = Backoff.engine
    while true {
      do {
        return try await space(engine, shards: shards)
      } catch let error as EngineError {
        switch error {
        case .notConnected, .unanswered:
          if isFirst {
            logger.warning("cannot reach the engine at \(servers.joined(separator: ", ")): \(error); trying on")
          }
          isFirst = false
          await LoopActor.sleep(backoff.next())
        default: throw error
        }
      }
    }
  }
}

/// For clients without the permission to ask the engine.
struct ShardsOption: ParsableArguments {
  @Option(name: .long, help: "How many shards the namespace has, if the engine does not permit this client to ask.")
  var shards: Int?
}

/// A cache's name on the command line.
struct NameArgument: ExpressibleByArgument {
  let name: CacheName

  init?(argument: String) {
    guard let name = CacheName(argument) else { return nil }
    self.name = name
  }
}

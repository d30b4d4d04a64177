import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Make the streams of a namespace, or print how the existing ones differ.",
    discussion: """
      Does nothing if they exist already.

      \(ExitStatus.help(
        (.unavailable, "the engine cannot be reached"),
        (.noPermission, "permission denied"),
        (.configuration, "existing streams differ, or the engine is too old for replicas")))
      """)

  @Option(name: .long, help: "How many shards the namespace has, for its whole life.")
  var shards = 1

  @Option(name: .long, help: "How many servers hold each stream: 1, 3 or 5.")
  var replicas = 1

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How much each of a shard's two streams may hold, such as 500M. Default: the room that the engine has.",
      valueName: "size"))
  var maxBytes: ByteCount?

  @OptionGroup var options: EngineOptions

  func validate() throws {
    guard (1...Namespace.greatestShardCount).contains(shards) else {
      throw ValidationError("--shards takes 1 to \(Namespace.greatestShardCount)")
    }
    guard [1, 3, 5].contains(replicas) else { throw ValidationError("--replicas takes 1, 3 or 5") }
  }

  func run() throws {
    let (options, shards, replicas, maxBytes) = (options, shards, replicas, maxBytes?.count)
    try reporting {
      guard let namespace = Namespace(options.namespace, shardCount: shards) else { return .usage }
      let engine = try options.connected()
      if replicas > 1 { try Self.requireReplicas(engine) }
      return try await Self.setUp(engine, namespace, replicas: replicas, maxBytes: maxBytes)
    }
  }

  @LoopActor
  private static func requireReplicas(_ engine: Engine) throws {
    for server in engine.servers {
      guard let version = ServerVersion.of(server: server) else {
        throw Failure(
          "\(server) does not tell its version: replicas need nats-server \(needed) or later", .configuration)
      }
      guard version >= needed else {
        throw Failure(
          "\(server) is nats-server \(version): replicas need \(needed) or later; upgrade it, or use --replicas 1",
          .configuration)
      }
    }
  }

  private static let needed = ServerVersion.leastForReplicas

  @LoopActor
  private static func setUp(_ engine: Engine, _ namespace: Namespace, replicas: Int, maxBytes: Int?) async throws
    -> ExitStatus
  {
    var missing: [StreamConfiguration] = []
    var isRefused = false
    for shard in 0..<namespace.shardCount {
      for direction in Namespace.Direction.allCases {
        let stream = StreamConfiguration(namespace, direction, shard: shard, replicas: replicas, maxBytes: maxBytes)
        guard let found = try await engine.info(stream.name)?["config"] else {
          missing.append(stream)
          continue
        }
        let differences = stream.differences(from: found)
        guard !differences.isEmpty else { continue }
        isRefused = true
        Terminal.error(
          "\(stream.name) is there and differs: \(differences.joined(separator: "; ")); change or delete it yourself")
      }
    }
    // Do not create streams beside ones of another shape.
    if isRefused { return .configuration }
    for stream in missing { try await engine.create(stream) }
    let count = namespace.shardCount * 2
    Terminal.line("\(namespace.name): \(count) streams, \(missing.count) of them new")
    return .success
  }
}

/// A number of bytes on the command line: `1000000`, `500M`.
struct ByteCount: ExpressibleByArgument {
  let count: Int

  /// K, M, G and T are powers of 1,024.
  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0,
      let factor = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40][argument.dropFirst(digits.count)]
    else { return nil }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    guard !isTooLarge else { return nil }
    count = product
  }
}

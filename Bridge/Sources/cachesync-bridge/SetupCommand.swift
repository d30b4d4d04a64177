import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms

struct SetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Make the streams of a namespace, or tell how those that are there differ.",
    discussion: """
      Does nothing when they are there already. Exit status 69: no engine. 77: not permitted. 78: there are streams of \
      these names that differ, or the engine is too old for replicas.
      """)

  @Option(name: .long, help: "How many shards the namespace has, for its whole life.")
  var shards = 1

  @Option(name: .long, help: "How many servers hold each stream: 1, 3 or 5.")
  var replicas = 1

  @OptionGroup var options: EngineOptions

  func validate() throws {
    guard (1...Namespace.greatestShardCount).contains(shards) else {
      throw ValidationError("--shards takes 1 to \(Namespace.greatestShardCount)")
    }
    guard [1, 3, 5].contains(replicas) else { throw ValidationError("--replicas takes 1, 3 or 5") }
  }

  func run() throws {
    let (options, shards, replicas) = (options, shards, replicas)
    try reporting {
      guard let namespace = Namespace(options.namespace, shardCount: shards) else { return .usage }
      let engine = try options.connected()
      if replicas > 1 { try Self.requireReplicas(engine) }
      return try await Self.setUp(engine, namespace, replicas: replicas)
    }
  }

  @BridgeActor
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

  @BridgeActor
  private static func setUp(_ engine: Engine, _ namespace: Namespace, replicas: Int) async throws -> ExitStatus {
    var missing: [StreamConfiguration] = []
    var isRefused = false
    for shard in 0..<namespace.shardCount {
      for direction in Namespace.Direction.allCases {
        let stream = StreamConfiguration(namespace, direction, shard: shard, replicas: replicas)
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
    // Nothing is made beside streams of another shape.
    if isRefused { return .configuration }
    for stream in missing { try await engine.create(stream) }
    let count = namespace.shardCount * 2
    Terminal.line("\(namespace.name): \(count) streams, \(missing.count) of them new")
    return .success
  }
}

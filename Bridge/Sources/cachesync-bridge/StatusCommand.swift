import ArgumentParser
import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print what the engine holds for a namespace, which bridge writes for it, and what is wrong.",
    discussion: """
      \(ExitStatus.help(
        (.unavailable, "the engine cannot be reached, the namespace is missing, or no bridge answers"),
        (.noPermission, "permission denied")))
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: EngineOptions
  @OptionGroup var known: ShardsOption

  /// How long to wait for another answer after each one: nanoseconds.
  private static let answerPause: Int64 = 300_000_000

  func run() throws {
    let (options, json, shards) = (options, json, known.shards)
    try reporting {
      let engine = try options.connected()
      let namespace = try await options.space(engine, shards: shards)
      let report = try await Self.report(engine, namespace)
      if json { Terminal.write(report.bytes + [UInt8(ascii: "\n")]) } else { Self.print(report) }
      guard report["bridges"]?.array?.isEmpty == false else {
        throw Failure(
          "no bridge answers for \(namespace.name): start cachesync-bridge home (or pool) beside the agent",
          .unavailable)
      }
      return .success
    }
  }

  @LoopActor
  private static func report(_ engine: Engine, _ namespace: Namespace) async throws -> JSONValue {
    var shards: [JSONValue] = []
    for shard in 0..<namespace.shardCount {
      var members: TextMap<JSONValue> = ["shard": .integer(shard)]
      for direction in Namespace.Direction.allCases {
        let state = try await engine.info(namespace.stream(direction, shard))?["state"]
        members[direction.rawValue] = .object([
          "messages": state?["messages"] ?? .integer(0), "bytes": state?["bytes"] ?? .integer(0),
        ])
      }
      let owner = try await engine.lastFromLeader(namespace.ownerSubject(shard), in: namespace.stream(.out, shard))
      let record = owner.flatMap { JSONValue($0.payload) }
      // An empty nonce: the last owner released the shard.
      members["owner"] = record?["nonce"]?.string == "" ? .null : record?["agent"] ?? .null
      shards.append(.object(members))
    }
    func place(_ bridge: JSONValue) -> String {
      ["role", "name"].map { bridge[$0]?.string ?? "" }.joined(separator: " ")
    }
    let bridges = await BridgeStatus.ask(engine, namespace, pause: answerPause).sorted { place($0) < place($1) }
    return .object([
      "namespace": .string(namespace.name), "shards": .array(shards), "bridges": .array(bridges),
    ])
  }

  private static func print(_ report: JSONValue) {
    Terminal.line("namespace    \(text(report["namespace"]))")
    for shard in report["shards"]?.array ?? [] {
      let (arriving, leaving) = (shard["in"]?["messages"]?.int ?? 0, shard["out"]?["messages"]?.int ?? 0)
      Terminal.line(
        "shard \(shard["shard"]?.int ?? 0)      \(arriving) in, \(leaving) out, written by \(text(shard["owner"]))")
    }
    for bridge in report["bridges"]?.array ?? [] {
      Terminal.line("\(text(bridge["role"]))         \(text(bridge["name"])) since \(text(bridge["since"]))")
      if let shards = bridge["shards"]?.array {
        let list = shards.compactMap { $0.int.map(String.init) }.joined(separator: ", ")
        let members = (bridge["members"]?.array ?? []).map { text($0) }.joined(separator: ", ")
        Terminal.line("shards       \(list.isEmpty ? "none" : list); the pool's members: \(members)")
      }
      for cache in bridge["caches"]?.array ?? [] {
        let isServed = cache["served"]?.bool == true
        let unsent = cache["unsent"]?.int ?? 0
        Terminal.line(
          "cache        \(text(cache["cache"])): \(text(cache["path"]))\(isServed ? "" : ", NOT SERVED")"
            + (unsent == 0 ? "" : ", \(unsent) \(unsent == 1 ? "file" : "files") to be sent"))
      }
      if let count = bridge["leftAlone"]?.int {
        Terminal.line("left alone   \(count) \(count == 1 ? "key" : "keys") that no cache here takes")
      }
      for problem in bridge["problems"]?.array ?? [] {
        Terminal.line("problem      \(text(problem["message"])), since \(text(problem["since"]))")
      }
    }
  }

  private static func text(_ value: JSONValue?) -> String { EscapedText.forPeople(value?.string ?? "-") }
}

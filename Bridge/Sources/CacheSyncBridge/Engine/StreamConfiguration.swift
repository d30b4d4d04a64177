package import CacheSync

/// A stream as `setup` creates it, and its differences from another one (wire.md section 1).
package struct StreamConfiguration: Sendable, Equatable {
  package let name: String
  private let members: TextMap<JSONValue>

  /// - Parameter maxBytes: the most that it may hold; nil: as much as the engine has room for.
  package init(
    _ namespace: Namespace, _ direction: Namespace.Direction, shard: Int, replicas: Int, maxBytes: Int? = nil
  ) {
    name = namespace.stream(direction, shard)
    let prefix = namespace.prefix(direction, shard)
    var members: TextMap<JSONValue> = [
      "name": .string(name),
      "description": .string(Self.description(shard: shard, of: namespace.shardCount)),
      "subjects": .array([.string(prefix + ">")]),
      "retention": .string("limits"),
      "storage": .string("file"),
      "discard": .string("new"),
      "max_msgs_per_subject": .integer(1),
      "max_msgs": .integer(-1),
      "max_age": .integer(0),
      "num_replicas": .integer(replicas),
      "allow_direct": .bool(true),
      "deny_purge": .bool(true),
      "allow_rollup_hdrs": .bool(false),
    ]
    // Without a number the operator owns the limit, and may set one later.
    if let maxBytes { members["max_bytes"] = .integer(maxBytes) }
    if direction == .out {
      // The bell announces a new set of a cache, without its content.
      members["republish"] = .object([
        "src": .string(prefix + "*"), "dest": .string("\(namespace.name).set.{{wildcard(1)}}"),
        "headers_only": .bool(true),
      ])
    }
    self.members = members
  }

  /// Owners read the namespace's number of shards from this description.
  static func description(shard: Int, of count: Int) -> String { "CacheSync: shard \(shard) of \(count)" }

  package static func shardCount(description: String) -> Int? {
    guard description.hasPrefix("CacheSync: shard "), let last = description.split(separator: " ").last,
      let count = Int(last), count > 0
    else { return nil }
    return count
  }

  package var request: [UInt8] { JSONValue.object(members).bytes }

  /// The values of members that an engine leaves out.
  private static let defaults: TextMap<JSONValue> = [
    "description": .string(""), "max_age": .integer(0), "allow_direct": .bool(false), "deny_purge": .bool(false),
    "allow_rollup_hdrs": .bool(false), "republish": .null, "max_bytes": .integer(-1),
  ]

  /// Settings that a namespace's stream must not have, each with the value that an engine leaves out.
  private static let unwanted: TextMap<JSONValue> = [
    "allow_msg_ttl": .bool(false), "allow_msg_schedules": .bool(false), "allow_atomic": .bool(false),
    "allow_batched": .bool(false), "allow_msg_counter": .bool(false), "sealed": .bool(false),
    "deny_delete": .bool(false),
    "no_ack": .bool(false),
    "mirror": .null, "sources": .null, "subject_transform": .null, "republish": .null,
    "discard_new_per_subject": .bool(false),
  ]

  /// The differences of an existing stream: one text for each member, in the members' order.
  package func differences(from found: JSONValue) -> [String] {
    let wanted = Self.unwanted.merging(members) { _, own in own }
    return wanted.keys.sorted().compactMap { key in
      let value = found[key] ?? Self.defaults[key] ?? Self.unwanted[key] ?? .null
      guard let own = wanted[key], value != own else { return nil }
      return "\(key) is \(Self.text(value)) and must be \(Self.text(own))"
    }
  }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
}

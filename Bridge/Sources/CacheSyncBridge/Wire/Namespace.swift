/// The streams and subjects of a namespace (wire.md section 1).
package struct Namespace: Hashable, Sendable {
  package let name: String
  /// Never changes during the life of a namespace.
  package let shardCount: Int

  package static let defaultName = "cachesync"

  /// Returns nil for a name that cannot be part of a stream's name, and for an invalid number of shards.
  package init?(_ name: String, shardCount: Int) {
    guard Self.isName(name), (1...Self.greatestShardCount).contains(shardCount) else { return nil }
    self.name = name
    self.shardCount = shardCount
  }

  /// Every shard is two streams of the engine, so this bounds a namespace at 8,192 streams.
  package static let greatestShardCount = 4_096

  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { SubjectToken.encode(CollectionOfOne($0)).utf8.count == 1 }
  }

  /// The shard of a cache: FNV-1a of 32 bits over the encoded name, as NATS's own `partition()` computes it.
  package func shard(of cache: CacheName) -> Int {
    let hash = cache.token.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash % UInt32(shardCount))
  }

  package enum Direction: String, Sendable, CaseIterable {
    /// Session files, towards the agent.
    case `in`
    /// Snapshots, away from it.
    case out
  }

  private func bucket(_ direction: Direction, _ shard: Int) -> String { "\(name)-\(direction.rawValue)-\(shard)" }

  package func stream(_ direction: Direction, _ shard: Int) -> String { "KV_\(bucket(direction, shard))" }

  /// The beginning of each subject of a stream; the key follows.
  package func prefix(_ direction: Direction, _ shard: Int) -> String { "$KV.\(bucket(direction, shard))." }

  package func subject(of key: SessionKey) -> String { prefix(.in, shard(of: key.cache)) + key.text }

  package func setSubject(of cache: CacheName) -> String { prefix(.out, shard(of: cache)) + cache.token }

  package func ownerSubject(_ shard: Int) -> String { prefix(.out, shard) + "_owner" }

  package func goodSubject(of key: SessionKey) -> String { prefix(.out, shard(of: key.cache)) + "_good." + key.text }

  /// The subject of the bell: a message without content that announces a new set of a cache.
  package func bellSubject(of cache: CacheName) -> String { "\(name).set.\(cache.token)" }

  /// The bridge refuses a longer subject with a message that names it. Above 4 KiB the server would close the
  /// connection.
  package static let longestSubject = 1_024
}

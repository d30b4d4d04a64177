/// Assigns each shard to a member of a pool. Every member computes the same division from the names that it receives.
///
/// Rendezvous hashing: each shard goes to the member with the greatest hash of both, among those without a full share.
/// So each member has as many shards as any other, or one more, and few shards move when a member comes or goes.
struct ShardDivision: Sendable, Hashable {
  private let members: [String]

  /// Assigns no shard when there are no members.
  init(shardCount: Int, members: Set<String>) {
    guard !members.isEmpty else {
      self.members = []
      return
    }
    let share = shardCount / members.count
    // How many members have one more shard than the others.
    var extra = shardCount % members.count
    var counts = members.reduce(into: [:]) { $0[$1] = 0 }
    self.members = (0..<shardCount).map { shard in
      let open = counts.filter { $0.value < share || $0.value == share && extra > 0 }
      let ranked = open.map { (weight: Self.weight(shard, $0.key), name: $0.key, count: $0.value) }
      guard let best = ranked.max(by: { ($0.weight, $0.name) < ($1.weight, $1.name) }) else {
        preconditionFailure("the shares together are all shards")
      }
      if best.count == share { extra -= 1 }
      counts[best.name] = best.count + 1
      return best.name
    }
  }

  subscript(shard: Int) -> String? { members.indices.contains(shard) ? members[shard] : nil }

  /// FNV-1a of 64 bits over the shard's number, a space and the name, then the last step of MurmurHash3. Without that
  /// step, names that differ only in their last byte would have the same order of hashes for every shard.
  private static func weight(_ shard: Int, _ name: String) -> UInt64 {
    var hash = "\(shard) \(name)".utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ (hash >> 33)
  }
}

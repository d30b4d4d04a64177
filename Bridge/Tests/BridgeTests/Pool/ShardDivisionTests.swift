import Testing

@testable import CacheSyncBridge

@Suite("The division of shards among a pool's members")
struct ShardDivisionTests {
  private static func counts(_ shardCount: Int, _ members: Set<String>) -> [Int] {
    let division = ShardDivision(shardCount: shardCount, members: members)
    let owners = (0..<shardCount).compactMap { division[$0] }
    return members.map { name in owners.count { $0 == name } }.sorted()
  }

  @Test(
    "Every member gets as many shards as any other, or one more",
    arguments: [
      (1, 1, [1]), (8, 1, [8]), (8, 2, [4, 4]), (8, 3, [2, 3, 3]), (16, 4, [4, 4, 4, 4]), (2, 3, [0, 1, 1]),
      (10, 4, [2, 2, 3, 3]),
    ])
  func even(shards: Int, members: Int, counts: [Int]) {
    #expect(Self.counts(shards, Set((0..<members).map { "host-\($0)" })) == counts)
    #expect(Self.counts(shards, Set((0..<members).map { "\($0).example" })) == counts)
  }

  @Test("Without members, no shard is divided")
  func empty() { #expect(ShardDivision(shardCount: 4, members: [])[0] == nil) }

  // BRIDGE's goal for a takeover is about 16 shards: the 4 of the fourth member must move, and few of the other 12.
  @Test("When a member leaves, few of the others' shards move")
  func stable() {
    var moved = 0
    for run in 0..<100 {
      let all = Set((0..<4).map { "host-\(run)-\($0)" })
      let gone = "host-\(run)-0"
      let (before, after) = (
        ShardDivision(shardCount: 16, members: all), ShardDivision(shardCount: 16, members: all.subtracting([gone]))
      )
      moved += (0..<16).count { before[$0] != gone && before[$0] != after[$0] }
    }
    #expect(moved <= 400, "\(moved) of 1,200")
  }
}

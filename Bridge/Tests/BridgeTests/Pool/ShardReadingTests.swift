import CacheSyncSystem
import Testing

@testable import CacheSyncBridge

// Inside the suite that is serialized, because the bridge has one thread.
extension SessionFilesTests {
  @Suite("The reading of a shard")
  struct ShardReadingTests {
    @Test("voids a comparison that awaits the engine as soon as it begins again")
    func beginningAgain() throws {
      let namespace = try #require(Namespace("cachesync", shardCount: 1))
      try LoopActor.run {
        // Without a connection nothing of `in` comes, which is read last.
        let engine = Engine(.init(servers: [], name: "test"))
        let reading = ShardReading(engine, namespace, shard: 0, nonce: "me") { _ in }
        var rounds: Set<Int> = []
        for _ in 0..<3 {
          reading.start()
          #expect(rounds.insert(reading.round).inserted && !reading.isWhole)
          reading.recordComparison()
        }
      }
    }
  }
}

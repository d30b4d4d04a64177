import CacheSyncSystem
import Testing

@testable import CacheSyncBridge

// Inside the serialized suite, because the bridge has one thread.
extension SessionFilesTests {
  @Suite("The reading of a shard")
  struct ShardReadingTests {
    @Test("Starting again voids a comparison that waits for the engine")
    func beginningAgain() throws {
      let namespace = try #require(Namespace("cachesync", shardCount: 1))
      try LoopActor.run {
        // Without a connection nothing arrives of `in`, which is read last.
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

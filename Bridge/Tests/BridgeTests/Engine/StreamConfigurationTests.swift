import CacheSync
import Testing

@testable import CacheSyncBridge

@Suite("A stream")
struct StreamConfigurationTests {
  private func stream(_ direction: Namespace.Direction) throws -> StreamConfiguration {
    StreamConfiguration(try #require(Namespace("cachesync", shardCount: 4)), direction, shard: 2, replicas: 1)
  }

  @Test("The description has the number of shards")
  func description() throws {
    let value = try #require(JSONValue(try stream(.out).request))
    #expect(value["description"]?.string.flatMap(StreamConfiguration.shardCount) == 4)
    #expect(StreamConfiguration.shardCount(description: "mine") == nil)
  }

  @Test("An existing stream is accepted, whatever other members the engine reports")
  func same() throws {
    for direction in Namespace.Direction.allCases {
      let stream = try stream(direction)
      var members = try #require(JSONValue(stream.request)?.object)
      members["max_bytes"] = .integer(1_000_000)
      members["placement"] = .object([:])
      #expect(stream.differences(from: .object(members)) == [])
    }
  }

  @Test("A size limit matters only if the stream was configured with one")
  func limit() throws {
    let namespace = try #require(Namespace("cachesync", shardCount: 4))
    let limited = StreamConfiguration(namespace, .in, shard: 2, replicas: 1, maxBytes: 4_096)
    #expect(JSONValue(limited.request)?["max_bytes"]?.int == 4_096)
    #expect(try stream(.in).differences(from: try #require(JSONValue(limited.request))) == [])
    for found in [JSONValue.integer(-1), .integer(8_192), .null] {
      var members = try #require(JSONValue(limited.request)?.object)
      members["max_bytes"] = found == .null ? nil : found
      #expect(
        limited.differences(from: .object(members)) == [
          "max_bytes is \(found == .integer(8_192) ? 8_192 : -1) and must be 4096"
        ])
    }
  }

  @Test(
    "Differences that would break the stream are reported",
    arguments: [
      ("max_msgs_per_subject", JSONValue.integer(5)), ("allow_rollup_hdrs", .bool(true)), ("deny_purge", .bool(false)),
      ("allow_direct", .null), ("max_age", .integer(1)), ("storage", .string("memory")), ("allow_msg_ttl", .bool(true)),
      ("subjects", .array([.string(">")])), ("num_replicas", .integer(3)), ("republish", .object([:])),
      ("sealed", .bool(true)), ("deny_delete", .bool(true)), ("mirror", .object(["name": .string("x")])),
    ])
  func different(key: String, value: JSONValue) throws {
    for direction in Namespace.Direction.allCases {
      let stream = try stream(direction)
      var members = try #require(JSONValue(stream.request)?.object)
      members[key] = value == .null ? nil : value
      let differences = stream.differences(from: .object(members))
      #expect(differences.count == 1 && differences[0].hasPrefix("\(key) is "))
    }
  }
}

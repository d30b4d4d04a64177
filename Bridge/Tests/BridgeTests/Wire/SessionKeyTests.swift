import CacheSync
import Testing

@testable import CacheSyncBridge

@Suite("A key")
struct SessionKeyTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // By hand, from the contract's rule.
  @Test(
    "A key is a cache and a path in characters that a subject may have",
    arguments: [
      ("kitchen", "tasks/a b.json", "kitchen.tasks.a=20b"),
      ("kitchen", "cachesync.json", "kitchen.cachesync"),
      ("kitchen", "cachedTasks.json", "kitchen.cachedTasks"),
      ("_x", "tasks/_y.json", "=5Fx.tasks._y"),
      ("a.b", "health/2026-11/a.b=c.json", "a=2Eb.health.2026-11.a=2Eb=3Dc"),
      ("küche", "tasks/ä.json", "k=C3=BCche.tasks.=C3=A4"),
      ("*>", "meal-plan/$.json", "=2A=3E.meal-plan.=24"),
    ])
  func encoding(cache: String, path: String, text: String) throws {
    let name = try #require(CacheName(cache))
    let key = try #require(SessionKey(cache: name, path: Self.bytes(path)))
    #expect(key.text == text)
    #expect(SessionKey(text: text) == key)
  }

  @Test(
    "A path that is never read, or that no feed reads, has no key",
    arguments: [
      "snapshots/a.json", ".cachesync/a.json", "tasks/.a.json", "tasks/a.json~", "tasks/a.tmp.json", "other/a.json",
      "tasks/a", "tasks//a.json", "/tasks/a.json", "tasks/../a.json", "",
    ])
  func unread(path: String) throws {
    let cache = try #require(CacheName("kitchen"))
    #expect(SessionKey(cache: cache, path: Self.bytes(path)) == nil)
  }

  @Test(
    "A text that does not encode a path is not a key",
    arguments: [
      "", "kitchen", "kitchen.", ".tasks.a", "kitchen.tasks", "kitchen.tasks.a=2fb", "kitchen.tasks.a=2Fb",
      "kitchen.tasks.a=00b", "kitchen.tasks.=61", "kitchen.tasks.a=", "kitchen.tasks.a=2", "kitchen.tasks.a=G0",
      "kitchen.tasks.a b", "kitchen..a", "_x.tasks.a", "=5Fx.other.a", "=2Ex.tasks.a", "==.tasks.a", "=.tasks.a",
      "kitchen.tasks.=2Ea", "kitchen.snapshots.a",
    ])
  func foreign(text: String) { #expect(SessionKey(text: text) == nil) }

  @Test("A key leads back to its path for every byte that a name may have")
  func everyByte() throws {
    let cache = try #require(CacheName("kitchen"))
    for byte in UInt8.min...UInt8.max {
      let path = Self.bytes("tasks/x") + [byte] + Self.bytes(".json")
      // A slash would make a directory of the part before it, and no name has a zero byte. "x~.json" is read.
      guard let key = SessionKey(cache: cache, path: path) else {
        #expect(byte == 0 || byte == UInt8(ascii: "/"))
        continue
      }
      #expect(SessionKey(text: key.text)?.path == path)
      #expect(key.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: ">") })
    }
  }

  // Checked with Python: h = 2166136261; for b in name: h = ((h ^ b) * 16777619) & 0xFFFFFFFF; h % shards.
  @Test(
    "A key's shard is computed with FNV-1a",
    arguments: [
      ("kitchen", 16, 15), ("kitchen", 1, 0), ("a", 16, 12), ("=5Fx", 16, 1), ("user-12345", 16, 0),
    ])
  func shard(token: String, shards: Int, shard: Int) throws {
    let namespace = try #require(Namespace("cachesync", shardCount: shards))
    let cache = try #require(CacheName(token: token))
    #expect(namespace.shard(of: cache) == shard)
  }

  @Test("A key has a subject below its shard's bucket")
  func subjects() throws {
    let namespace = try #require(Namespace("home", shardCount: 1))
    let cache = try #require(CacheName("kitchen"))
    let key = try #require(SessionKey(cache: cache, path: Self.bytes("tasks/a.json")))
    #expect(namespace.subject(of: key) == "$KV.home-in-0.kitchen.tasks.a")
    #expect(namespace.goodSubject(of: key) == "$KV.home-out-0._good.kitchen.tasks.a")
    #expect(namespace.setSubject(of: cache) == "$KV.home-out-0.kitchen")
    #expect(namespace.ownerSubject(0) == "$KV.home-out-0._owner")
    #expect(namespace.bellSubject(of: cache) == "home.set.kitchen")
    #expect(namespace.stream(.in, 0) == "KV_home-in-0")
  }

  @Test("A namespace must be a valid name of a stream", arguments: ["", "a.b", "a b", "*", "ä"])
  func namespaces(name: String) { #expect(Namespace(name, shardCount: 1) == nil) }
}

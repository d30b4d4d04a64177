import CacheSyncSystem
import Testing

@testable import CacheSyncBridge

@Suite("Texts of the engine")
struct EngineTextTests {
  // By hand: 2026-11-22T23:10:19Z is 1795389019.
  @Test(
    "A moment is read to the nanosecond",
    arguments: [
      ("2026-11-22T23:10:19Z", 1_795_389_019_000_000_000), ("2026-11-22T23:10:19.1Z", 1_795_389_019_100_000_000),
      ("2026-11-22T23:10:19.123456789Z", 1_795_389_019_123_456_789),
    ] as [(String, Int64)])
  func moments(text: String, nanoseconds: Int64) { #expect(EngineText.nanoseconds(text) == nanoseconds) }

  @Test("Any other text is not a moment", arguments: ["", "Z", "2026-11-22T23:10:19", "2026-11-22T23:10:19.Z", "x.1Z"])
  func noMoments(text: String) { #expect(EngineText.nanoseconds(text) == nil) }

  // RFC 4648, section 10.
  @Test(
    "Bytes are read from base64",
    arguments: [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
      ("Zm9vYmFy", "foobar"),
    ])
  func base64(text: String, plain: String) { #expect(EngineText.bytes(base64: text) == Array(plain.utf8)) }

  @Test("Invalid base64 is refused", arguments: ["Z", "Zg", "Zg=", "Zm9v!A==", "=", "==="])
  func noBase64(text: String) { #expect(EngineText.bytes(base64: text) == nil) }

  @Test(
    "A delivery is read from each form of its reply subject",
    arguments: [
      "$JS.ACK.S.c.1.42.7.1795389019123456789.3", "$JS.ACK._.hash.S.c.1.42.7.1795389019123456789.3",
      "$JS.ACK._.hash.S.c.1.42.7.1795389019123456789.3.random",
    ])
  func delivery(reply: String) {
    let delivery = EngineText.Delivery(reply: reply)
    #expect(delivery?.sequence == 42)
    #expect(delivery?.number == 7)
    #expect(delivery?.time == 1_795_389_019_123_456_789)
    #expect(delivery?.pending == 3)
  }

  @Test(
    "Any other subject is not a delivery", arguments: ["", "_INBOX.x", "$JS.ACK.S.c.1.42", "$JS.ACK.S.c.1.x.7.1.3"])
  func noDelivery(reply: String) { #expect(EngineText.Delivery(reply: reply) == nil) }

  @Test("A retry waits 0.1 s to 10 s, half of it random")
  func backoff() {
    for (failures, milliseconds) in [(1, 100), (4, 800), (8, 10_000), (100, 10_000), (Int.max, 10_000)] {
      let pauses = (0..<50).map { _ in Backoff.engine.pause(after: failures) / .milliseconds(1) }
      #expect(pauses.allSatisfy { $0 >= Double(milliseconds) / 2 && $0 <= Double(milliseconds) }, "\(pauses)")
      #expect(Set(pauses).count > 1)
    }
  }

  @Test(
    "A server's address has a host, a port and TLS",
    arguments: [
      ("nats://engine:4333", "engine", "4333", false, false), ("engine", "engine", "4222", false, false),
      ("tls://[::1]:1", "::1", "1", true, true), ("nats://127.0.0.2/", "127.0.0.2", "4222", false, true),
    ])
  func addresses(url: String, host: String, port: String, isTLS: Bool, isLoopback: Bool) {
    let address = ServerAddress(url)
    #expect(address.host == host && address.port == port)
    #expect(address.isTLS == isTLS && address.isLoopback == isLoopback)
  }

  @Test("A server version is parsed and compared")
  func versions() throws {
    let least = ServerVersion.leastForReplicas
    #expect(try #require(ServerVersion("2.9.10")) < least)
    #expect(try #require(ServerVersion("2.12.7-RC.1")) >= least)
    #expect(try #require(ServerVersion("2.15.1")) >= least)
    #expect(ServerVersion("x") == nil && ServerVersion("2.9") == nil)
  }
}

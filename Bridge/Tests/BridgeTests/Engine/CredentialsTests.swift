import SystemPackage
import Testing

@testable import CacheSyncBridge

@Suite("Credentials")
struct CredentialsTests {
  @Test("Credentials may be a password, which may contain colons")
  func password() throws {
    #expect(try Credentials.parse("me:a:b\n", file: "f") == .password(user: "me", password: "a:b"))
  }

  @Test("Credentials may be a file of nsc")
  func creds() throws {
    #expect(try Credentials.parse("-----BEGIN NATS USER JWT-----\nx\n", file: "f") == .file("f"))
  }

  // Both from the documentation of nats-server.
  @Test("Credentials may be an nkey's seed, and its public key is computed")
  func seed() throws {
    let found = try Credentials.parse("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n", file: "f")
    #expect(found == .seed("f", publicKey: "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"))
  }

  @Test(
    "Other texts are refused",
    arguments: ["", "x", ":x", "a:b\nc:d", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VA"])
  func none(text: String) {
    #expect(throws: Credentials.Failure.unknown("f")) { try Credentials.parse(text, file: "f") }
  }
}

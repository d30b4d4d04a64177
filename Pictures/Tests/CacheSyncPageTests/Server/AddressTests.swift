import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("Addresses of the page")
struct AddressTests {
  @Test("Addresses are parsed and printed unchanged")
  func reading() {
    for text in ["127.0.0.1:8735", "[::1]:0", "localhost:80", "0.0.0.0:65535", "unix:/run/page.sock"] {
      #expect(ListenAddress(text)?.description == text)
    }
  }

  @Test("A socket's path may have any bytes")
  func bytes() throws {
    let address = try #require(ListenAddress(Array("unix:/run/".utf8) + [0xff] + Array("/x".utf8)))
    guard case .unix(let path) = address else {
      Issue.record("\(address) is not a socket")
      return
    }
    #expect(path.withPlatformString { $0[5] } == CChar(bitPattern: 0xff))
    #expect(address.description == #"unix:/run/\xff/x"#)
  }

  @Test(
    "Other addresses are refused",
    arguments: [
      "", ":", "8735", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8735", "[127.0.0.1]:80",
      "[::1]", "shelf.example:80", "unix:", "unix:/" + String(repeating: "x", count: 107), "http://127.0.0.1:80",
    ])
  func refusing(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test("Local addresses are distinguished from those that others can reach")
  func local() throws {
    for (text, isLocal) in [
      ("127.0.0.1:1", true), ("[::1]:1", true), ("unix:/x", true), ("0.0.0.0:1", false), ("[::]:1", false),
    ] {
      #expect(try #require(ListenAddress(text)).isLocal == isLocal)
    }
    #expect(ListenAddress("0.0.0.0:1")?.forBrowsers == "127.0.0.1:1")
  }
}

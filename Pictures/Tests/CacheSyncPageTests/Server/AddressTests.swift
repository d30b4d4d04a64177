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
  }

  @Test("On all addresses, browsers find the page at each one that others can reach, or else at the loopback")
  func machine() throws {
    let machine = ["127.0.0.1", "192.168.1.5", "169.254.3.4", "::1", "fd00::5", "fe80::1", "127.0.0.9"]
    for (text, places) in [
      ("0.0.0.0:1", ["192.168.1.5:1"]), ("[::]:1", ["192.168.1.5:1", "[fd00::5]:1"]), ("127.0.0.2:1", ["127.0.0.2:1"]),
      ("[fd00::7]:1", ["[fd00::7]:1"]), ("unix:/x", ["unix:/x"]),
    ] {
      #expect(ListenAddress(text)?.forBrowsers(on: machine) == places)
    }
    #expect(ListenAddress("0.0.0.0:1")?.forBrowsers(on: ["127.0.0.1", "fd00::5"]) == ["127.0.0.1:1"])
    #expect(ListenAddress("[::]:1")?.forBrowsers(on: ["fe80::1"]) == ["[::1]:1"])
    #expect(ListenAddress.machine.contains("127.0.0.1"))
  }
}

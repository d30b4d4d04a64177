import HTTPTypes
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("The guards")
struct GuardTests {
  private let key = "0123456789abcdef0123456789abcdef"
  private var guards: Guard {
    Guard(address: .tcp(host: "127.0.0.1", port: 8735), Access(allowedHosts: ["shelf.example"], key: key))
  }

  private func head(host: String?, _ fields: HTTPFields = [:]) -> HTTPRequest {
    HTTPRequest(method: .get, scheme: nil, authority: host, path: "/", headerFields: fields)
  }

  @Test("Our own names with the port, and allowed names, are accepted")
  func hosts() throws {
    for host in [
      "localhost:8735", "127.0.0.1:8735", "[::1]:8735", "LOCALHOST:8735", "shelf.example", "shelf.example:8735",
    ] {
      try guards.checkHost(head(host: host))
    }
    for host in [nil, "", "localhost", "localhost:80", "evil.example:8735", "127.0.0.1.:8735", "localhost:8735."] {
      #expect(throws: Refusal.misdirected) { try guards.checkHost(head(host: host)) }
    }
  }

  @Test(
    "The address that the server listens on is accepted",
    arguments: [
      ("192.168.1.5:8735", "192.168.1.5:8735"), ("[fd00::5]:8735", "[fd00::5]:8735"),
      ("[FD00:0::5]:8735", "[fd00::5]:8735"), ("127.0.0.2:80", "127.0.0.2"),
    ])
  func listenedHost(listen: String, host: String) throws {
    let address = try #require(ListenAddress(listen))
    try Guard(address: address, Access(allowedHosts: [], key: key)).checkHost(head(host: host))
    let everywhere = Guard(address: .tcp(host: "0.0.0.0", port: 8735), Access(allowedHosts: [], key: key))
    #expect(throws: Refusal.misdirected) { try everywhere.checkHost(head(host: "0.0.0.0:8735")) }
  }

  @Test(
    "The address that a connection reached is accepted in its own spelling, and so is its origin",
    arguments: [
      ("192.168.1.5", 8735, "192.168.1.5:8735"), ("::ffff:192.168.1.5", 8735, "192.168.1.5:8735"),
      ("fd00::5", 8735, "[FD00::5]:8735"), ("192.168.1.5", 80, "192.168.1.5"), ("192.168.1.5", 80, "192.168.1.5:80"),
    ])
  func reachedHost(local: String, port: Int, host: String) throws {
    let everywhere = Guard(address: .tcp(host: "::", port: port), Access(allowedHosts: ["shelf.example"], key: key))
    let reached = everywhere.reached(at: local)
    try reached.checkHost(head(host: host))
    for other in [host, "shelf.example"] {
      try reached.checkOrigin(head(host: other, [.origin: "http://\(host)"]))
    }
    for other in ["192.168.1.6:\(port)", "192.168.1.5:1", "[fd00:0::5]:\(port)", "192.168.1.5.evil.example:\(port)"] {
      #expect(throws: Refusal.misdirected) { try reached.checkHost(head(host: other)) }
    }
    // The same number with TLS may be another server.
    for (guards, origin) in [(reached, "https://\(host)"), (everywhere, "http://\(host)")] {
      #expect(throws: Refusal.foreignOrigin) { try guards.checkOrigin(head(host: "shelf.example", [.origin: origin])) }
    }
    #expect(throws: Refusal.misdirected) { try everywhere.reached(at: nil).checkHost(head(host: host)) }
  }

  @Test("A second Host is refused, whatever it is")
  func twoHosts() throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "localhost:8735"))
    #expect(throws: Refusal.misdirected) { try guards.checkHost(head(host: "localhost:8735", fields)) }
  }

  @Test("On port 80 and on a unix socket, names without a port are accepted")
  func otherAddresses() throws {
    try Guard(address: .tcp(host: "127.0.0.1", port: 80), Access(allowedHosts: [], key: key)).checkHost(
      head(host: "localhost"))
    let socket = Guard(address: .unix("/run/page.sock"), Access(allowedHosts: [], key: nil))
    try socket.checkHost(head(host: "localhost"))
    try socket.checkKey(head(host: "localhost"), others: [])
    #expect(throws: Refusal.misdirected) { try socket.checkHost(head(host: "127.0.0.1")) }
  }

  @Test("The key may be in the address or in this server's cookie")
  func keys() throws {
    try guards.checkKey(head(host: nil), others: [key])
    try guards.checkKey(head(host: nil, [.cookie: "a=b; cachesync-8735=\(key); c=d"]), others: [])
    let wrong = String(key.dropLast()) + "0"
    for cookie in [
      "", "cachesync-8736=\(key)", "cachesync-8735=\(wrong)", "xcachesync-8735=\(key)", "cachesync-8735=\(key)0",
    ] {
      #expect(throws: Refusal.noKey) { try guards.checkKey(head(host: nil, [.cookie: cookie]), others: ["", wrong]) }
    }
  }

  @Test("Only posts from our own pages are accepted")
  func origins() throws {
    try guards.checkOrigin(head(host: "localhost:8735", [.origin: "http://localhost:8735"]))
    for origin in [
      "null", "", "http://127.0.0.1:8735", "http://localhost:8735.evil.example", "http://localhost",
      "ftp://localhost:8735",
      "http://evil.example:8735",
    ] {
      #expect(throws: Refusal.foreignOrigin) { try guards.checkOrigin(head(host: "localhost:8735", [.origin: origin])) }
    }
    #expect(throws: Refusal.foreignOrigin) { try guards.checkOrigin(head(host: "localhost:8735")) }
    // A proxy may use TLS, whatever the name, and browsers leave out the usual port.
    for (host, origin) in [
      ("localhost:8735", "https://localhost:8735"), ("shelf.example", "https://shelf.example"),
      ("shelf.example", "http://shelf.example"), ("shelf.example:443", "https://shelf.example"),
      ("shelf.example:80", "http://shelf.example"), ("localhost:8735", "http://shelf.example:8735"),
    ] {
      try guards.checkOrigin(head(host: host, [.origin: origin]))
    }
    #expect(throws: Refusal.foreignOrigin) {
      try guards.checkOrigin(head(host: "shelf.example:443", [.origin: "http://shelf.example"]))
    }
    #expect(throws: Refusal.foreignOrigin) {
      try guards.checkOrigin(head(host: "localhost:8735", [.origin: "https://shelf.example"]))
    }
  }

  @Test("Only from a trusted proxy do forwarded fields count, of a list the last, and only valid ones")
  func forwarded() throws {
    let address = ListenAddress.tcp(host: "127.0.0.1", port: 8735)
    let proxy = try #require(TrustedProxy("10.0.0.0/8"))
    let guards = Guard(address: address, Access(allowedHosts: ["wall.example"], key: key, proxies: [proxy]))
    func seen(_ fields: [(String, String)], from peer: String? = "10.1.2.3") throws -> HTTPRequest {
      var given = HTTPFields()
      for (name, value) in fields { given.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
      return guards.seen(head(host: "localhost:8735", given), from: peer)
    }
    let all = [
      ("X-Forwarded-Proto", "http, https"), ("X-Forwarded-Host", "evil.example"),
      ("X-Forwarded-Host", "other.example, wall.example"), ("X-Forwarded-Prefix", "/wall/"),
      ("X-Forwarded-For", "10.0.0.1"), ("Forwarded", "host=evil.example;proto=https"),
    ]
    let trusted = try seen(all)
    #expect(trusted.scheme == "https" && trusted.authority == "wall.example")
    #expect(trusted.headerFields[.forwardedPrefix] == "/wall")
    try guards.checkHost(trusted)
    for peer in ["127.0.0.1", "11.0.0.1", nil] {
      let other = try seen(all, from: peer)
      #expect(other.scheme == "http" && other.authority == "localhost:8735")
      #expect(other.headerFields[.forwardedPrefix] == nil)
    }
    // Trust does not allow a name.
    #expect(throws: Refusal.misdirected) { try guards.checkHost(try seen([("X-Forwarded-Host", "evil.example")])) }
    for value in ["", "wall.example/x", "a b", "wall.example:", "wall.example:x", "wall.example:99999", "[::1", "a\"b"]
    {
      #expect(try seen([("X-Forwarded-Host", value)]).authority == "localhost:8735", "\(value)")
    }
    for value in ["wall", "/a//b", "/a/../b", "", "//evil.example", "/a\tb", "/a b"] {
      #expect(try seen([("X-Forwarded-Prefix", value)]).headerFields[.forwardedPrefix] == nil, "\(value)")
    }
    #expect(try seen([("X-Forwarded-Proto", "ws")]).scheme == "http")
  }

  @Test(
    "A proxy is an address, a network or unix",
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
      ("127.0.0.1", "::ffff:127.0.0.1", "::1"),
      ("10.0.0.128/25", "10.0.0.200", "10.0.0.127"), ("fd00::/12", "fd0f::1", "fd10::1"), ("::1", "::1", "::2"),
      ("0.0.0.0/0", "1.2.3.4", "::1"),
    ])
  func proxies(text: String, inside: String, outside: String) throws {
    let proxy = try #require(TrustedProxy(text))
    #expect(proxy.includes(inside) && !proxy.includes(outside) && !proxy.includes(nil))
  }

  @Test("On a unix socket the trusted proxy is whichever program connects")
  func unixProxy() throws {
    #expect(TrustedProxy.unix.includes(nil) && !TrustedProxy.unix.includes("127.0.0.1"))
    let access = Access(allowedHosts: ["wall.example"], key: nil, proxies: [.unix])
    let name = try #require(HTTPField.Name("X-Forwarded-Proto"))
    let asked = head(host: "wall.example", [name: "https"])
    let socket = Guard(address: .unix("/run/page.sock"), access)
    #expect(socket.seen(asked, from: nil).scheme == "https")
    try socket.checkHost(asked)
    #expect(Guard(address: .standard, access).seen(asked, from: nil).scheme == "http")
  }

  @Test(
    "Other proxies are refused",
    arguments: [
      "", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/8/8", "10.0.0", "::1/129", "/8", "unix:",
    ])
  func noProxy(text: String) {
    #expect(TrustedProxy(text) == nil)
  }

  @Test("An origin has a scheme and a host, and no path")
  func frames() {
    for text in ["https://dashboard.example", "http://10.0.0.1:8123", "https://[fd00::1]:443", "http://localhost"] {
      #expect(Access.isOrigin(text), "\(text)")
    }
    for text in [
      "", "*", "https://*", "https://*.example", "dashboard.example", "https://", "https://a/", "https://a/b",
      "ftp://a", "https://a:",
      "https://a;script-src *", "https://a b", "https://[::1", "'self'", "https://a:99999",
    ] {
      #expect(!Access.isOrigin(text), "\(text)")
    }
  }

  @Test("The cookie lives as long as the key, and is only for TLS behind a proxy with TLS")
  func cookie() {
    var request = head(host: "shelf.example")
    #expect(guards.cookie(key, for: request) == "cachesync-8735=\(key); Path=/; HttpOnly; SameSite=Strict")
    request.scheme = "https"
    let kept = Guard(address: .standard, Access(key: key, isKeyKept: true))
    #expect(
      kept.cookie(key, for: request)
        == "cachesync-8735=\(key); Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000; Secure")
  }

  @Test("Another program may send the key as a bearer token, and gets 401 without it")
  func bearers() throws {
    for (value, keys) in [
      ("Bearer \(key)", [key]), ("bearer  \(key)", [key]), ("Basic \(key)", []), ("Bearer", []), ("Bearer a b", []),
    ] as [(String, [String])] {
      #expect(Guard.bearers(of: head(host: "localhost:8735", [.authorization: value])) == keys, "\(value)")
    }
    #expect(throws: Refusal.noBearer) {
      try guards.checkKey(head(host: "localhost:8735"), others: ["0"], orThrow: .noBearer)
    }
  }

  @Test("Only what is published has an address as data")
  func data() {
    for (path, data) in [
      ("/kinds.json", .kinds), ("/calendars/tasks.ics", .calendar(feed: "tasks")), ("/calendars/tasks", nil),
      ("/metrics", .metrics), ("/manifest.json", .file("manifest.json")),
      ("/snapshots/todays-tasks.json", .file("todays-tasks.json")), ("/entry/bins.json", .entry(kind: "bins")),
      ("/snapshots/../manifest.json", nil), ("/snapshots/manifest.json", nil), ("/snapshots/.json", nil),
      ("/snapshots/a/b.json", nil),
      ("/entry/A%2e.json", nil), ("/snapshots/a", nil), ("//kinds.json", nil), ("/kinds.json/", nil),
    ] as [(String, PublishedData?)] {
      #expect(PublishedData(path: path) == data, "\(path)")
    }
  }
}

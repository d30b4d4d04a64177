import HTTPTypes
import SystemPackage
import Testing

@testable import CacheSyncPage

@Suite("The guards")
struct GuardTests {
  private let key = "0123456789abcdef0123456789abcdef"
  private var guards: Guard {
    Guard(address: .tcp(host: "127.0.0.1", port: 8735), allowedHosts: ["shelf.example"], key: key)
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
    try Guard(address: address, allowedHosts: [], key: key).checkHost(head(host: host))
    let everywhere = Guard(address: .tcp(host: "0.0.0.0", port: 8735), allowedHosts: [], key: key)
    #expect(throws: Refusal.misdirected) { try everywhere.checkHost(head(host: "0.0.0.0:8735")) }
  }

  @Test("A second Host is refused, whatever it is")
  func twoHosts() throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "localhost:8735"))
    #expect(throws: Refusal.misdirected) { try guards.checkHost(head(host: "localhost:8735", fields)) }
  }

  @Test("On port 80 and on a unix socket, names without a port are accepted")
  func otherAddresses() throws {
    try Guard(address: .tcp(host: "127.0.0.1", port: 80), allowedHosts: [], key: key).checkHost(head(host: "localhost"))
    let socket = Guard(address: .unix("/run/page.sock"), allowedHosts: [], key: nil)
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
    for origin in ["null", "", "https://localhost:8735", "http://127.0.0.1:8735", "http://localhost:8735.evil.example"]
    {
      #expect(throws: Refusal.foreignOrigin) { try guards.checkOrigin(head(host: "localhost:8735", [.origin: origin])) }
    }
    #expect(throws: Refusal.foreignOrigin) { try guards.checkOrigin(head(host: "localhost:8735")) }
    // An allowed name may be that of a proxy, which may use TLS.
    try guards.checkOrigin(head(host: "shelf.example", [.origin: "https://shelf.example"]))
    try guards.checkOrigin(head(host: "shelf.example", [.origin: "http://shelf.example"]))
    #expect(throws: Refusal.foreignOrigin) {
      try guards.checkOrigin(head(host: "localhost:8735", [.origin: "https://shelf.example"]))
    }
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

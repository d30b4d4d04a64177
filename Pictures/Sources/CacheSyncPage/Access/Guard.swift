import HTTPTypes

/// Checks requests: they need the key, must name this server, and a form must come from one of its own pages.
struct Guard: Sendable {
  /// The valid names of the server, in the form of `Host`.
  let hosts: Set<String>
  /// The names from `--allow-host`. A proxy with one of them may use TLS.
  private let allowed: Set<String>
  /// nil on a unix socket, whose mode decides who may connect.
  let key: String?
  /// Includes the port, because browsers share cookies among all ports of a host, and so with other servers here.
  let cookieName: String
  /// Whether the key is the same after a restart.
  let isKeyKept: Bool

  init(address: ListenAddress, allowedHosts: [String], key: String?, isKeyKept: Bool = false) {
    self.key = key
    self.isKeyKept = isKeyKept
    switch address {
    case .unix:
      allowed = []
      hosts = ["localhost"]
      cookieName = "cachesync"
    case .tcp(_, let port):
      let names = ["localhost", "127.0.0.1", "[::1]", address.hostForBrowsers]
      let own = names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] }
      // An allowed name is valid with and without the port, because a proxy has its own port.
      allowed = Set(allowedHosts.flatMap { [$0, "\($0):\(port)"] }.map { $0.lowercased() })
      hosts = allowed.union(own)
      cookieName = "cachesync-\(port)"
    }
  }

  /// - Throws: ``Refusal`` 421 unless the request has exactly one `Host`, and it names this server. The server's
  ///   library removes the first one from the fields.
  func checkHost(_ head: HTTPRequest) throws(Refusal) {
    guard let host = head.authority?.lowercased(), hosts.contains(host),
      !head.headerFields.contains(where: { $0.name.canonicalName == "host" })
    else { throw .misdirected }
  }

  /// - Parameters:
  ///   - others: the keys that the request has elsewhere than in its cookie.
  ///   - refusal: what a request without the key gets.
  /// - Throws: the refusal.
  func checkKey(_ head: HTTPRequest, others: [String], orThrow refusal: Refusal = .noKey) throws(Refusal) {
    guard let key else { return }
    let given = others + Self.cookies(cookieName, of: head)
    guard given.contains(where: { RandomKey.areEqual($0, key) }) else { throw refusal }
  }

  /// Whether one of the given keys is that of exactly these data.
  func opens(_ data: PublishedData?, with given: [String]) -> Bool {
    guard let key, case .calendar(let feed)? = data else { return false }
    let own = DerivedKey.calendar(of: feed, from: key)
    return given.contains { RandomKey.areEqual($0, own) }
  }

  /// The keys of `Authorization: Bearer` (RFC 6750, section 2.1).
  static func bearers(of head: HTTPRequest) -> [String] {
    head.headerFields[values: .authorization].compactMap { field in
      let words = field.split(separator: " ")
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
  }

  /// - Throws: ``Refusal`` 403 for a request whose `Origin` is missing, or is not this server.
  func checkOrigin(_ head: HTTPRequest) throws(Refusal) {
    let origins = head.headerFields[values: .origin]
    guard origins.count == 1, let host = head.authority?.lowercased() else { throw .foreignOrigin }
    let origin = origins[0].lowercased()
    guard origin == "http://\(host)" || allowed.contains(host) && origin == "https://\(host)" else {
      throw .foreignOrigin
    }
  }

  /// The cookie that stores the key in a browser: for as long as browsers keep one, or until they end, because a key that
  /// is not kept ends with the server.
  func cookie(_ key: String) -> String {
    "\(cookieName)=\(key); Path=/; HttpOnly; SameSite=Strict\(isKeyKept ? "; Max-Age=34560000" : "")"
  }

  /// The values of all cookies of a name.
  static func cookies(_ name: String, of head: HTTPRequest) -> [String] {
    head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.count + 1)) : nil
    }
  }
}

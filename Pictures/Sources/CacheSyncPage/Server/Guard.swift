import HTTPTypes

/// Which requests are answered: those with the key, that mean this server, and forms of its own pages.
struct Guard: Sendable {
  /// The names by which the server may be called, each as `Host` has it.
  let hosts: Set<String>
  /// Those of them that were allowed. In front of these a proxy may speak TLS.
  private let allowed: Set<String>
  /// Nil on a unix socket, whose mode says who may connect.
  let key: String?
  /// Other servers of this machine have cookies of their own: a cookie does not belong to a port.
  let cookieName: String

  init(address: ListenAddress, allowedHosts: [String], key: String?) {
    self.key = key
    switch address {
    case .unix:
      allowed = []
      hosts = ["localhost"]
      cookieName = "cachesync"
    case .tcp(_, let port):
      let names = ["localhost", "127.0.0.1", "[::1]", address.hostForBrowsers]
      let own = names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] }
      // An allowed name may stand with a port or without: a proxy in front of this server has its own.
      allowed = Set(allowedHosts.flatMap { [$0, "\($0):\(port)"] }.map { $0.lowercased() })
      hosts = allowed.union(own)
      cookieName = "cachesync-\(port)"
    }
  }

  /// - Throws: ``Refusal`` 421 unless `Host` stands there once and is ours. The server's library takes the first one out of
  ///   the fields.
  func checkHost(_ head: HTTPRequest) throws(Refusal) {
    guard let host = head.authority?.lowercased(), hosts.contains(host),
      !head.headerFields.contains(where: { $0.name.canonicalName == "host" })
    else { throw .misdirected }
  }

  /// - Parameter queried: the key in the address.
  /// - Throws: ``Refusal`` 403 without the key.
  func checkKey(_ head: HTTPRequest, queried: [String]) throws(Refusal) {
    guard let key else { return }
    let given = queried + Self.cookies(cookieName, of: head)
    guard given.contains(where: { RandomKey.areEqual($0, key) }) else { throw .noKey }
  }

  /// - Throws: ``Refusal`` 403 for a request that a page of another server, or none, makes.
  func checkOrigin(_ head: HTTPRequest) throws(Refusal) {
    let origins = head.headerFields[values: .origin]
    guard origins.count == 1, let host = head.authority?.lowercased() else { throw .foreignOrigin }
    let origin = origins[0].lowercased()
    guard origin == "http://\(host)" || allowed.contains(host) && origin == "https://\(host)" else {
      throw .foreignOrigin
    }
  }

  /// What makes a browser keep the key.
  func cookie(_ key: String) -> String { "\(cookieName)=\(key); Path=/; HttpOnly; SameSite=Strict" }

  /// The values of the cookies of a name.
  static func cookies(_ name: String, of head: HTTPRequest) -> [String] {
    head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.count + 1)) : nil
    }
  }
}

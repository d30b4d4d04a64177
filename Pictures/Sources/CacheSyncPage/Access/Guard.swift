import HTTPTypes

/// Who may ask this server, by which names, and what stands between.
package struct Access: Sendable {
  /// Further valid names in `Host`.
  var allowedHosts: [String]
  /// Required from every client; nil only for a unix socket.
  var key: String?
  /// Whether the key is the same after a restart.
  var isKeyKept: Bool
  var proxies: [TrustedProxy]
  /// The origins whose pages may show this one in a frame.
  var frames: [String]

  package init(
    allowedHosts: [String] = [], key: String?, isKeyKept: Bool = false, proxies: [TrustedProxy] = [],
    frames: [String] = []
  ) {
    self.allowedHosts = allowedHosts
    self.key = key
    self.isKeyKept = isKeyKept
    self.proxies = proxies
    self.frames = frames
  }

  /// Whether a text is a host, with or without a port.
  static func isHost(_ text: some StringProtocol) -> Bool {
    let isBracketed = text.hasPrefix("[")
    let host = isBracketed ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
    let rest = text.dropFirst(host.count + (isBracketed ? 2 : 0))
    let isKnown = host.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"): true
      case UInt8(ascii: ":"): isBracketed
      default: false
      }
    }
    guard !host.isEmpty, isKnown, !isBracketed || text.dropFirst(host.count + 1).hasPrefix("]") else { return false }
    return rest.isEmpty
      || rest.hasPrefix(":") && rest.dropFirst().allSatisfy { "0"..."9" ~= $0 } && UInt16(rest.dropFirst()) != nil
  }

  /// Whether a text is the origin of a page: `https://HOST` or `http://HOST`, with or without a port.
  package static func isOrigin(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.hasPrefix($0) && isHost(text.dropFirst($0.count)) }
  }
}

/// Checks requests: they need the key, must name this server, and a form must come from one of its own pages.
struct Guard: Sendable {
  /// The valid names of the server, in the form of `Host`.
  let hosts: Set<String>
  /// The names from `--allow-host`.
  private let allowed: Set<String>
  /// nil on a unix socket.
  private let port: Int?
  /// The address that a connection has reached, in the forms of `Host`.
  private var reached: [String] = []
  /// nil on a unix socket, whose mode decides who may connect.
  let key: String?
  /// Includes the port, because browsers share cookies among all ports of a host, and so with other servers here.
  let cookieName: String
  /// Whether the key is the same after a restart.
  let isKeyKept: Bool
  let frames: [String]
  private let proxies: [TrustedProxy]

  init(address: ListenAddress, _ access: Access) {
    key = access.key
    isKeyKept = access.isKeyKept
    frames = access.frames
    let isUnix = if case .unix = address { true } else { false }
    proxies = access.proxies.filter { ($0 == .unix) == isUnix }
    let allowedHosts = access.allowedHosts
    switch address {
    case .unix:
      port = nil
      allowed = Set(allowedHosts.map { $0.lowercased() })
      hosts = allowed.union(["localhost"])
      cookieName = "cachesync"
    case .tcp(_, let port):
      self.port = port
      let names = ["localhost", "127.0.0.1", "[::1]", address.hostForBrowsers]
      let own = names.flatMap { Self.forms(of: $0, port) }
      // An allowed name is valid with and without the port, because a proxy has its own port.
      allowed = Set(allowedHosts.flatMap { [$0, "\($0):\(port)"] }.map { $0.lowercased() })
      hosts = allowed.union(own)
      cookieName = "cachesync-\(port)"
    }
  }

  /// A host in the forms of `Host`. Browsers leave out the port 80.
  private static func forms(of host: String, _ port: Int) -> [String] {
    port == 80 ? [host, "\(host):80"] : ["\(host):\(port)"]
  }

  /// The same for a connection. The address of the machine that it reached is valid too: a foreign page has a name, and no name
  /// becomes a number.
  ///
  /// - Parameter local: numeric; nil: the connection is to the unix socket.
  func reached(at local: String?) -> Guard {
    guard let local, let port else { return self }
    var copy = self
    copy.reached = Self.forms(of: ListenAddress.host(local), port)
    return copy
  }

  /// The request as a browser sent it to a trusted proxy: the scheme, the host in place of `Host`, and the path before
  /// ours in `X-Forwarded-Prefix`. Without such a proxy it is the request, with http.
  ///
  /// - Parameter peer: the other end of the connection; nil: it came to the unix socket.
  func seen(_ head: HTTPRequest, from peer: String?) -> HTTPRequest {
    var head = head
    let isTrusted = proxies.contains { $0.includes(peer) }
    func last(_ name: HTTPField.Name) -> String? {
      let given = head.headerFields[values: name].last?.split(separator: ",", omittingEmptySubsequences: false).last
      head.headerFields[values: name] = []
      guard isTrusted, let words = given?.split(whereSeparator: { " \t".contains($0) }) else { return nil }
      return words.count == 1 ? String(words[0]) : nil
    }
    head.scheme = last(.forwardedProto)?.lowercased() == "https" ? "https" : "http"
    if let host = last(.forwardedHost), Access.isHost(host) { head.authority = host }
    if let prefix = last(.forwardedPrefix), prefix.hasPrefix("/"), !prefix.contains("//"), !prefix.contains(".."),
      prefix.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    {
      head.headerFields[.forwardedPrefix] = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
    }
    return head
  }

  /// - Throws: ``Refusal`` 421 unless the request has exactly one `Host`, and it names this server. The server's
  ///   library removes the first one from the fields.
  func checkHost(_ head: HTTPRequest) throws(Refusal) {
    guard let host = head.authority?.lowercased(), hosts.contains(host) || reached.contains(host),
      !head.headerFields.contains(where: { $0.name.canonicalName == "host" })
    else { throw .misdirected }
  }

  /// - Parameters:
  ///   - others: the keys that the request has elsewhere than in its cookie.
  ///   - refusal: what a request without the key gets.
  /// - Throws: the refusal.
  func checkKey(_ head: HTTPRequest, others: [String], orThrow refusal: Refusal = .noKey) throws(Refusal) {
    guard key == nil || isKey(others + Self.cookies(cookieName, of: head)) else { throw refusal }
  }

  func isKey(_ given: [String]) -> Bool { key.map { key in given.contains { RandomKey.areEqual($0, key) } } ?? false }

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
    guard let (scheme, port) = [("http://", ":80"), ("https://", ":443")].first(where: { origin.hasPrefix($0.0) })
    else {
      throw .foreignOrigin
    }
    let name = String(origin.dropFirst(scheme.count))
    // Browsers leave out the scheme's own port, and a proxy may add it.
    func short(_ name: String) -> String { name.hasSuffix(port) ? String(name.dropLast(port.count)) : name }
    let isAllowed = allowed.contains(name) && name.contains(":") && !name.hasSuffix("]")
    let isReached = scheme == "http://" && reached.contains(name)
    guard short(name) == short(host) || isAllowed || isReached else { throw .foreignOrigin }
  }

  /// The cookie that stores the key in a browser of a request: for as long as browsers keep one, or until they end, because a key that
  /// is not kept ends with the server.
  func cookie(_ key: String, for head: HTTPRequest) -> String {
    "\(cookieName)=\(key); Path=/; HttpOnly; SameSite=Strict\(isKeyKept ? "; Max-Age=34560000" : "")"
      + (head.scheme == "https" ? "; Secure" : "")
  }

  static func cookies(_ name: String, of head: HTTPRequest) -> [String] {
    head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      return pair.hasPrefix("\(name)=") ? String(pair.dropFirst(name.count + 1)) : nil
    }
  }
}

extension HTTPField.Name {
  fileprivate static let forwardedProto = known("X-Forwarded-Proto")
  fileprivate static let forwardedHost = known("X-Forwarded-Host")
  /// The path that a proxy takes off.
  static let forwardedPrefix = known("X-Forwarded-Prefix")

  static func known(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is the name of a field") }
    return name
  }
}

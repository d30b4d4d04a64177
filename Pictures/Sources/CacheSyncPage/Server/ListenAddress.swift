import CacheSyncSystem
import Glibc
import NIOCore
package import SystemPackage

/// The address of the page: `127.0.0.1:8735`, `[::1]:8735`, or `unix:PATH`.
package enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A numeric address without brackets, or `localhost`.
  case tcp(host: String, port: Int)
  case unix(FilePath)

  package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 8735)

  /// Returns nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.unix.utf8) else {
      self.init(tcp: String(decoding: bytes, as: UTF8.self))
      return
    }
    let path = bytes.dropFirst(Self.unix.utf8.count)
    // sockaddr_un(7): a path has at most 107 bytes.
    guard (1...107).contains(path.count) else { return nil }
    self = .unix(FilePath(bytes: Array(path)))
  }

  package init?(_ text: String) { self.init(Array(text.utf8)) }

  private static let unix = "unix:"

  /// Port 0 lets the system choose a free one.
  private init?(tcp text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard
      host == "localhost" || Self.isNumeric(String(host), AF_INET) && !isBracketed
        || Self.isNumeric(String(host), AF_INET6) && isBracketed
    else { return nil }
    // In the form in which browsers send it in `Host`.
    let short = isBracketed ? Self.shortest(String(host)) : nil
    self = .tcp(host: short ?? String(host), port: Int(port))
  }

  private static func isNumeric(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }

  /// The shortest form of a numeric IPv6 address, which has several (RFC 5952).
  private static func shortest(_ text: String) -> String? {
    var address = in6_addr()
    var form = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_pton(AF_INET6, text, &address) == 1,
      inet_ntop(AF_INET6, &address, &form, socklen_t(form.count)) != nil
    else { return nil }
    return String(decoding: form.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether only programs on this machine can connect.
  package var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
  }

  /// The address with the port that the system chose.
  func bound(to chosen: Int?) -> ListenAddress {
    if case .tcp(let host, _) = self, let chosen { .tcp(host: host, port: chosen) } else { self }
  }

  /// Whether the server listens on all addresses of the machine.
  package var isEverywhere: Bool {
    if case .tcp(let host, _) = self { ["0.0.0.0", "::"].contains(host) } else { false }
  }

  /// The places for browsers. For all addresses they are those of the machine that others can reach, or that for programs here.
  ///
  /// - Parameter machine: the machine's numeric addresses.
  package func forBrowsers(on machine: [String] = Self.machine) -> [String] {
    guard case .tcp(let host, let port) = self else { return [description] }
    let reachable = machine.filter { address in
      isEverywhere && (host == "::" || !address.contains(":")) && !Self.unreachable.contains { $0.includes(address) }
    }
    return (reachable.isEmpty ? [hostForBrowsers] : reachable.map(Self.host)).map { "\($0):\(port)" }
  }

  package static var machine: [String] {
    ((try? NIOCore.System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
  }

  /// The loopback networks and, because each address of them needs the name of an interface, the link-local ones.
  private static let unreachable = ["127.0.0.0/8", "::1", "169.254.0.0/16", "fe80::/10"].compactMap(TrustedProxy.init)

  /// The host for a browser on this machine. For all addresses it is that of the loopback.
  var hostForBrowsers: String {
    switch self {
    case .unix: "localhost"
    case .tcp("0.0.0.0", _): "127.0.0.1"
    case .tcp("::", _): "[::1]"
    case .tcp(let host, _): Self.host(host)
    }
  }

  /// A numeric address as a browser sends it in `Host`. One of IPv4 that came to a socket of both has its own form.
  static func host(_ address: String) -> String {
    let mapped = "::ffff:"
    let own = address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    return own.contains(":") ? "[\(own)]" : own
  }

  package var description: String {
    switch self {
    case .unix(let path): Self.unix + EscapedText.forPeople(path)
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}

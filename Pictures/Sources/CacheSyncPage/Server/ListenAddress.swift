import Glibc
import HummingbirdCore
package import SystemPackage

/// Where the page is served: `127.0.0.1:8735`, `[::1]:8735`, or `unix:PATH`.
package enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A numeric address without brackets, or `localhost`.
  case tcp(host: String, port: Int)
  case unix(FilePath)

  package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 8735)

  /// Nil for anything else. Port 0 is any that is free.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = FilePath(String(text.dropFirst(5)))
      // sockaddr_un(7): a path has 107 bytes at most.
      guard !path.isEmpty, path.length <= 107 else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard
      host == "localhost" || Self.isNumeric(String(host), AF_INET) && !isBracketed
        || Self.isNumeric(String(host), AF_INET6) && isBracketed
    else { return nil }
    self = .tcp(host: String(host), port: Int(port))
  }

  private static func isNumeric(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return inet_pton(family, text, &address) == 1
  }

  /// Whether only programs of this machine reach it.
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

  var bindAddress: BindAddress {
    switch self {
    case .unix(let path): .unixDomainSocket(path: path.string)
    case .tcp(let host, let port): .hostname(host, port: port)
    }
  }

  /// What a browser of this machine is given: of all addresses it is 127.0.0.1.
  package var forBrowsers: String {
    switch self {
    case .tcp("0.0.0.0", let port): "127.0.0.1:\(port)"
    case .tcp("::", let port): "[::1]:\(port)"
    default: description
    }
  }

  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}

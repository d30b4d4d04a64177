import CacheSync
import Glibc

/// A server's version. libnats does not provide it, so this reads the first line that every server sends to a new
/// connection.
package struct ServerVersion: Sendable, Comparable, CustomStringConvertible {
  package let parts: [Int]

  /// The minimum for an engine with replicas. Before it, two writers with the same expectation could both be accepted.
  package static let leastForReplicas = ServerVersion(parts: [2, 12, 7])

  private init(parts: [Int]) { self.parts = parts }

  /// A version such as `2.9.10` or `2.12.7-RC.1`.
  package init?(_ text: String) {
    let parts = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) }
    guard parts.count == 3, !parts.contains(nil) else { return nil }
    self.parts = parts.compactMap { $0 }
  }

  package var description: String { parts.map(String.init).joined(separator: ".") }

  package static func < (a: ServerVersion, b: ServerVersion) -> Bool { a.parts.lexicographicallyPrecedes(b.parts) }

  /// Asks a server, for at most about 2 s. nil when it sends no version, such as a server that requires TLS from the
  /// first byte.
  package static func of(server url: String) -> ServerVersion? {
    let address = ServerAddress(url)
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, address.port, &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var next = found
    while let info = next?.pointee {
      if let version = ask(info) { return version }
      next = info.ai_next
    }
    return nil
  }

  private static func ask(_ info: addrinfo) -> ServerVersion? {
    let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else { return nil }
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !line.contains(UInt8(ascii: "\n")), line.count < 65_536 {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      line += buffer.prefix(count)
    }
    guard line.starts(with: "INFO ".utf8) else { return nil }
    return JSONValue(Array(line.dropFirst(5).prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }))?[
      "version"]?
      .string.flatMap { ServerVersion($0) }
  }
}

/// The address of a server, from its URL.
package struct ServerAddress: Sendable, Equatable {
  package var host: String
  package var port: String
  /// In lower case; by default `nats`.
  package var scheme: String

  package var isTLS: Bool { scheme == "tls" }

  package init(_ url: String) {
    var rest = url[...]
    scheme = "nats"
    if let end = rest.firstRange(of: "://") {
      scheme = rest[..<end.lowerBound].lowercased()
      rest = rest[end.upperBound...]
    }
    if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
    rest = rest.prefix { $0 != "/" }
    port = "4222"
    if rest.hasPrefix("[") {
      host = String(rest.dropFirst().prefix { $0 != "]" })
      let tail = rest.drop { $0 != "]" }.dropFirst()
      if tail.hasPrefix(":") { port = String(tail.dropFirst()) }
    } else {
      host = String(rest.prefix { $0 != ":" })
      let tail = rest.drop { $0 != ":" }
      if tail.count > 1 { port = String(tail.dropFirst()) }
    }
  }

  /// Whether only this machine can answer at the address.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

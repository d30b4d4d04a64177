import Glibc

/// A proxy whose `X-Forwarded-…` fields count: an address, a network, or every program that may open the unix socket.
package enum TrustedProxy: Sendable, Equatable {
  case unix
  /// The first bits of an address, in its 4 or 16 bytes.
  case network(address: [UInt8], bits: Int)

  /// - Returns: nil unless it is `unix`, a numeric address, or one with the number of its bits, such as `10.0.0.0/8`.
  package init?(_ text: String) {
    if text == "unix" {
      self = .unix
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = Self.bytes(of: String(parts[0])) else { return nil }
    let most = 8 * address.count
    guard parts.count == 2 else {
      self = .network(address: address, bits: most)
      return
    }
    guard let bits = UInt8(parts[1]), bits <= most else { return nil }
    self = .network(address: address, bits: Int(bits))
  }

  /// - Parameter peer: the address of the other end of a connection; nil: the connection is to the unix socket.
  func includes(_ peer: String?) -> Bool {
    guard case .network(let address, let bits) = self else { return peer == nil }
    guard let other = peer.flatMap({ Self.bytes(of: $0) }), other.count == address.count else { return false }
    return (0..<bits).allSatisfy { (address[$0 / 8] ^ other[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
  }

  /// The bytes of a numeric address. One of IPv4 inside one of IPv6 has those of IPv4: so it comes to a socket of both.
  private static func bytes(of text: String) -> [UInt8]? {
    var short = [UInt8](repeating: 0, count: 4), long = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &short) == 1 { return short }
    guard inet_pton(AF_INET6, text, &long) == 1 else { return nil }
    return long.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff]) ? Array(long[12...]) : long
  }
}

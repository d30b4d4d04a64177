/// Text in URLs (RFC 3986, section 2): bytes that may not stand for themselves are written `%hh`.
enum PercentEncoding {
  /// What a path's segment may hold as it is (RFC 3986, section 3.3), beside escapes.
  static let segment = unreserved.union(Array("!$&'()*+,;=:@".utf8))
  /// What a parameter's name or value may hold as it is (section 3.4); "&" and "=" have done their work by then, though
  /// a value may have further "=".
  static let query = segment.union(Array("/?".utf8))

  /// Section 2.3.
  private static let unreserved = Set(
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8))

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The text with everything encoded but unreserved characters and those of `kept`, which are ASCII.
  static func encoded(_ text: String, keeping kept: String = "") -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) || kept.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that was encoded; nil for a broken escape, a byte that must not stand for itself, and what is not UTF-8.
  static func decoded(_ encoded: some Collection<UInt8>, allowing allowed: Set<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var rest = encoded.makeIterator()
    while let byte = rest.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
        bytes.append(high << 4 | low)
      } else if allowed.contains(byte) {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit, in either case.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Text in URLs (RFC 3986, section 2): bytes that are not allowed in a place are written `%hh`.
package enum PercentEncoding {
  /// Encodes a text as a segment of a path in one of our links: everything but unreserved characters and ":".
  package static func segment(_ text: String) -> String {
    encoded(text) { isUnreserved($0) || $0 == UInt8(ascii: ":") }
  }

  /// Encodes a text as a parameter's value: everything but unreserved characters.
  package static func value(_ text: String) -> String { encoded(text, keeping: isUnreserved) }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isKept(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a path's segment may contain the byte unescaped (RFC 3986, section 3.3).
  package static func isSegment(_ byte: UInt8) -> Bool { isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte) }

  /// Whether a parameter's name or value may contain the byte unescaped (section 3.4). The caller has already split at
  /// "&" and the first "="; a value may contain further "=".
  package static func isQuery(_ byte: UInt8) -> Bool { isSegment(byte) || "/?".utf8.contains(byte) }

  /// Section 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// Decodes a text; nil for a broken escape, a byte that must be escaped, and invalid UTF-8.
  package static func decoded(_ encoded: some Collection<UInt8>, allowing isAllowed: (UInt8) -> Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var rest = encoded.makeIterator()
    while let byte = rest.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      } else if isAllowed(byte) {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit, in either case.
  private static func digit(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Text in URLs (RFC 3986, section 2): bytes that may not stand for themselves are written `%hh`.
enum PercentEncoding {
  /// The text as a segment of a path in one of our links: everything encoded but unreserved characters and ":".
  static func segment(_ text: String) -> String { encoded(text) { isUnreserved($0) || $0 == UInt8(ascii: ":") } }

  /// The text as a parameter's value: everything encoded but unreserved characters.
  static func value(_ text: String) -> String { encoded(text, keeping: isUnreserved) }

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

  /// What a path's segment may hold as it is (RFC 3986, section 3.3), beside escapes.
  static func isSegment(_ byte: UInt8) -> Bool { isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte) }

  /// What a parameter's name or value may hold as it is (section 3.4); "&" and "=" have done their work by then, though
  /// a value may have further "=".
  static func isQuery(_ byte: UInt8) -> Bool { isSegment(byte) || "/?".utf8.contains(byte) }

  /// Section 2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// The text that was encoded; nil for a broken escape, a byte that must not stand for itself, and what is not UTF-8.
  static func decoded(_ encoded: some Collection<UInt8>, allowing isAllowed: (UInt8) -> Bool) -> String? {
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

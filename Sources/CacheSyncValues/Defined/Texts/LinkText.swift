/// Checks that a URL is absolute (RFC 3986, section 4.3), leads somewhere, and runs nothing.
package enum LinkText {
  /// Schemes whose URLs contain a program or a document, or name a file.
  private static let refused = ["javascript", "data", "file"]

  /// The first defect of a URL; nil if it is valid.
  ///
  /// - Parameter hasHoles: whether `{…}` may follow the scheme.
  package static func defect(in text: String, hasHoles: Bool = false) -> TextDefect? {
    var cursor = ByteCursor(text)
    let scheme = cursor.passAll { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    guard cursor.pass(":"), let first = scheme.first, isLetter(first) else {
      return TextDefect(0, "expected an absolute URL such as https://example.org/ or app://place")
    }
    let name = String(decoding: scheme, as: UTF8.self)
    if refused.contains(where: { $0.utf8.elementsEqual(scheme.map { $0 | 0x20 }) }) {
      return TextDefect(0, "no link begins with '\(name):'")
    }
    if cursor.byte == nil { return TextDefect(cursor.offset, "expected more after '\(name):'") }
    while let byte = cursor.byte {
      let place = cursor.offset
      let found = cursor.found
      cursor.advance()
      if hasHoles, byte == UInt8(ascii: "{"), cursor.byte != byte {
        _ = cursor.passAll { $0 != UInt8(ascii: "}") }
        _ = cursor.pass("}")
      } else if byte == UInt8(ascii: "%") {
        let digits = cursor.bytes[cursor.offset...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexadecimal) else {
          return TextDefect(place, "expected two hexadecimal digits after '%'; the sign itself is %25")
        }
      } else if !isAllowed(byte) {
        return TextDefect(place, "a URL does not hold \(found); write it percent-encoded")
      }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

  private static func isAllowed(_ byte: UInt8) -> Bool { PercentEncoding.isQuery(byte) || "#[]".utf8.contains(byte) }
}

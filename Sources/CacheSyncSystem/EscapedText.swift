public import SystemPackage

/// Escapes text from outside before it is printed.
public enum EscapedText {
  /// Escapes bytes that are not UTF-8 as `\xhh`.
  package static func forPrograms(_ bytes: some Sequence<UInt8>) -> String { escaped(bytes) { _ in false } }

  /// Like ``forPrograms(_:)``; in addition it escapes control characters and those that change the direction of text.
  public static func forPeople(_ bytes: some Sequence<UInt8>) -> String { escaped(bytes, hiding: isUnsafe) }

  /// Like ``forPeople(_:)``, but with the escapes of shells in `$'…'`: `\ooo`.
  static func inOctal(_ bytes: some Sequence<UInt8>) -> String {
    escaped(bytes, hiding: isUnsafe) { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
  }

  /// The same for text that is already Unicode, such as a meal's name.
  public static func forPeople(_ text: String) -> String { forPeople(text.utf8) }

  /// The same for a path, which may be any bytes.
  public static func forPeople(_ path: FilePath) -> String { forPeople(path.bytes) }

  /// Escapes text for XML, HTML or Pango's markup, between tags or in a quoted value, so that it is shown unchanged.
  public static func forMarkup(_ text: String) -> String {
    guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
    // Scalar by scalar, as parsers read it: as a `Character`, a sign and a following combining mark are one.
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func escaped(
    _ bytes: some Sequence<UInt8>, hiding: (Unicode.Scalar) -> Bool, as escape: (UInt8) -> String = inHex
  ) -> String {
    let bytes = Array(bytes)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      guard let (scalar, length) = scalar(in: bytes, at: index) else {
        result.append(contentsOf: escape(bytes[index]).unicodeScalars)
        index += 1
        continue
      }
      if hiding(scalar) {
        for byte in bytes[index..<(index + length)] { result.append(contentsOf: escape(byte).unicodeScalars) }
      } else {
        result.append(scalar)
      }
      index += length
    }
    return String(result)
  }

  private static func inHex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.count == 1 ? "0" : "") + digits
  }

  /// Returns the scalar whose shortest UTF-8 form begins at `index`; nil when the bytes are not UTF-8.
  private static func scalar(in bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int)? {
    var decoder = UTF8()
    var rest = bytes[index...].prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return (scalar, String(scalar).utf8.count)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL and C1: a terminal may obey them
    case 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true  // UAX #9 marks
    default: false
    }
  }
}

/// Encodes bytes as one token of a subject, between its dots. Letters, digits, `-` and `_` stay as they are. Every
/// other byte becomes `=XX` in upper case (wire.md section 2).
enum SubjectToken {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var token: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) { token.append(byte) } else { token += escape(byte) }
    }
    return String(decoding: token, as: UTF8.self)
  }

  static func escape(_ byte: UInt8) -> [UInt8] { [UInt8(ascii: "="), digit(byte >> 4), digit(byte & 15)] }

  /// The bytes of a token. Returns nil unless ``encode(_:)`` gives exactly this token for them.
  static func decode(_ token: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(token.utf8)[...]
    while let byte = rest.popFirst() {
      if isPlain(byte) {
        bytes.append(byte)
        continue
      }
      guard byte == UInt8(ascii: "="), let high = rest.popFirst().flatMap(value),
        let low = rest.popFirst().flatMap(value),
        !isPlain(high << 4 | low)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.isEmpty ? nil : bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    default: nil
    }
  }
}

import CacheSyncSystem

/// A position in a text of one of the small languages of definitions, which is read byte by byte.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The byte here; nil at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The byte that many positions ahead; nil beyond the end.
  func byte(after count: Int) -> UInt8? {
    offset + count < bytes.count ? bytes[offset + count] : nil
  }

  mutating func advance(by count: Int = 1) { offset = min(offset + count, bytes.count) }

  /// Advances past the byte if it is the expected one.
  mutating func pass(_ expected: Unicode.Scalar) -> Bool {
    guard let byte, UInt32(byte) == expected.value else { return false }
    offset += 1
    return true
  }

  /// Advances past the bytes for which the condition holds, and returns them.
  mutating func passAll(while holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while let byte, holds(byte) { offset += 1 }
    return bytes[start..<offset]
  }

  /// The character at this position, for a message.
  var found: String {
    guard let byte else { return "the end" }
    guard byte >= 0x80 else { return byte == 0x20 ? "a blank" : JSONMessage.byte(byte) }
    let character = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars.prefix(
      1)
    return quotedName(String(character))
  }
}

/// A name from a definition, for a message: in quotes, cut to 40 characters, with unprintable characters escaped.
func quotedName(_ name: String) -> String {
  let cut = String(String.UnicodeScalarView(name.unicodeScalars.prefix(JSONMessage.longest)))
  let isWhole = cut.utf8.count == name.utf8.count
  return "'" + EscapedText.forPeople(cut) + (isWhole ? "'" : "…'")
}

import CacheSyncSystem

/// A position in a text of one of the small languages of definitions, which is read byte by byte.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The byte here; nil at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

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
package func quotedName(_ name: String) -> String {
  let cut = String(String.UnicodeScalarView(name.unicodeScalars.prefix(JSONMessage.longest)))
  let isWhole = cut.utf8.count == name.utf8.count
  return "'" + EscapedText.forPeople(cut) + (isWhole ? "'" : "…'")
}

/// A defect in one of the small languages inside a definition's strings: a path, a text, a pattern, a duration, a link.
package struct TextDefect: Error, Equatable {
  /// The byte offset in the unescaped text; the text's length if it ends too early.
  var offset: Int
  var message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}

extension UnsafeRawBufferPointer {
  /// The offset in the document of the byte at `offset` of an unescaped string. For a byte of an escape, it is the
  /// offset of the backslash. Beyond the text's end, it is that of the closing quote.
  ///
  /// - Parameter string: the offset of the string's opening quote. The string must be valid.
  func offset(ofByte offset: Int, inStringAt string: Int) -> Int {
    var place = string + 1
    var rest = offset
    while place < count, self[place] != UInt8(ascii: "\"") {
      let (length, written) = self[place] == UInt8(ascii: "\\") ? escape(at: place) : (1, 1)
      if rest < written { break }
      rest -= written
      place += length
    }
    return Swift.min(place, count)
  }

  /// The length of an escape, and the length of what it stands for, if the escape is one of JSON.
  func escape(at place: Int) -> (length: Int, written: Int) {
    let digits = String(decoding: self[Swift.min(place + 2, count)...].prefix(4), as: UTF8.self)
    guard place + 1 < count, self[place + 1] == UInt8(ascii: "u"), let code = UInt32(digits, radix: 16) else {
      return (2, 1)
    }
    switch code {
    case ..<0x80: return (6, 1)
    case ..<0x800: return (6, 2)
    // In a valid string, the second half of the pair follows.
    case 0xd800..<0xdc00: return (12, 4)
    default: return (6, 3)
    }
  }
}

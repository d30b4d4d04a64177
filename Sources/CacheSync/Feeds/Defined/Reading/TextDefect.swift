/// What is wrong in one of the little languages inside a definition's strings: a path, a text, a pattern, a duration, a link.
struct TextDefect: Error, Equatable {
  /// Bytes from the start of the unescaped text; its length when the text ends too early.
  var offset: Int
  var message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}

extension UnsafeRawBufferPointer {
  /// The byte of the document that gives the byte at `offset` of an unescaped string. Of what an escape stands for, it is the
  /// escape's backslash; past the text's end it is the closing quote.
  ///
  /// - Parameter string: where the string's opening quote is. The string is a good one.
  func offset(ofByte offset: Int, inStringAt string: Int) -> Int {
    guard let start = baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    let end = start + count
    var place = start + string + 1
    var rest = offset
    while place < end, place.pointee != UInt8(ascii: "\"") {
      let (length, written) = place.pointee == UInt8(ascii: "\\") ? Self.escape(at: place, before: end) : (1, 1)
      if rest < written { break }
      rest -= written
      place += length
    }
    return Swift.min(place - start, count)
  }

  /// How many bytes of the document stand for how many bytes of the text.
  private static func escape(at place: JSONBytes, before end: JSONBytes) -> (length: Int, written: Int) {
    guard (place + 1).byte(before: end) == UInt8(ascii: "u"),
      case .value(let code) = (place + 2).hexadecimal(before: end)
    else { return (2, 1) }
    switch code {
    case ..<0x80: return (6, 1)
    case ..<0x800: return (6, 2)
    // A good string has the second half of the pair behind it.
    case 0xd800..<0xdc00: return (12, 4)
    default: return (6, 3)
    }
  }
}

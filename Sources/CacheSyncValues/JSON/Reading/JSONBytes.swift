/// A place in the document.
package typealias JSONBytes = UnsafePointer<UInt8>

extension UnsafePointer<UInt8> {
  /// The 8 bytes from here, little-endian. They must exist.
  @inline(__always)
  var word: UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self))
  }

  /// The 8 bytes from here, with zeros after `end`.
  @inline(__always)
  func word(before end: JSONBytes) -> UInt64 {
    end - self >= 8 ? word : shortWord(before: end)
  }

  @inline(never)
  private func shortWord(before end: JSONBytes) -> UInt64 {
    var word: UInt64 = 0
    var place = end
    while place > self {
      place -= 1
      word = word << 8 | UInt64(place.pointee)
    }
    return word
  }

  /// The byte here, or 0 at the end. NUL is not valid anywhere in JSON, so the reader stops at a 0 and only then
  /// compares the place with the end.
  @inline(__always)
  func byte(before end: JSONBytes) -> UInt8 {
    self < end ? pointee : 0
  }

  /// The first byte from here that is not white space, or the end.
  @inline(__always)
  func afterSpace(before end: JSONBytes) -> JSONBytes {
    // Usually there is none, or one space after a comma or colon.
    if self < end, pointee > 0x20 { return self }
    let next = self + 1
    if next < end, pointee == 0x20, next.pointee > 0x20 { return next }
    return afterLongSpace(before: end)
  }

  @inline(never)
  private func afterLongSpace(before end: JSONBytes) -> JSONBytes {
    var place = self
    while place < end {
      // Indentation is runs of spaces, so this tests eight bytes at a time.
      if end - place >= 8 {
        let spaces = (place.word ^ (0x20 &* .everyByte)).trailingZeroBitCount &>> 3
        place += spaces
        if spaces == 8 { continue }
      }
      switch place.pointee {
      case 0x20, 0x0a, 0x0d, 0x09: place += 1
      default: return place
      }
    }
    return place
  }

  /// The first byte from here that is not plain text of a string: a quote, a backslash, a control character, a byte of
  /// 0x80 or more, or the end.
  @inline(__always)
  func afterPlainText(before end: JSONBytes) -> JSONBytes {
    var place = self
    while end - place >= 8 {
      // Sets the highest bit of each byte that ends the plain text. A subtraction may also set it in bytes after such a
      // byte, but never before the first, which is the one that counts.
      let word = place.word
      let quotes = (word ^ (0x22 &* .everyByte)) &- .everyByte
      let backslashes = (word ^ (0x5c &* .everyByte)) &- .everyByte
      let controls = word &- (0x20 &* .everyByte)
      let ends = (word | quotes | backslashes | controls) & (0x80 &* .everyByte)
      if ends != 0 { return place + ends.trailingZeroBitCount &>> 3 }
      place += 8
    }
    while place < end, place.pointee >= 0x20, place.pointee < 0x80, place.pointee != 0x22, place.pointee != 0x5c {
      place += 1
    }
    return place
  }

  /// The first byte from here that is not a decimal digit, or the end.
  @inline(__always)
  func afterDigits(before end: JSONBytes) -> JSONBytes {
    var place = self
    while place < end, place.pointee &- 0x30 < 10 { place += 1 }
    return place
  }

  /// The length of the well-formed multi-byte UTF-8 sequence that begins here; 0 if there is none (Unicode table 3-7:
  /// no overlong forms, no surrogates, nothing above U+10FFFF).
  @inline(__always)
  package func sequenceLength(before end: JSONBytes) -> Int {
    let lead = pointee
    let count = end - self
    func continues(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xbf) -> Bool {
      index < count && self[index] >= range.lowerBound && self[index] <= range.upperBound
    }
    switch lead {
    case 0xc2...0xdf: return continues(1) ? 2 : 0
    case 0xe0: return continues(1, 0xa0...0xbf) && continues(2) ? 3 : 0
    case 0xed: return continues(1, 0x80...0x9f) && continues(2) ? 3 : 0
    case 0xe1...0xef: return continues(1) && continues(2) ? 3 : 0
    case 0xf0: return continues(1, 0x90...0xbf) && continues(2) && continues(3) ? 4 : 0
    case 0xf1...0xf3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xf4: return continues(1, 0x80...0x8f) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }

  /// The value of the 4 hexadecimal digits here, or the number of valid digits before the first invalid one.
  func hexadecimal(before end: JSONBytes) -> JSONHex {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = (self + index).byte(before: end)
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32((byte | 0x20) - 0x61 + 10)
      default: return .bad(after: index)
      }
    }
    return .value(value)
  }
}

/// The result of reading the digits after `\u`.
enum JSONHex {
  case value(UInt32)
  case bad(after: Int)
}

extension UInt64 {
  /// 1 in each byte; multiplied by a byte, it is that byte eight times.
  static let everyByte: UInt64 = 0x0101_0101_0101_0101
}

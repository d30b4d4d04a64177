/// Reads and writes decimal digits in bytes, without a String between.
package enum ASCIIDigits {
  /// The number that exactly `count` digits at `index` form; nil if one of them is not a digit or is past the end. At
  /// most 18 digits, so that the number fits an Int.
  @inline(__always)
  package static func number(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, count: Int) -> Int? {
    guard index >= 0, count <= 18, index <= bytes.count - count else { return nil }
    var value = 0
    for position in index..<(index &+ count) {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  /// Appends the last `count` digits of a number that is not negative, with leading zeros.
  @inline(__always)
  package static func append(_ number: Int, count: Int, to bytes: inout [UInt8]) {
    var power = 1
    for _ in 1..<max(count, 1) { power &*= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / power % 10))
      power /= 10
    }
  }

  /// Appends a time of day, "09:30:00".
  @inline(__always)
  package static func appendTime(secondOfDay: Int, to bytes: inout [UInt8]) {
    append(secondOfDay / 3_600, count: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(secondOfDay / 60 % 60, count: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(secondOfDay % 60, count: 2, to: &bytes)
  }
}

extension String {
  /// Whether it has nothing but white space. ASCII does not need Unicode's tables.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.isASCII ? scalar == " " || (0x09...0x0d).contains(scalar.value) : scalar.properties.isWhitespace
    }
  }

  /// Passes the UTF-8 bytes without a copy if the string is contiguous, as every native string is.
  package func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}

/// A number of the JSON grammar, in its parts.
struct JSONNumber {
  enum Whole {
    case value(Int)
    /// Whole, but too large for an Int.
    case tooLarge
    case fraction
  }

  private let text: UnsafeBufferPointer<UInt8>
  private let isNegative: Bool
  /// The digits without the point, and without trailing zeros. Together with ``exponent`` they are the exact value,
  /// unless ``isLong``.
  private(set) var digits: UInt64 = 0
  private(set) var exponent = 0
  /// There are more digits than fit a word.
  private var isLong = false
  /// There is neither fraction nor exponent.
  private(set) var isPlain = true

  /// - Parameter text: matches the grammar.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    isNegative = text.first == 0x2d
    var zeros = 0
    var isFraction = false
    var index = isNegative ? 1 : 0
    while index < text.count {
      let byte = text[index]
      index &+= 1
      if byte == 0x2e {
        isFraction = true
        isPlain = false
        continue
      }
      if byte | 0x20 == 0x65 {
        isPlain = false
        break
      }
      if isFraction { exponent &-= 1 }
      if byte == 0x30 {
        // Zeros count only if a digit follows.
        zeros &+= 1
        continue
      }
      if digits != 0 || isLong { append(zeros: zeros) }
      zeros = 0
      append(byte &- 0x30)
    }
    // All digits read so far, including dropped zeros, are to the left of `exponent`.
    exponent &+= zeros
    if index < text.count { addExponent(text[index...]) }
    if digits == 0, !isLong { exponent = 0 }
  }

  private mutating func append(zeros: Int) {
    for _ in 0..<zeros where !isLong { append(0) }
  }

  private mutating func append(_ digit: UInt8) {
    if digits < 1_000_000_000_000_000_000 { digits = digits &* 10 &+ UInt64(digit) } else { isLong = true }
  }

  private mutating func addExponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var value = 0
    for byte in text where byte &- 0x30 < 10 {
      // Beyond this every double is 0 or infinite, however many digits the document has on the other side.
      if value < 1 << 40 { value = value * 10 + Int(byte &- 0x30) }
    }
    exponent += text.first == 0x2d ? -value : value
  }

  /// The value as an Int, exactly.
  var whole: Whole {
    if digits == 0 { return .value(0) }
    if exponent < 0 { return .fraction }
    if isLong || exponent > 18 { return .tooLarge }
    var value = digits
    for _ in 0..<exponent {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return .tooLarge }
      value = product
    }
    if isNegative {
      return value <= UInt64(Int.max) + 1 ? .value(Int(truncatingIfNeeded: 0 &- value)) : .tooLarge
    }
    return value <= UInt64(Int.max) ? .value(Int(value)) : .tooLarge
  }

  /// The maximum number of digits of a whole number that is written with an exponent. Without a limit, ten bytes such
  /// as `1e99999999` would take 100 MB.
  private static let mostExpandedDigits = 1_024

  /// A whole number of any size in decimal digits, without needless zeros; nil for a fraction, and for a number whose
  /// exponent means more than ``mostExpandedDigits`` digits.
  var wholeDigits: String? {
    if case .value(let value) = whole { return String(value) }
    guard exponent >= 0 else { return nil }
    var digits = text.prefix { $0 | 0x20 != 0x65 }.filter { $0 &- 0x30 < 10 }
    while digits.last == 0x30 { digits.removeLast() }
    guard isPlain || digits.count + exponent <= Self.mostExpandedDigits else { return nil }
    digits.append(contentsOf: repeatElement(0x30, count: exponent))
    return (isNegative ? "-" : "") + String(decoding: digits.drop { $0 == 0x30 }, as: UTF8.self)
  }

  /// The nearest double; infinite if there is none.
  var double: Double {
    if !isLong, digits <= 1 << 53, exponent >= -22, exponent <= 22 {
      // Both are exact, so the one operation rounds once, and correctly (Clinger 1990).
      let power = Self.powers[abs(exponent)]
      let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return isNegative ? -value : value
    }
    // The library's conversion, which does not depend on a locale. Its grammar includes that of JSON.
    return Double(String(decoding: text, as: UTF8.self)) ?? .infinity
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension Double {
  /// The same number, or the nearest finite one, because JSON has no infinity: values near the greatest double may add
  /// up to more. NaN counts as 0.
  package var finite: Double {
    if isFinite { return self }
    return isNaN ? 0 : self > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
  }
}

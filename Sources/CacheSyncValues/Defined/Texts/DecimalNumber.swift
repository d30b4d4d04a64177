/// A number as a person sees it: the shortest decimal that reads back as the same double.
///
/// Scaling and rounding use these digits and not the binary value: 0.285 is a little less than it looks, and still
/// rounds to 0.29; 1.005 × 100 is 100.5; 270 × 0.016666666666666666 is 4.5.
struct DecimalNumber {
  private var isNegative = false
  /// The value is coefficient × 10^exponent. A double has at most 17 digits, and a product of two has 34: below 2^127.
  private var coefficient: UInt128 = 0
  private var exponent = 0

  /// A value that is not finite counts as its nearest finite number, see `finite`.
  init(_ value: Double) {
    let value = value.finite
    isNegative = value < 0
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
      coefficient = UInt128(whole.magnitude)
      return
    }
    // "12.5", "1e-07", "1.5e+20": Swift writes the shortest decimal, independent of any locale.
    let (digits, exponent) = value.magnitude.description.withUTF8Bytes { text in
      let number = JSONNumber(text)
      return (number.digits, number.exponent)
    }
    (coefficient, self.exponent) = (UInt128(digits), exponent)
  }

  /// The product. Its fraction is cut to the 15 digits that a double can always hold, because a factor such as 1/60 has
  /// been rounded itself.
  static func * (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber {
    var product = a
    product.isNegative = a.isNegative != b.isNegative
    product.coefficient = a.coefficient &* b.coefficient
    product.exponent = a.exponent + b.exponent
    var excess = 0
    var limit: UInt128 = 1_000_000_000_000_000
    while product.coefficient >= limit {
      limit *= 10
      excess += 1
    }
    return product.rounded(dropping: min(excess, -product.exponent))
  }

  static func + (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber {
    let exponent = min(a.exponent, b.exponent)
    let (shiftA, shiftB) = (a.exponent - exponent, b.exponent - exponent)
    // 17 digits, and up to 20 zeros: below 2^127. If the exponents differ more, one number hardly changes the other.
    guard shiftA <= 20, shiftB <= 20 else { return DecimalNumber(a.double + b.double) }
    func signed(_ number: DecimalNumber, _ shift: Int) -> Int128 {
      var value = Int128(truncatingIfNeeded: number.coefficient)
      for _ in 0..<shift { value *= 10 }
      return number.isNegative ? -value : value
    }
    let sum = signed(a, shiftA) + signed(b, shiftB)
    var result = DecimalNumber(0)
    result.isNegative = sum < 0
    result.coefficient = sum.magnitude
    result.exponent = exponent
    return result
  }

  static func - (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber {
    var negative = b
    negative.isNegative.toggle()
    return a + negative
  }

  /// The quotient; nil for a division by 0.
  func divided(by divisor: DecimalNumber) -> Double? {
    guard divisor.coefficient != 0 else { return nil }
    var quotient = DecimalNumber(Double(coefficient) / Double(divisor.coefficient))
    quotient.isNegative = coefficient != 0 && isNegative != divisor.isNegative
    quotient.exponent += exponent - divisor.exponent
    return quotient.double
  }

  /// Rounds to a number of decimals, half away from zero.
  func rounded(decimals: Int) -> DecimalNumber {
    rounded(dropping: -decimals - exponent)
  }

  /// Drops a number of its last digits, and rounds half away from zero.
  private func rounded(dropping count: Int) -> DecimalNumber {
    guard count > 0 else { return self }
    var result = self
    result.exponent += count
    // A product never has so many digits, so nothing is left.
    guard count <= 38 else {
      result.coefficient = 0
      return result
    }
    var power: UInt128 = 1
    for _ in 1..<count { power *= 10 }
    // Keeps the first of the dropped digits, which decides the rounding.
    result.coefficient = (result.coefficient / power + 5) / 10
    return result
  }

  /// A value times a factor, rounded to a number of decimals, 0...6.
  static func rounded(_ value: Double, times factor: Double?, decimals: Int) -> Double {
    // Unless the value is close to a half, which is rare, binary and decimal rounding agree. Dividing a whole number by
    // a power of ten then rounds only once.
    var power = 1.0
    for _ in 0..<min(max(decimals, 0), 6) { power *= 10 }
    let scaled = value * (factor ?? 1) * power
    if abs(scaled) < 1e9, abs(scaled.magnitude - scaled.magnitude.rounded(.down) - 0.5) > 1e-4 {
      let whole = scaled.rounded()
      return whole == 0 ? 0 : whole / power
    }
    var decimal = DecimalNumber(value)
    if let factor { decimal = decimal * DecimalNumber(factor) }
    return decimal.rounded(decimals: decimals).double
  }

  /// The nearest double; beyond the greatest double, the greatest.
  var double: Double {
    if coefficient == 0 { return 0 }
    let magnitude = "\(coefficient)e\(exponent)".withUTF8Bytes { JSONNumber($0).double }
    return (isNegative ? -magnitude : magnitude).finite
  }

  /// The shortest decimal, never with an exponent, as people write numbers: "9007199254740992", "0.000001".
  var text: String {
    var shortest = self
    while shortest.exponent < 0, shortest.coefficient.isMultiple(of: 10) {
      shortest.coefficient /= 10
      shortest.exponent += 1
    }
    return shortest.text(decimals: max(-shortest.exponent, 0))
  }

  /// The number with exactly that many decimals, and without a sign if only zeros are left: "9.50".
  func text(decimals: Int) -> String {
    let rounded = rounded(decimals: decimals)
    if rounded.coefficient == 0 { return decimals > 0 ? "0." + String(repeating: "0", count: decimals) : "0" }
    var digits = String(rounded.coefficient) + String(repeating: "0", count: max(rounded.exponent + decimals, 0))
    if decimals > 0 {
      digits = String(repeating: "0", count: max(decimals + 1 - digits.utf8.count, 0)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
    }
    return (isNegative ? "-" : "") + digits
  }
}

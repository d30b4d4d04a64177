/// A category of numbers whose nouns have the same form, as CLDR names them.
package enum PluralCategory: Int, Sendable {
  case one, few, many, other

  /// The form for this category among forms in the order `one`, `few`, `many`, `other`. Two forms are for `one` and for
  /// all others.
  package func form<Form>(of forms: some RandomAccessCollection<Form>) -> Form? {
    switch forms.count {
    case 0...1: forms.first
    case 2: self == .one ? forms.first : forms.last
    default: forms.dropFirst(rawValue).first ?? forms.last
    }
  }
}

/// CLDR's rules for the plural forms of our languages, which several of them share.
package enum PluralRule: Sendable {
  /// One form for every number.
  case none
  /// 1, and all others. 1.0 is one of the others.
  case one
  /// 1, also as 1.0, and all others.
  case oneOrOneWithDecimals
  /// 1, millions, and all others. 1.0 is one of the others.
  case oneAndMillions
  /// 1, also as 1.0, millions, and all others.
  case oneOrOneWithDecimalsAndMillions
  /// Numbers below two, millions, and all others.
  case belowTwo
  /// Numbers below two except 0, and all others.
  case danish
  case czech, polish, ukrainian

  /// The category of a number as it is written: "1" and "1.0" may differ. Its sign does not count.
  ///
  /// - Returns: nil for anything but digits with at most one point.
  package func category(ofDigits digits: String) -> PluralCategory? {
    WrittenNumber(digits).map { category(of: $0) }
  }

  private func category(of number: WrittenNumber) -> PluralCategory {
    let whole = number.whole
    let isWhole = !number.hasDecimals
    let isMillions = isWhole && whole != 0 && whole.isMultiple(of: 1_000_000)
    switch self {
    case .none: return .other
    case .one: return whole == 1 && isWhole ? .one : .other
    case .oneOrOneWithDecimals: return whole == 1 && !number.hasFraction ? .one : .other
    case .oneAndMillions: return whole == 1 && isWhole ? .one : isMillions ? .many : .other
    case .oneOrOneWithDecimalsAndMillions:
      return whole == 1 && !number.hasFraction ? .one : isMillions ? .many : .other
    case .belowTwo: return whole < 2 ? .one : isMillions ? .many : .other
    case .danish: return whole == 1 || whole == 0 && number.hasFraction ? .one : .other
    case .czech:
      guard isWhole else { return .many }
      return whole == 1 ? .one : (2...4).contains(whole) ? .few : .other
    case .polish, .ukrainian:
      guard isWhole else { return .other }
      if self == .polish ? whole == 1 : whole % 10 == 1 && whole % 100 != 11 { return .one }
      return (2...4).contains(whole % 10) && !(12...14).contains(whole % 100) ? .few : .many
    }
  }
}

/// What CLDR's rules ask of the digits of a number: its operands i, v and t (UTS 35, part 3, section 5.1.1).
private struct WrittenNumber {
  /// The digits before the point (i). Above a million, one million stands for all that the last six digits do not
  /// count, because no rule looks further.
  var whole = 0
  /// Whether there are digits behind the point (v).
  var hasDecimals = false
  /// Whether one of them is not 0 (t).
  var hasFraction = false

  init?(_ digits: String) {
    var isEmpty = true
    for byte in digits.utf8.drop(while: { $0 == UInt8(ascii: "-") }) {
      let digit = Int(byte) - 0x30
      switch byte {
      case UInt8(ascii: ".") where !hasDecimals && !isEmpty: hasDecimals = true
      case 0x30...0x39 where hasDecimals: hasFraction = hasFraction || digit > 0
      case 0x30...0x39:
        whole = whole * 10 + digit
        if whole >= 2_000_000 { whole = 1_000_000 + whole % 1_000_000 }
      default: return nil
      }
      isEmpty = false
    }
    if isEmpty || digits.utf8.last == UInt8(ascii: ".") { return nil }
  }
}

extension FieldRule {
  /// Converts a value that the field's path found: applies `as` and `map`.
  ///
  /// - Parameter digits: the digits of a whole number in the file, because a double may not hold it exactly.
  /// - Returns: nil if nothing is left, so that `else` counts. It does not replace a null that `map` gives.
  func converted(_ value: ItemValue, digits: String? = nil) -> ItemValue? {
    var value = value
    switch conversion {
    case .number?: value = value.asNumber
    case .text?, .plain?:
      value = digits.map(ItemValue.text) ?? value.asText
      if conversion == .plain, case .text(let text) = value { value = .text(PlainText.of(text)) }
    case nil: break
    }
    if value == .null { return nil }
    return map.map { mapped(value, $0) } ?? value
  }

  /// Applies `less`, `per`, `scale`, `plus` and `round`, in this order, to the decimals that a person sees; see
  /// ``DecimalNumber``.
  ///
  /// - Parameters:
  ///   - less: the value that ``less`` finds, and `per` that of ``per``. If one is not a number, the result is null.
  func computed(_ value: ItemValue, less: ItemValue?, per: ItemValue?) -> ItemValue {
    // With these keys, digits in a text count as a number.
    let hasOperands = less != nil || per != nil || plus != nil
    guard case .number(var number) = hasOperands ? value.asNumber : value else { return hasOperands ? .null : value }
    if let less {
      guard case .number(let other) = less.asNumber else { return .null }
      number = (DecimalNumber(number) - DecimalNumber(other)).double
    }
    if let per {
      guard case .number(let divisor) = per.asNumber,
        let quotient = DecimalNumber(number).divided(by: DecimalNumber(divisor))
      else { return .null }
      number = quotient
    }
    if plus == nil, let round { return .number(DecimalNumber.rounded(number, times: scale, decimals: round)) }
    if let scale { number = (DecimalNumber(number) * DecimalNumber(scale)).double }
    if let plus { number = (DecimalNumber(number) + DecimalNumber(plus)).double }
    return .number(round.map { DecimalNumber.rounded(number, times: nil, decimals: $0) } ?? number)
  }

  private func mapped(_ value: ItemValue, _ map: TextMap<ItemValue>) -> ItemValue {
    switch value {
    case .list, .object: map["*"] ?? value
    case .text(let text): map[text] ?? map["*"] ?? value
    default: map[value.plainText] ?? map["*"] ?? value
    }
  }
}

extension ItemValue {
  /// The number, also if it is in a string; null for any other value.
  fileprivate var asNumber: ItemValue {
    switch self {
    case .number: self
    case .text(let text): Self.number(in: text).map(ItemValue.number) ?? .null
    default: .null
    }
  }

  /// The value as texts write it; null for null and for objects.
  fileprivate var asText: ItemValue {
    switch self {
    case .text: self
    case .null, .object: .null
    default: .text(plainText)
    }
  }

  /// A decimal number as JSON writes it, or with a plus sign or leading zeros: "+5", "007", "1.5e3". Blanks, decimal
  /// commas and words are not allowed.
  private static func number(in text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      byte &- 0x30 < 10 || byte | 0x20 == UInt8(ascii: "e") || "+-.".utf8.contains(byte)
    }
    guard isDecimal, let last = text.utf8.last, last &- 0x30 < 10,
      let first = text.utf8.first, first != UInt8(ascii: "."), let value = Double(text), value.isFinite
    else { return nil }
    return value
  }
}

extension FieldRule {
  /// Converts a value that the field's path found. Applies `as`, `map`, `scale`, `round` and `else`, in this order.
  ///
  /// - Parameter digits: the digits of a whole number in the file, because a double may not hold it exactly.
  func converted(_ value: ItemValue, digits: String? = nil) -> ItemValue {
    var value = value
    switch conversion {
    case .number?: value = value.asNumber
    case .text?: value = digits.map(ItemValue.text) ?? value.asText
    case nil: break
    }
    // `else` replaces a missing value, but not a null that `map` gives.
    if value == .null { return otherwise ?? .null }
    if let map { value = mapped(value, map) }
    if case .number(let number) = value {
      // Computes with the decimal that a person sees, see ``DecimalNumber``.
      if let round {
        value = .number(DecimalNumber.rounded(number, times: scale, decimals: round))
      } else if let scale {
        value = .number((DecimalNumber(number) * DecimalNumber(scale)).double)
      }
    }
    return value
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

extension FieldRule {
  /// What the field makes of a value that its path found: `as`, `map`, `scale`, `round`, `else`, in this order.
  ///
  /// - Parameter digits: the digits of a whole number as the file has them, which a double may not hold.
  func converted(_ value: ItemValue, digits: String? = nil) -> ItemValue {
    var value = value
    switch conversion {
    case .number?: value = value.asNumber
    case .text?: value = digits.map(ItemValue.text) ?? value.asText
    case nil: break
    }
    // `else` is for what is missing, and what `map` makes null is not.
    if value == .null { return otherwise ?? .null }
    if let map { value = mapped(value, map) }
    if case .number(let number) = value {
      // By the decimal that a person sees, see DecimalNumber.
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
  /// A number, also one in a string; null for what is none.
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

  /// A decimal number, as JSON writes it, but also with a plus or leading zeros: "+5", "007", "1.5e3". No blanks, no decimal
  /// comma, no words.
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

import CLinux

extension Condition {
  /// Whether the condition holds for the values of an item's fields.
  ///
  /// Numbers come before texts, and texts are ordered by bytes. A moment compares with a text as the contract writes
  /// it. Null satisfies none of `above`, `below`, `atLeast` and `atMost`. Neither do other values without an order,
  /// such as `true`.
  package func holds(_ value: (Field) -> ItemValue) -> Bool {
    switch self {
    case .any(let conditions): return conditions.contains { $0.holds(value) }
    case .test(let field, let comparison, let constant): return comparison.holds(value(field), constant)
    }
  }
}

extension Condition.Comparison {
  func holds(_ value: ItemValue, _ constant: ItemValue) -> Bool {
    switch self {
    case .is: value.isSame(as: constant)
    case .isNot: !value.isSame(as: constant)
    case .in: constant.holds(value)
    case .has: value.has(constant)
    case .above: value.compared(with: constant).map { $0 > 0 } ?? false
    case .below: value.compared(with: constant).map { $0 < 0 } ?? false
    case .atLeast: value.compared(with: constant).map { $0 >= 0 } ?? false
    case .atMost: value.compared(with: constant).map { $0 <= 0 } ?? false
    }
  }
}

extension [Condition] {
  /// Whether all of them hold.
  package func hold(_ value: (Condition.Field) -> ItemValue) -> Bool { allSatisfy { $0.holds(value) } }
}

extension ItemValue {
  /// Whether two values are equal. Texts are compared by bytes, and a moment equals the text that the contract writes
  /// for it.
  fileprivate func isSame(as other: ItemValue) -> Bool {
    switch (self, other) {
    case (.text(let a), .text(let b)): isSameText(a, b)
    case (.instant(let a), .text(let b)): isSameText(a.description, b)
    case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    default: self == other
    }
  }

  /// Whether this is a list with the value among its elements.
  fileprivate func holds(_ value: ItemValue) -> Bool {
    if case .list(let elements) = self { elements.contains { value.isSame(as: $0) } } else { false }
  }

  /// Whether this is a list that holds the value, or a text that contains it.
  fileprivate func has(_ value: ItemValue) -> Bool {
    switch (self, value) {
    case (.text(let text), .text(let part)): Self.contains(text, part)
    default: holds(value)
    }
  }

  /// Negative, zero or positive; nil if one of the two has no order.
  fileprivate func compared(with other: ItemValue) -> Int? {
    switch (self, other) {
    case (.number(let a), .number(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.number, .text): -1
    case (.text, .number): 1
    case (.text(let a), .text(let b)): Self.order(a, b)
    case (.instant(let a), .instant(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.instant(let a), .text(let b)): Self.order(a.description, b)
    default: nil
    }
  }

  private static func order(_ a: String, _ b: String) -> Int {
    isSameText(a, b) ? 0 : isOrdered(a, before: b) ? -1 : 1
  }

  /// Compares bytes; every text contains the empty one. Takes linear time, because both texts come from outside.
  private static func contains(_ text: String, _ part: String) -> Bool {
    text.withUTF8Bytes { text in
      part.withUTF8Bytes { part in
        part.isEmpty || clinux_memmem(text.baseAddress, text.count, part.baseAddress, part.count) != nil
      }
    }
  }
}

import CLinux

/// A test of an item's fields (definitions.md: cond).
package indirect enum Condition: Sendable, Equatable {
  package enum Comparison: String, Sendable, Equatable, CaseIterable {
    case `is`, isNot, `in`, above, below, atLeast, atMost, has
  }

  /// The field that a condition tests. Its name is resolved once, when the definition is read.
  package enum Field: Sendable, Equatable {
    /// By its index in ``ItemRules/fields``; marks are fields too.
    case field(Int)
    case start, end, allDay
  }

  /// `{ field, <comparison>: value }`; the value of `in` is a list.
  case test(Field, Comparison, ItemValue)
  /// `{ any: [cond] }`
  case any([Condition])

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
  package func hold(_ value: (Condition.Field) -> ItemValue) -> Bool { allSatisfy { $0.holds(value) } }
}

extension ItemValue {
  /// Whether two values are equal. Texts are compared by bytes, and a moment equals the text that the contract writes
  /// for it.
  fileprivate func isSame(as other: ItemValue) -> Bool {
    switch (self, other) {
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
    if case (.text(let text), .text(let part)) = (self, value) { Self.contains(text, part) } else { holds(value) }
  }

  /// The order of this value and a constant (``order(_:)``); nil if they have none, as a moment and a number.
  fileprivate func compared(with constant: ItemValue) -> Int? {
    switch (self, constant) {
    case (.instant(let instant), .text): ItemValue.text(instant.description).order(constant)
    case (.instant, .number): nil
    default: isComparable && constant.isComparable ? order(constant) : nil
    }
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

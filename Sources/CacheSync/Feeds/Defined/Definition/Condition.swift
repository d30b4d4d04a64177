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
}

/// A test of an item's fields (OWNFEEDS section 2, cond).
package indirect enum Condition: Sendable, Equatable {
  package enum Comparison: String, Sendable, Equatable, CaseIterable {
    case `is`, isNot, `in`, above, below, atLeast, atMost, has
  }

  /// `{ field, <comparison>: value }`; the value of `in` is a list.
  case test(field: String, Comparison, ItemValue)
  /// `{ any: [cond] }`
  case any([Condition])
}

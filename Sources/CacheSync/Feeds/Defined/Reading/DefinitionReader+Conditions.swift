// Tests of an item's fields (definitions.md: cond).

extension DefinitionReader {
  enum ConditionKey: String, CaseIterable {
    case field, any
    case `is`, isNot, `in`, above, below, atLeast, atMost, has
  }

  /// Reads a condition, or a list of conditions that must all hold.
  mutating func conditions(_ value: LocatedValue, _ known: KnownNames) -> [Condition] {
    guard value.kind == .array else { return condition(value, known).map { [$0] } ?? [] }
    return (array(value) ?? []).compactMap { condition($0, known) }
  }

  private mutating func condition(_ value: LocatedValue, _ known: KnownNames) -> Condition? {
    guard let members = object(value, ConditionKey.self, nullable: [.is, .isNot]) else { return nil }
    if let any = members[.any] {
      for key in ConditionKey.allCases where key != .any {
        if let value = members[key] { fail("'\(key.rawValue)' does not go with 'any'", at: value) }
      }
      return self.any(any, known)
    }
    let field = members[.field].flatMap { self.field($0, known) }
    if members[.field] == nil { fail(missing: "field", in: value, ", or 'any'") }
    let comparisons = Condition.Comparison.allCases.compactMap { comparison in
      ConditionKey(rawValue: comparison.rawValue).flatMap { members[$0] }.map { (comparison, $0) }
    }
    guard let (comparison, operand) = comparisons.min(by: { $0.1.offset < $1.1.offset }) else {
      let choice = Condition.Comparison.allCases.map(\.rawValue).joined(separator: ", ")
      fail("a condition needs one of \(choice)", at: value)
      return nil
    }
    for (other, value) in comparisons where other != comparison {
      fail("one comparison in a condition; '\(other.rawValue)' is one of its own", at: value)
    }
    guard let field, let operand = self.operand(operand, of: comparison) else { return nil }
    return .test(field, comparison, operand)
  }

  /// - Parameter known: the names of the items' fields, or of a kind's values, in order; and names with other meanings.
  private mutating func field(_ value: LocatedValue, _ known: KnownNames) -> Condition.Field? {
    guard let name = name(value, known) else { return nil }
    // An unknown name has a defect already.
    return known.meanings[name] ?? known.names.firstIndex { isSameText($0, name) }.map { .field($0) }
  }

  /// An `any` inside an `any` has the same effect as its conditions, so nested lists become one.
  private mutating func any(_ value: LocatedValue, _ known: KnownNames) -> Condition? {
    guard let elements = array(value, "an array of conditions") else { return nil }
    if elements.isEmpty { fail("expected at least one condition", at: value) }
    let conditions = elements.compactMap { condition($0, known) }.flatMap { condition in
      if case .any(let inner) = condition { inner } else { [condition] }
    }
    return .any(conditions)
  }

  private mutating func operand(_ value: LocatedValue, of comparison: Condition.Comparison) -> ItemValue? {
    switch comparison {
    case .is, .isNot: return scalar(value)
    case .in: return array(value, most: Self.mostInMap)?.compactMap { scalar($0) }.asList
    case .above, .below, .atLeast, .atMost:
      if let number = value.number { return .number(number) }
      if let text = value.text { return .text(text) }
      fail(expecting: "a number or a string", at: value)
      return nil
    case .has:
      if value.isNull { fail(expecting: "a string, a number, true or false", at: value) }
      return scalar(value, "a string, a number, true or false")
    }
  }
}

extension [ItemValue] {
  fileprivate var asList: ItemValue { .list(self) }
}

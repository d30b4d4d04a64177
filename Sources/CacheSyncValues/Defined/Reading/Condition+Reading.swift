// Tests of an item's fields (definitions.md: cond).

extension Shape where Value == [Condition] {
  /// A condition, or a list of conditions that must all hold.
  static func conditions(_ known: KnownNames) -> Shape {
    Shape<Condition>.condition(known).orList().named("conditions")
  }
}

extension Shape where Value == Condition {
  /// - Parameter known: the names of the items' fields, or of a kind's values, in order; and names with other meanings.
  fileprivate static func condition(_ known: KnownNames) -> Shape {
    let comparisons = Condition.Comparison.allCases.map(\.rawValue)
    return object(
      #"""
      { "minProperties": 1, "maxProperties": 2, "if": { "required": ["any"] }, "then": { "maxProperties": 1 },
        "else": { "required": ["field"], "minProperties": 2 } }
      """#, nullable: ["is", "isNot"]
    ) { member in
      if member["any"] != nil { member.refuse(["field"] + comparisons) { "'\($0)' does not go with 'any'" } }
      let chosen = member.first(of: comparisons) { "one comparison in a condition; '\($0)' is one of its own" }
      let any = member("any", .any(known), is: .alternative)
      let field = member("field", .field(known), is: .alternative)
      var test: Condition?
      for comparison in Condition.Comparison.allCases {
        let about = comparison == .has ? "A list that holds it, or a text that contains it." : nil
        let value = member(comparison.rawValue, .operand(of: comparison), about, is: .alternative)
        if let value { test = field.map { .test($0, comparison, value) } }
      }
      if member["any"] != nil { return any }
      if member["field"] == nil { member.fail(missing: "field", ", or 'any'") }
      if chosen == nil { member.fail("a condition needs one of \(comparisons.joined(separator: ", "))") }
      return test
    }
    .named("condition")
  }

  /// An `any` inside an `any` has the same effect as its conditions, so nested lists become one.
  private static func any(_ known: KnownNames) -> Shape {
    Shape<[Condition]>.list(of: .condition(known), "an array of conditions", empty: "expected at least one condition")
      .map { .any($0.flatMap { if case .any(let inner) = $0 { inner } else { [$0] } }) }
  }
}

extension Shape where Value == Condition.Field {
  fileprivate static func field(_ known: KnownNames) -> Shape {
    // An unknown name has a defect already.
    Shape<String>.name(known).map { name in
      known.meanings[name] ?? known.names.firstIndex { isSameText($0, name) }.map { .field($0) }
    }
  }
}

extension Shape where Value == ItemValue {
  fileprivate static func operand(of comparison: Condition.Comparison) -> Shape {
    switch comparison {
    case .is, .isNot: .scalar
    case .in: .scalars
    case .above, .below, .atLeast, .atMost: .scalar(JSONSchema("number", "string"), "a number or a string")
    case .has: .scalar(JSONSchema("string", "number", "boolean"), "a string, a number, true or false")
    }
  }
}

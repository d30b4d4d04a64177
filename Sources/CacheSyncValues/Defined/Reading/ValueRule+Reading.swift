// The values that a kind computes from all items that it chooses (definitions.md: values).

extension Shape where Value == [ValueRule] {
  static func values(_ names: KindNames) -> Shape {
    Shape<[(key: String, value: ValueRule)]>.members(
      of: { .rule($0, names) }, names: KnownNames.schema,
      accepts: { reader, member in
        if member.value.isNull { return false }
        reader.valueCount += 1
        let most = DefinitionReader.most
        if reader.valueCount == most + 1 { reader.fail("more than \(most) values in a definition", atKeyOf: member) }
        return reader.isGoodName(member, "value")
      }
    )
    .with(#"{ "maxProperties": \#(DefinitionReader.most) }"#)
    .map { $0.map(\.value) }
  }
}

extension Shape where Value == ValueRule {
  /// The operations on a field, and on a field and the one that they give.
  private static let ofField: [(name: String, make: @Sendable (ExactText, ExactText) -> ValueRule.Operation)] = [
    ("sum", { field, _ in .sum(field) }), ("min", { field, _ in .min(field) }), ("max", { field, _ in .max(field) }),
    ("mean", { field, _ in .mean(field) }), ("first", { field, _ in .first(field) }),
    ("last", { field, _ in .last(field) }), ("list", { field, _ in .list(field) }),
    ("least", { .least($0, give: $1) }), ("greatest", { .greatest($0, give: $1) }),
  ]
  private static let giving = ["least", "greatest"]

  /// A value with a defect keeps its name, so that the texts that use it get no defects.
  fileprivate static func rule(_ name: String, _ names: KindNames) -> Shape {
    let rule = object(schemaRules) { member in
      let operations = ["count"] + ofField.map(\.name) + ["share"]
      let chosen = member.first(of: operations) { "one rule in a value; '\($0)' is one of its own" }
      let isGiving = chosen.map { giving.contains($0) } ?? false
      if !isGiving, chosen != nil, member["give"] != nil {
        member.fail("'give' goes with 'least' and 'greatest' only", at: "give")
      }
      var rule = ValueRule(name, .count)
      member("of", &rule.of, .choice(names), "Which items; or those that start in this day, week, month or year.")
      member("where", &rule.condition, .conditions(names.fields))
      member("count", &rule.operation, .count)
      let give = member("give", .name(names.fields), "The field that least and greatest give.")
      for (key, make) in ofField {
        guard let field = member(key, .name(names.fields)), let give = isGiving ? give : "" else { continue }
        rule.operation = make(ExactText(field), ExactText(give))
      }
      member("share", &rule.operation, Shape<[Condition]>.conditions(names.fields).map { .share($0) })
      if chosen == nil { member.fail("a value needs one of \(operations.joined(separator: ", "))") }
      if isGiving, member["give"] == nil { member.fail(missing: "give") }
      return rule
    }
    return Shape(in: rule.schema) { rule.read($0, $1) ?? ValueRule(name, .count) }.named("rule")
  }

  private static var schemaRules: String {
    let rules = (["count"] + ofField.map(\.name) + ["share"]).map { name in
      giving.contains(name)
        ? #"{ "required": ["\#(name)", "give"] }"#
        : #"{ "required": ["\#(name)"], "not": { "required": ["give"] } }"#
    }
    return #"{ "oneOf": [\#(rules.joined(separator: ","))] }"#
  }
}

extension Shape where Value == ValueRule.Operation {
  fileprivate static var count: Shape {
    Shape<Bool>.flag.then { reader, value, isCounted in
      if !isCounted { reader.fail("expected true, found false", at: value) }
      return .count
    }
    .with(#"{ "enum": [true] }"#)
  }
}

extension Shape where Value == ValueRule.Choice {
  fileprivate static func choice(_ names: KindNames) -> Shape {
    let words = DefinedKind.Show.allCases.map(\.rawValue) + ValueRule.Period.allCases.map(\.rawValue)
    return Shape(.word(words)) { reader, value in
      guard let word = reader.oneOf(words, value) else { return nil }
      if word != DefinedKind.Show.all.rawValue, !names.hasStart {
        reader.fail("'\(word)' needs 'start' in 'items'", at: value)
      }
      return ValueRule.Period(rawValue: word).map { .period($0) } ?? DefinedKind.Show(rawValue: word).map { .show($0) }
    }
  }
}

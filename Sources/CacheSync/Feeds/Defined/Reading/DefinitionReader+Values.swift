// The values that a kind computes from all items that it chooses (definitions.md: values).

extension DefinitionReader {
  enum ValueKey: String, CaseIterable {
    case of, `where`, give
    case count, sum, min, max, mean, first, last, list, least, greatest, share
  }

  private static let operations = ValueKey.allCases.filter { $0 != .of && $0 != .where && $0 != .give }

  mutating func values(_ value: LocatedValue, _ items: Items, _ counts: inout Counts) -> [ValueRule] {
    var values: [ValueRule] = []
    for member in members(value) ?? [] where !member.value.isNull {
      counts.values += 1
      if counts.values == Self.most + 1 { fail("more than \(Self.most) values in a definition", atKeyOf: member) }
      guard isGoodName(member, "value", taken: KnownNames.reserved) else { continue }
      // A value with a defect keeps its name, so that the texts that use it get no defects.
      values.append(rule(member, items) ?? ValueRule(member.key, .count))
    }
    return values
  }

  private mutating func rule(_ member: LocatedMember, _ items: Items) -> ValueRule? {
    guard let members = object(member.value, ValueKey.self) else { return nil }
    let present = Self.operations.compactMap { key in members[key].map { (key, $0) } }
    guard let (key, operand) = present.min(by: { $0.1.offset < $1.1.offset }) else {
      let choice = Self.operations.map(\.rawValue).joined(separator: ", ")
      fail("a value needs one of \(choice)", at: member.value)
      return nil
    }
    for (other, value) in present where other != key {
      fail("one rule in a value; '\(other.rawValue)' is one of its own", at: value)
    }
    let give = give(members[.give], for: key, in: member.value, items.fields)
    let operation = operation(key, operand, give, items.fields)
    let of = members[.of].flatMap { choice($0, items) }
    let condition = members[.where].map { conditions($0, items.fields) } ?? []
    guard let operation else { return nil }
    var rule = ValueRule(member.key, operation)
    rule.of = of
    rule.condition = condition
    return rule
  }

  private mutating func choice(_ value: LocatedValue, _ items: Items) -> ValueRule.Choice? {
    if let period = value.text.flatMap({ ValueRule.Period(rawValue: $0) }) {
      if !items.hasStart { fail("'\(period.rawValue)' needs 'start' in 'items'", at: value) }
      return .period(period)
    }
    let names = DefinedKind.Show.allCases.map(\.rawValue) + ValueRule.Period.allCases.map(\.rawValue)
    if let text = value.text, !names.contains(text) {
      let expected = "expected one of \(names.joined(separator: ", "))"
      fail("\(expected), found \(quotedName(text))\(advice(for: text, among: names))", at: value)
      return nil
    }
    return show(value, items).map { .show($0) }
  }

  private mutating func give(
    _ value: LocatedValue?, for key: ValueKey, in rule: LocatedValue, _ fields: KnownNames
  ) -> String? {
    let isNeeded = key == .least || key == .greatest
    guard let value else {
      if isNeeded { fail(missing: "give", in: rule) }
      return nil
    }
    if !isNeeded { fail("'give' goes with 'least' and 'greatest' only", at: value) }
    return name(value, fields)
  }

  private mutating func operation(
    _ key: ValueKey, _ value: LocatedValue, _ give: String?, _ fields: KnownNames
  ) -> ValueRule.Operation? {
    switch key {
    case .of, .where, .give: return nil
    case .count:
      guard let isCounted = bool(value) else { return nil }
      if !isCounted { fail("expected true, found false", at: value) }
      return .count
    case .share: return .share(conditions(value, fields))
    case .sum: return name(value, fields).map { .sum(ExactText($0)) }
    case .min: return name(value, fields).map { .min(ExactText($0)) }
    case .max: return name(value, fields).map { .max(ExactText($0)) }
    case .mean: return name(value, fields).map { .mean(ExactText($0)) }
    case .first: return name(value, fields).map { .first(ExactText($0)) }
    case .last: return name(value, fields).map { .last(ExactText($0)) }
    case .list: return name(value, fields).map { .list(ExactText($0)) }
    case .least:
      return name(value, fields).flatMap { name in give.map { .least(ExactText(name), give: ExactText($0)) } }
    case .greatest:
      return name(value, fields).flatMap { name in give.map { .greatest(ExactText(name), give: ExactText($0)) } }
    }
  }
}

extension ValueRule {
  /// The value of the items that a show chooses, which are in the kind's order.
  ///
  /// If no item is chosen, count and sum are 0, a list is empty, and the others are null. A least or greatest value is
  /// one of the numbers, otherwise one of the dates, otherwise one of the texts.
  func value(of chosen: [Candidate], _ lookup: ItemLookup) -> ItemValue {
    let chosen = lookup.filter(chosen, condition)
    func values(_ field: ExactText) -> [ItemValue] {
      let slot = lookup.slot(field.wrappedValue)
      return chosen.map { lookup.value(slot, of: $0) }
    }
    func extreme(_ field: ExactText, isGreatest: Bool, give: ExactText? = nil) -> ItemValue {
      let place = Self.extreme(values(field), isGreatest: isGreatest)
      return place.map { lookup.value((give ?? field).wrappedValue, of: chosen[$0]) } ?? .null
    }
    switch operation {
    case .count: return .number(Double(chosen.count))
    case .sum(let field): return .number(values(field).compactMap(\.number).reduce(0, +).finite)
    case .mean(let field):
      let numbers = values(field).compactMap(\.number)
      // The sum of large numbers may be more than a double holds; then each is divided before they are added.
      return numbers.isEmpty ? .null : .number(Self.mean(numbers))
    case .min(let field): return extreme(field, isGreatest: false)
    case .max(let field): return extreme(field, isGreatest: true)
    case .first(let field): return chosen.first.map { lookup.value(field.wrappedValue, of: $0) } ?? .null
    case .last(let field): return chosen.last.map { lookup.value(field.wrappedValue, of: $0) } ?? .null
    case .list(let field): return .list(chosen.map { lookup.value(field.wrappedValue, of: $0) })
    case .least(let field, let give): return extreme(field, isGreatest: false, give: give)
    case .greatest(let field, let give): return extreme(field, isGreatest: true, give: give)
    case .share(let conditions):
      if chosen.isEmpty { return .null }
      return .number(Double(lookup.filter(chosen, conditions).count) / Double(chosen.count))
    }
  }

  private static func mean(_ numbers: [Double]) -> Double {
    let sum = numbers.reduce(0, +)
    if sum.isFinite { return sum / Double(numbers.count) }
    return numbers.reduce(0) { $0 + $1 / Double(numbers.count) }.finite
  }

  /// The index of the least or greatest value. Of equal values the first counts.
  private static func extreme(_ values: [ItemValue], isGreatest: Bool) -> Int? {
    values.indices.filter { values[$0].isComparable }.min { a, b in
      let order = values[a].order(values[b])
      return values[a].hasSameRank(as: values[b]) && isGreatest ? order > 0 : order < 0
    }
  }

  /// The work that an item counts for, see ``DefinedProjection/work``.
  var steps: Int {
    guard case .share(let conditions) = operation else { return 2 + condition.steps }
    return 2 + condition.steps + conditions.steps
  }
}

extension ItemValue {
  fileprivate var number: Double? {
    if case .number(let value) = self { value.finite } else { nil }
  }
}

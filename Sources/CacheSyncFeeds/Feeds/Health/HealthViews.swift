extension BudgetKind {
  static let view = ViewNode.byFamily([.systemSmall: small, .systemMedium: medium], other: lines)

  private static func lines(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    let maintenance = ViewNode.text(
      entry.phrase(
        .maintenance, [.amount: entry["maintenance"].whole, .percent: entry.percent(entry["confidence"])]))
    let isValid = entry["isValid"]?.bool == true
    if entry.isCompact { return energy(entry.content, progress: entry["progress"]?.double, entry) }
    return .vertical(
      [
        energy(entry.content, progress: entry["progress"]?.double, entry),
        .text(
          entry.phrase(
            .budgetParts,
            [
              .base: entry["base"].whole, .today: entry["dailyAdjustment"].signed, .credit: entry["credit"].signed,
              .count: entry["daysLeft"].whole,
            ])),
        isValid ? maintenance : .horizontal(maintenance, .text(entry.phrase(.tooFewDays), .orange)),
      ] + entry.list("flags").map { .text("• " + remark($0.string, entry), .orange) })
  }

  /// A flag in words: "slope clamped"; with a capital letter on a line of its own.
  static func remark(_ flag: String?, _ entry: ViewInput, ofItsOwn: Bool = false) -> String {
    switch flag {
    case "slopeClamped": entry.phrase(ofItsOwn ? .slopeClampedLine : .slopeClamped)
    case "densityEstimated": entry.phrase(ofItsOwn ? .densityEstimatedLine : .densityEstimated)
    case "maintenanceSuspect": entry.phrase(ofItsOwn ? .maintenanceSuspectLine : .maintenanceSuspect)
    case "budgetClamped": entry.phrase(ofItsOwn ? .budgetClampedLine : .budgetClamped)
    case "adjustmentClamped": entry.phrase(ofItsOwn ? .adjustmentClampedLine : .adjustmentClamped)
    default: flag ?? .missing
    }
  }
}

extension MacrosKind {
  static let view = ViewNode.byFamily([.systemSmall: small, .systemMedium: medium], other: macros)
}

extension NutrientsKind {
  static let view = ViewNode.byFamily([.systemMedium: medium, .systemLarge: large], other: rows)

  private static func rows(_ entry: ViewInput) -> ViewNode {
    let nutrients = entry.list("nutrients")
    guard !nutrients.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    return .vertical(
      nutrients.map { nutrient in
        .row(
          nil, .label((nutrient["displayName"] ?? nutrient["name"]).words), .value(amount(of: nutrient, entry)),
          .bar(nutrient["progress"]?.double))
      } + entry.more(entry["more"]))
  }

  /// "11.5 / 30 g", or "24 g" without a goal.
  static func amount(of nutrient: JSONValue, _ entry: ViewInput) -> String {
    let goal = nutrient["goal"]?.double == nil ? "" : " / \(entry.decimal(nutrient["goal"]))"
    return "\(entry.decimal(nutrient["amount"]))\(goal) \(nutrient["unit"].words)"
  }
}

extension OverviewKind {
  static let view = ViewNode.byFamily([.systemMedium: medium, .systemLarge: large], other: lines)

  private static func lines(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    let calories = entry["calories"] ?? .null
    let budget = calories["budget"]?.double ?? 0
    let progress = budget > 0 ? (calories["intake"]?.double ?? 0) / budget : 0
    if entry.isCompact {
      return .vertical([energy(calories, progress: progress, entry), macros(entry), week(entry)])
    }
    return .vertical([
      energy(calories, progress: progress, entry), .text(weight(entry["weight"] ?? .null, entry)), macros(entry),
      week(entry),
    ])
  }

  private static func weight(_ weight: JSONValue, _ entry: ViewInput) -> String {
    let sign =
      switch weight["trend"]?.string {
      case "down": "↓"
      case "up": "↑"
      default: "→"
      }
    let latest = weight["latest"]?.double == nil ? String.missing : "\(entry.decimal(weight["latest"])) kg"
    let slope = entry.decimal(weight["slopePerWeek"], places: 2)
    return entry.phrase(.weightTrend, [.weight: latest, .sign: sign, .amount: slope])
  }

  /// Each day relative to the greatest of the week.
  private static func week(_ entry: ViewInput) -> ViewNode {
    let days = entry.list("week")
    let greatest = days.compactMap { $0["intake"]?.double }.max() ?? 0
    return .vertical(
      days.map { day in
        let date = day["date"]?.string.flatMap { LocalDay($0) }.map { entry.date($0) } ?? .missing
        let share = day["intake"]?.double.map { ViewNode.bar(greatest > 0 ? $0 / greatest : 0) }
        return .row(nil, .label(date, .soft), .value(day["intake"].whole), share ?? .label(""))
      })
  }
}

/// How much of the budget was eaten, with the rest inside the ring.
private func energy(_ content: JSONValue, progress: Double?, _ entry: ViewInput) -> ViewNode {
  let eaten = ViewNode.label("\(content["intake"].whole) / \(content["budget"].whole) kcal")
  let left = ViewNode.ring(progress, rest(content["remaining"], entry))
  return entry.isCompact ? .line(.icon("flame.fill", "🔥"), left) : .line(.icon("flame.fill", "🔥"), eaten, left)
}

private func macros(_ entry: ViewInput) -> ViewNode {
  let macros = entry.list("macros")
  guard !macros.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
  return .vertical(
    macros.map { macro in
      let amounts = ViewNode.value("\(entry.decimal(macro["grams"])) / \(entry.decimal(macro["budget"])) g")
      return ViewNode(
        .row(
          nil,
          [.label(entry.name(of: macro))] + (entry.isCompact ? [] : [amounts])
            + [.bar(macro["progress"]?.double), rest(macro["remaining"], entry, unit: " g")]))
    })
}

/// How much may still be eaten, or how much it is too much.
private func rest(_ value: JSONValue?, _ entry: ViewInput, unit: String = "") -> ViewNode {
  guard let rest = value?.double else { return .label("") }
  guard rest < 0 else { return .label(entry.phrase(.left, [.amount: value.whole + unit])) }
  return .label(entry.phrase(.over, [.amount: Optional(JSONValue.number(-rest)).whole + unit]), .red)
}

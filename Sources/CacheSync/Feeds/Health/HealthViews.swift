extension BudgetKind {
  static let view: KindView = { entry in
    switch entry.family {
    case .systemSmall: small(entry)
    case .systemMedium: medium(entry)
    default: lines(entry)
    }
  }

  private static func lines(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    let maintenance = ViewNode.text(
      "maintenance \(entry["maintenance"].whole) kcal a day, confidence \(entry["confidence"].percent)")
    let isValid = entry["isValid"]?.bool == true
    if entry.isCompact { return energy(entry.content, progress: entry["progress"]?.double, isCompact: true) }
    return .vertical(
      [
        energy(entry.content, progress: entry["progress"]?.double),
        .text(
          "base \(entry["base"].whole), today \(entry["dailyAdjustment"].signed): "
            + "credit \(entry["credit"].signed) over \(days(entry["daysLeft"]))"),
        isValid ? maintenance : .horizontal(maintenance, .text("too few days to be sure", .orange)),
      ] + entry.list("flags").map { .text("• " + words($0.string), .orange) })
  }

  private static func days(_ count: JSONValue?) -> String { counted(count.whole, "day") }

  /// `slopeClamped` in words: "slope clamped".
  static func words(_ name: String?) -> String {
    (name ?? .missing).reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
  }
}

extension MacrosKind {
  static let view: KindView = { entry in
    switch entry.family {
    case .systemSmall: small(entry)
    case .systemMedium: medium(entry)
    default: macros(entry)
    }
  }
}

extension NutrientsKind {
  static let view: KindView = { entry in
    switch entry.family {
    case .systemMedium: medium(entry)
    case .systemLarge: large(entry)
    default: rows(entry)
    }
  }

  private static func rows(_ entry: ViewInput) -> ViewNode {
    let nutrients = entry.list("nutrients")
    guard !nutrients.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    return .vertical(
      nutrients.map { nutrient in
        .row(nil, .label(nutrient["name"].words), .value(amount(of: nutrient)), .bar(nutrient["progress"]?.double))
      } + ViewNode.more(entry["more"]))
  }

  /// "11.5 / 30 g", or "24 g" without a goal.
  static func amount(of nutrient: JSONValue) -> String {
    let goal = nutrient["goal"]?.double == nil ? "" : " / \(nutrient["goal"].decimal())"
    return "\(nutrient["amount"].decimal())\(goal) \(nutrient["unit"].words)"
  }
}

extension OverviewKind {
  static let view: KindView = { entry in
    switch entry.family {
    case .systemMedium: medium(entry)
    case .systemLarge: large(entry)
    default: lines(entry)
    }
  }

  private static func lines(_ entry: ViewInput) -> ViewNode {
    guard !entry.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
    let calories = entry["calories"] ?? .null
    let budget = calories["budget"]?.double ?? 0
    let progress = budget > 0 ? (calories["intake"]?.double ?? 0) / budget : 0
    if entry.isCompact {
      return .vertical([energy(calories, progress: progress, isCompact: true), macros(entry), week(entry)])
    }
    return .vertical([
      energy(calories, progress: progress), .text(weight(entry["weight"] ?? .null)), macros(entry), week(entry),
    ])
  }

  private static func weight(_ weight: JSONValue) -> String {
    let sign =
      switch weight["trend"]?.string {
      case "down": "↓"
      case "up": "↑"
      default: "→"
      }
    let latest = weight["latest"]?.double == nil ? String.missing : "\(weight["latest"].decimal()) kg"
    return "weight \(latest)  \(sign) \(weight["slopePerWeek"].decimal(places: 2)) kg a week"
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
private func energy(_ content: JSONValue, progress: Double?, isCompact: Bool = false) -> ViewNode {
  let eaten = ViewNode.label("\(content["intake"].whole) / \(content["budget"].whole) kcal")
  let left = ViewNode.ring(progress, rest(content["remaining"], unit: ""))
  return isCompact ? .line(.icon("flame.fill", "🔥"), left) : .line(.icon("flame.fill", "🔥"), eaten, left)
}

private func macros(_ entry: ViewInput) -> ViewNode {
  let macros = entry.list("macros")
  guard !macros.isEmpty else { return .text(entry["message"]?.string ?? .missing) }
  return .vertical(
    macros.map { macro in
      let amounts = ViewNode.value("\(macro["grams"].decimal()) / \(macro["budget"].decimal()) g")
      return ViewNode(
        .row(
          nil,
          [.label(macro["name"].words)] + (entry.isCompact ? [] : [amounts])
            + [.bar(macro["progress"]?.double), rest(macro["remaining"], unit: " g")]))
    })
}

/// How much may still be eaten, or how much it is too much.
private func rest(_ value: JSONValue?, unit: String) -> ViewNode {
  guard let rest = value?.double else { return .label("") }
  guard rest < 0 else { return .label("\(value.whole)\(unit) left") }
  return .label("\(Optional(JSONValue.number(-rest)).whole)\(unit) over", .red)
}

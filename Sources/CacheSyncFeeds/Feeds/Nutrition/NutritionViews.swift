// In mindful mode no view has a digit, except in the names of foods: bars and words are enough.

private let fork = ViewNode.icon("fork.knife", "🍴")
private let leaf = ViewNode.icon("leaf.fill", "🌿")

extension ViewInput {
  var showsNumbers: Bool { content["showsNumbers"]?.bool ?? true }

  /// In place of the numbers of a day that the app has not written yet.
  fileprivate var unsynced: ViewNode { .line(showsNumbers ? fork : leaf, .text(phrase(.openAppToSync))) }

  fileprivate var mindfulBars: ViewNode {
    .vertical(list("macros").map { .row(nil, .label(name(of: $0)), .bar($0["progress"]?.double)) })
  }
}

/// "80.3 / 150 g", with its bar.
private func gramsOfTarget(_ macro: JSONValue, _ entry: ViewInput) -> ViewNode {
  .horizontal(
    .value("\(entry.decimal(macro["grams"])) / \(entry.decimal(macro["target"])) g"), .bar(macro["progress"]?.double))
}

extension DailyProgressKind {
  static let view = ViewNode.byFamily([.systemSmall: small, .systemMedium: medium], other: lines)

  private static func lines(_ entry: ViewInput) -> ViewNode {
    if entry.state == .placeholder { return entry.unsynced }
    guard entry.showsNumbers else {
      return .vertical([.line(leaf, .text(entry["text"].words)), entry.mindfulBars])
    }
    let calories = ViewNode.row(
      fork, .label(entry.phrase(.calories)), .value(entry.isCompact ? "" : "\(entry["text"].words) kcal"),
      .ring(entry["calorieProgress"]?.double, .label(entry.phrase(.left, [.amount: entry["caloriesRemaining"].whole]))))
    let macros = entry.list("macros").map { ViewNode.row(nil, .label(entry.name(of: $0)), gramsOfTarget($0, entry)) }
    if entry.isCompact { return .vertical([calories] + macros) }
    return .vertical(
      [calories] + macros + [.text(entry.phrase(.updated, [.time: entry.time(entry["lastUpdated"])]), .soft)])
  }
}

extension MacroBreakdownKind {
  static let view = ViewNode.byFamily([.systemMedium: medium, .systemLarge: large], other: rows)

  private static func rows(_ entry: ViewInput) -> ViewNode {
    if entry.state == .placeholder { return entry.unsynced }
    guard entry.showsNumbers else { return entry.mindfulBars }
    return .vertical(
      entry.list("macros").map { macro in
        let more: [ViewNode] =
          entry.isCompact
          ? []
          : [
            .value(entry.phrase(.left, [.amount: "\(entry.decimal(macro["remaining"])) g"])),
            .value("\(macro["calories"].whole) kcal"),
            .value(entry.percent(macro["share"])),
          ]
        return ViewNode(.row(nil, [.label(entry.name(of: macro)), gramsOfTarget(macro, entry)] + more))
      })
  }
}

extension QuickLogKind {
  static let view = ViewNode.byFamily([.systemMedium: medium], other: rows)

  /// The foods; a tap on one logs it.
  private static func rows(_ entry: ViewInput) -> ViewNode {
    guard entry["isEmpty"]?.bool != true else { return .line(.icon("star", "☆"), .text(entry["message"].words)) }
    return .vertical(
      entry.list("foods").map { food in
        let quantity = "\(entry.decimal(food["defaultQuantity"], places: 2)) \(food["unit"].words)"
        let name = ViewNode.text(food["name"].words)
        let plus = ViewNode.icon("plus", "+")
        let row: ViewNode =
          entry.showsNumbers
          ? .row(plus, name, .value("\(food["calories"].whole) kcal"), .text(quantity, .soft)) : .row(plus, name)
        return row.onTap(.intent("log-food", ["foodId": food["id"].words]))
      })
  }
}

extension CaloriesKind {
  static let view = ViewNode.byFamily(
    [.accessoryCircular: circular, .accessoryRectangular: rectangular, .accessoryInline: inline], other: line)

  private static func line(_ entry: ViewInput) -> ViewNode {
    let words = ViewNode.label(entry["rectangular"].words)
    guard entry.showsNumbers else { return .line(leaf, words) }
    return entry.isEmpty || entry.state == .placeholder
      ? .line(fork, words) : .line(fork, .bar(entry["progress"]?.double), words)
  }
}

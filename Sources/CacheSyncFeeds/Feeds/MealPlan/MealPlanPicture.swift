// pictures.md section 7, meal-plan.
extension MealPlanKind {
  /// The day's name and its meals: up to three in rows, more in two columns.
  static func medium(_ entry: ViewInput) -> ViewNode {
    let meals = entry.list("meals")
    guard entry["isEmpty"]?.bool != true else {
      return .nothing(entry["symbol"].words, "🍴", entry["title"].words, entry["message"].words)
    }
    let day = ViewNode.label(entry["dayName"].words, .pink, .headline)
    let cells = meals.map { ViewNode.row(icon($0), .vertical(label($0, entry), name($0), gap: 0).growing()).growing() }
    guard cells.count > 3 else { return .vertical([day] + cells, gap: 4) }
    let rows = stride(from: 0, to: cells.count, by: 2).map { first in
      let pair = Array(cells[first...].prefix(2))
      // On a screen, where names take the room that there is, rows share their columns, and a last one has the whole row.
      if entry.isRoomy { return ViewNode(.row(nil, pair)).gap(12).growing() }
      return ViewNode.horizontal(pair + (pair.count == 1 ? [.spacer] : []), gap: 12).growing()
    }
    return .vertical([day] + rows, gap: 4)
  }

  private static func icon(_ meal: JSONValue) -> ViewNode { icon(meal["symbol"]?.string, .pink).side(20) }

  /// "Adult breakfast" for a meal that is not for the family.
  private static func label(_ meal: JSONValue, _ entry: ViewInput) -> ViewNode {
    let phrase: Phrase? =
      switch adultMeal(meal) {
      case "breakfast": .adultBreakfast
      case "lunch": .adultLunch
      case "dinner": .adultDinner
      default: nil
      }
    let label = ViewNode.word(phrase.map { entry.phrase($0) } ?? meal["label"].words, .soft, .caption)
    return entry.isRoomy ? label.twoLines() : label
  }

  private static func name(_ meal: JSONValue) -> ViewNode {
    let name = meal["mealName"].words
    return .text(name, name == .missing ? .soft : .ink)
  }
}

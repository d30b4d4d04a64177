extension MealPlanKind {
  static let view = ViewNode.byFamily([.systemMedium: medium], other: rows)

  /// The day's meals, a row each.
  private static func rows(_ entry: ViewInput) -> ViewNode {
    guard entry["isEmpty"]?.bool != true else {
      return .line(
        .icon("fork.knife", "🍴"),
        .text(entry.phrase(.titleAndMessage, [.title: entry["title"].words, .message: entry["message"].words])))
    }
    return .vertical(
      entry.list("meals").map { meal in
        let phrase: Phrase? =
          switch adultMeal(meal) {
          case "breakfast": .breakfastForAdults
          case "lunch": .lunchForAdults
          case "dinner": .dinnerForAdults
          default: nil
          }
        let label = phrase.map { entry.phrase($0) } ?? meal["label"].words
        return .row(icon(meal["symbol"]?.string), .label(label), .text(meal["mealName"].words))
      })
  }

  /// The type of a meal that is for adults only; nil: it is for the family.
  static func adultMeal(_ meal: JSONValue) -> String? {
    meal["mealTrack"]?.string == "adult" ? meal["mealType"]?.string : nil
  }

  static func icon(_ symbol: String?, _ tint: ViewNode.Tint = .ink) -> ViewNode {
    switch symbol {
    case "sunrise": .icon("sunrise", "🌅", tint)
    case "sun.max": .icon("sun.max", "🌞", tint)
    case "moon.stars": .icon("moon.stars", "🌙", tint)
    default: .icon(symbol ?? "", "•", tint)
    }
  }
}

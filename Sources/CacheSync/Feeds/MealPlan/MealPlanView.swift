extension MealPlanKind {
  /// The day's meals, a row each.
  static let view: KindView = { entry in
    guard entry["isEmpty"]?.bool != true else {
      return .line(.icon("fork.knife", "🍴"), .text("\(entry["title"].words): \(entry["message"].words)"))
    }
    return .vertical(
      entry.list("meals").map { meal in
        let adults = meal["mealTrack"]?.string == "adult" ? " (adults)" : ""
        return .row(icon(meal["symbol"]?.string), .label(meal["label"].words + adults), .text(meal["mealName"].words))
      })
  }

  private static func icon(_ symbol: String?) -> ViewNode {
    switch symbol {
    case "sunrise": .icon("sunrise", "🌅")
    case "sun.max": .icon("sun.max", "🌞")
    case "moon.stars": .icon("moon.stars", "🌙")
    default: .icon(symbol ?? "", "•")
    }
  }
}

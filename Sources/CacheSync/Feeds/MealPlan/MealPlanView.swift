extension MealPlanKind {
  static let view: KindView = { entry in entry.family == .systemMedium ? medium(entry) : rows(entry) }

  /// The day's meals, a row each.
  private static func rows(_ entry: ViewInput) -> ViewNode {
    guard entry["isEmpty"]?.bool != true else {
      return .line(.icon("fork.knife", "🍴"), .text("\(entry["title"].words): \(entry["message"].words)"))
    }
    return .vertical(
      entry.list("meals").map { meal in
        let adults = meal["mealTrack"]?.string == "adult" ? " (adults)" : ""
        return .row(icon(meal["symbol"]?.string), .label(meal["label"].words + adults), .text(meal["mealName"].words))
      })
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

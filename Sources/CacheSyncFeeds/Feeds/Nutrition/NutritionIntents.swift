/// The effect of `log-food`: servings of a food, eaten on the local day of the intent (feeds.md: types).
struct LoggedFood: Sendable {
  var food: RecordID
  var quantity: Double
}

extension IntentType {
  static let logFood = IntentType(
    "log-food", on: NutritionFeed.name, .logFoodIntent,
    [.optional("quantity", .number, defaultValue: .number(1)), .required("foodId", .record("food"))],
    example: "foodId=oatmeal quantity=1.5"
  ) { LoggedFood(food: $0.record, quantity: $0.number("quantity")) }
}

extension Intent.Action {
  /// Logs servings of one of the recent foods on the local day of ``Intent/at``.
  public static func logFood(id: String, quantity: Double = 1) -> Self {
    Self(.logFood, ["foodId": .text(id), "quantity": .number(quantity)])
  }
}

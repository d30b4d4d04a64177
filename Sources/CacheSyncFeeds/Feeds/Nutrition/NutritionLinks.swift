extension DeepLink.Form {
  /// See ``DeepLink/nutritionToday``.
  public static let nutritionToday = Self("dietapp://dashboard/today")
  /// See ``DeepLink/meal(id:)``.
  public static let meal = Self("dietapp://meal", .segment("id"))
  /// See ``DeepLink/addFood(meal:)``.
  public static let addFood = Self("dietapp://add-food", .optional("meal"))

  static let nutrition = [nutritionToday, meal, addFood]
}

extension DeepLink {
  /// `dietapp://dashboard/today`: what was eaten today.
  public static let nutritionToday = DeepLink(.nutritionToday)

  /// `dietapp://meal/<id>`: one meal.
  public static func meal(id: String) -> DeepLink { DeepLink(.meal, ["id": id]) }

  /// `dietapp://add-food?meal=…`: choosing a food, for a meal if one is named.
  public static func addFood(meal: String? = nil) -> DeepLink { DeepLink(.addFood, ["meal": meal]) }
}

extension DeepLink.Form {
  /// See ``DeepLink/mealPlan``.
  public static let mealPlan = Self("brados://mealplan")
}

extension DeepLink {
  /// `brados://mealplan`: the week's meals.
  public static let mealPlan = DeepLink(.mealPlan)
}

extension DeepLink.Form {
  /// See ``DeepLink/mealPlan``.
  public static let mealPlan = Self("brados://mealplan")
  /// See ``DeepLink/workout``.
  public static let workout = Self("brados://workout")
}

extension DeepLink {
  /// `brados://mealplan`: the week's meals.
  public static let mealPlan = DeepLink(.mealPlan)

  /// `brados://workout`: today's workout.
  public static let workout = DeepLink(.workout)
}

extension String {
  /// The name of a feed, kind or intent type as words: "meal-plan" is "Meal plan".
  package var asTitle: String {
    let words = replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension String {
  /// A name of a feed, kind or intent type in words: "meal-plan" is "Meal plan".
  package var asTitle: String {
    let words = replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// A nutrient that samples measure and goals limit (feeds.md: nutrients).
package struct Nutrient: Sendable {
  package let type: HealthSession.SampleType
  /// What people call it. Its English is published as `name`.
  let displayName: Phrase
  let unit: String

  private init(_ type: HealthSession.SampleType, _ displayName: Phrase, _ unit: String) {
    self.type = type
    self.displayName = displayName
    self.unit = unit
  }

  /// In the order in which readers show them.
  package static let all = [
    Nutrient(.fiber, .fiber, "g"), Nutrient(.sugar, .sugar, "g"), Nutrient(.saturatedFat, .saturatedFat, "g"),
    Nutrient(.monounsaturatedFat, .monounsaturatedFat, "g"),
    Nutrient(.polyunsaturatedFat, .polyunsaturatedFat, "g"), Nutrient(.cholesterol, .cholesterol, "mg"),
    Nutrient(.sodium, .sodium, "mg"), Nutrient(.potassium, .potassium, "mg"), Nutrient(.calcium, .calcium, "mg"),
    Nutrient(.iron, .iron, "mg"), Nutrient(.magnesium, .magnesium, "mg"), Nutrient(.zinc, .zinc, "mg"),
    Nutrient(.vitaminC, .vitaminC, "mg"), Nutrient(.caffeine, .caffeine, "mg"),
    Nutrient(.vitaminA, .vitaminA, "µg"), Nutrient(.vitaminD, .vitaminD, "µg"),
    Nutrient(.vitaminB12, .vitaminB12, "µg"), Nutrient(.folate, .folate, "µg"), Nutrient(.water, .water, "ml"),
  ]

  static let names = JSONNames(all.map(\.type.rawValue))
}

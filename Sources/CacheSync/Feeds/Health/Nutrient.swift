/// A nutrient that samples measure and goals limit (feeds.md: nutrients).
package struct Nutrient: Sendable {
  package let type: HealthSession.SampleType
  /// For people: "Saturated fat".
  let name: String
  let unit: String

  private init(_ type: HealthSession.SampleType, _ name: String, _ unit: String) {
    self.type = type
    self.name = name
    self.unit = unit
  }

  /// In the order in which readers show them.
  package static let all = [
    Nutrient(.fiber, "Fiber", "g"), Nutrient(.sugar, "Sugar", "g"), Nutrient(.saturatedFat, "Saturated fat", "g"),
    Nutrient(.monounsaturatedFat, "Monounsaturated fat", "g"),
    Nutrient(.polyunsaturatedFat, "Polyunsaturated fat", "g"), Nutrient(.cholesterol, "Cholesterol", "mg"),
    Nutrient(.sodium, "Sodium", "mg"), Nutrient(.potassium, "Potassium", "mg"), Nutrient(.calcium, "Calcium", "mg"),
    Nutrient(.iron, "Iron", "mg"), Nutrient(.magnesium, "Magnesium", "mg"), Nutrient(.zinc, "Zinc", "mg"),
    Nutrient(.vitaminC, "Vitamin C", "mg"), Nutrient(.caffeine, "Caffeine", "mg"),
    Nutrient(.vitaminA, "Vitamin A", "µg"), Nutrient(.vitaminD, "Vitamin D", "µg"),
    Nutrient(.vitaminB12, "Vitamin B12", "µg"), Nutrient(.folate, "Folate", "µg"), Nutrient(.water, "Water", "ml"),
  ]

  static let names = JSONNames(all.map(\.type.rawValue))
}

/// The foods of a session in the file's order.
struct FoodList: Sendable {
  let all: [NutritionSession.Food]
  private let places: [RecordID: Int]

  init(_ listed: [NutritionSession.Food] = []) {
    all = listed
    // The reader has left out earlier foods with the same id.
    places = Dictionary(listed.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
  }

  subscript(id: RecordID) -> NutritionSession.Food? { places[id].map { all[$0] } }
}

extension NutritionSession.Totals {
  /// Adds that many servings. Sums stay finite, whatever numbers a file contains.
  mutating func add(_ serving: NutritionSession.Food, times quantity: Double) {
    calories = (calories + (serving.calories * quantity).finite).finite
    protein = (protein + (serving.protein * quantity).finite).finite
    carbs = (carbs + (serving.carbs * quantity).finite).finite
    fat = (fat + (serving.fat * quantity).finite).finite
  }
}

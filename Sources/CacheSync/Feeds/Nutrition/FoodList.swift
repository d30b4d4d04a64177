/// The foods of a session in the file's order, each id once: of two with the same id the later one counts.
struct FoodList: Sendable {
  let all: [NutritionSession.Food]
  private let places: [RecordID: Int]

  init(_ listed: [NutritionSession.Food] = []) {
    var last: [RecordID: Int] = [:]
    for (index, food) in listed.enumerated() { last[food.id] = index }
    all = listed.indices.filter { last[listed[$0].id] == $0 }.map { listed[$0] }
    places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
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

/// A nutrition session as the agent holds it (FEEDS: nutrition).
package struct StoredNutrition: Sendable {
  package enum Mode: String, JSONKey {
    case full, simple, mindful
    package static let table = JSONKeyTable<Mode>()
  }

  package struct Goals: Sendable {
    package var calorieTarget: Int
    package var protein: Double
    package var carbs: Double
    package var fat: Double

    /// The app's defaults, for a person who has set none (FEEDS: nutrition, "No session").
    package static let defaults = Goals(calorieTarget: 2000, protein: 150, carbs: 250, fat: 65)
  }

  package struct Food: Sendable {
    package var id: RecordID
    package var name: String
    /// Of one serving.
    package var amounts: NutritionAmounts
    package var defaultQuantity: Double
    package var unit: String
  }

  package var lastUpdated: Instant
  /// What was eaten on the local day of ``lastUpdated``.
  package var totals = NutritionAmounts.zero
  package var goals = Goals.defaults
  package var mode = Mode.full
  /// In the file's order, each id once.
  package var foods: [Food] = []
  private var indexOfFood: [RecordID: Int] = [:]

  package func food(_ id: RecordID) -> Food? { indexOfFood[id].map { foods[$0] } }

  /// Replaces the foods by those of a file; of two with the same id the later counts.
  mutating func setFoods(_ listed: [Food]) {
    var last: [RecordID: Int] = [:]
    for (index, food) in listed.enumerated() { last[food.id] = index }
    foods = listed.indices.filter { last[listed[$0].id] == $0 }.map { listed[$0] }
    indexOfFood = Dictionary(uniqueKeysWithValues: foods.enumerated().map { ($1.id, $0) })
  }
}

/// Energy in kcal and the macronutrients in grams.
package struct NutritionAmounts: Sendable, Equatable {
  package var calories: Double
  package var protein: Double
  package var carbs: Double
  package var fat: Double

  package static let zero = NutritionAmounts(calories: 0, protein: 0, carbs: 0, fat: 0)

  /// Adds so many servings. Sums stay finite, whatever numbers a file holds.
  mutating func add(_ serving: NutritionAmounts, times quantity: Double) {
    calories = (calories + (serving.calories * quantity).finite).finite
    protein = (protein + (serving.protein * quantity).finite).finite
    carbs = (carbs + (serving.carbs * quantity).finite).finite
    fat = (fat + (serving.fat * quantity).finite).finite
  }

  /// The amounts with 0 in place of negative ones, which intents with a negative quantity can give.
  var notNegative: NutritionAmounts {
    NutritionAmounts(calories: max(0, calories), protein: max(0, protein), carbs: max(0, carbs), fat: max(0, fat))
  }
}

extension StoredNutrition {
  private enum Key: String, JSONKey {
    case lastUpdated, todayNutrition, goals, recentFoods, trackingMode
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredNutrition? {
    var session = StoredNutrition(lastUpdated: .referenceDate)
    let isWhole = json.object(
      Key.self, required: [.lastUpdated, .todayNutrition, .goals, .recentFoods, .trackingMode]
    ) { json, key in
      switch key {
      case .lastUpdated: session.lastUpdated = json.date() ?? .referenceDate
      case .todayNutrition: session.totals = NutritionAmounts.decode(&json) ?? .zero
      case .goals: session.goals = Goals.decode(&json) ?? .defaults
      case .recentFoods: session.setFoods(json.list { Food.decode(&$0) })
      case .trackingMode:
        session.mode = json.word(Mode.self, named: "trackingMode", unknown: .full) ?? .full
      }
    }
    return isWhole ? session : nil
  }
}

extension JSONReader {
  /// An amount: FEEDS, nutrition: "numbers not negative".
  fileprivate mutating func amount() -> Double { number(in: 0 ... .greatestFiniteMagnitude) ?? 0 }
}

extension NutritionAmounts {
  private enum Key: String, JSONKey {
    case calories, protein, carbs, fat
    static let table = JSONKeyTable<Key>()
  }

  fileprivate static func decode(_ json: inout JSONReader) -> NutritionAmounts? {
    var amounts = NutritionAmounts.zero
    let isWhole = json.object(Key.self, required: [.calories, .protein, .carbs, .fat]) { json, key in
      switch key {
      case .calories: amounts.calories = json.amount()
      case .protein: amounts.protein = json.amount()
      case .carbs: amounts.carbs = json.amount()
      case .fat: amounts.fat = json.amount()
      }
    }
    return isWhole ? amounts : nil
  }
}

extension StoredNutrition.Goals {
  private enum Key: String, JSONKey {
    case calorieTarget, proteinTarget, carbsTarget, fatTarget
    static let table = JSONKeyTable<Key>()
  }

  fileprivate static func decode(_ json: inout JSONReader) -> StoredNutrition.Goals? {
    var goals = StoredNutrition.Goals.defaults
    let isWhole = json.object(
      Key.self, required: [.calorieTarget, .proteinTarget, .carbsTarget, .fatTarget]
    ) { json, key in
      switch key {
      case .calorieTarget: goals.calorieTarget = json.integer(in: 0 ... .max) ?? 0
      case .proteinTarget: goals.protein = json.amount()
      case .carbsTarget: goals.carbs = json.amount()
      case .fatTarget: goals.fat = json.amount()
      }
    }
    return isWhole ? goals : nil
  }
}

extension StoredNutrition.Food {
  private enum Key: String, JSONKey {
    case id, name, calories, protein, carbs, fat, defaultQuantity, unit
    static let table = JSONKeyTable<Key>()
  }

  fileprivate static func decode(_ json: inout JSONReader) -> StoredNutrition.Food? {
    var food = StoredNutrition.Food(id: RecordID(""), name: "", amounts: .zero, defaultQuantity: 0, unit: "")
    let isWhole = json.object(
      Key.self, required: [.id, .name, .calories, .protein, .carbs, .fat, .defaultQuantity, .unit]
    ) { json, key in
      switch key {
      case .id: food.id = json.recordID() ?? RecordID("")
      case .name: food.name = json.string() ?? ""
      case .calories: food.amounts.calories = json.amount()
      case .protein: food.amounts.protein = json.amount()
      case .carbs: food.amounts.carbs = json.amount()
      case .fat: food.amounts.fat = json.amount()
      case .defaultQuantity: food.defaultQuantity = json.amount()
      case .unit: food.unit = json.string() ?? ""
      }
    }
    return isWhole ? food : nil
  }
}

/// What the agent needs of a meal-plan session: a tenth of a real file (FEEDS: meal-plan).
package struct StoredMealPlan: Sendable {
  package enum Track: String, JSONKey {
    case family, adult
    package static let table = JSONKeyTable<Track>()
  }

  package enum Meal: String, JSONKey {
    case breakfast, lunch, dinner
    package static let table = JSONKeyTable<Meal>()
  }

  package var id: String
  package var meals: WeekOfMeals
  package var isFinalized: Bool
  package var updatedAt: Instant
  /// The local day, or the moment within it, on which the plan's week begins; nil: any week.
  package var weekStart: DayReference?
}

extension StoredMealPlan {
  private enum Key: String, JSONKey {
    case id, plan, history
    case mealsSnapshot = "meals_snapshot"
    case isFinalized = "is_finalized"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case weekStart = "week_start"
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> StoredMealPlan? {
    var session = StoredMealPlan(id: "", meals: WeekOfMeals(), isFinalized: false, updatedAt: .referenceDate)
    let needed: JSONKeySet<Key> = [.id, .plan, .isFinalized, .createdAt, .updatedAt]
    let required = json.wanted == .everything ? needed.union([.mealsSnapshot, .history]) : needed
    let isObject = json.object(Key.self, required: required, optional: [.weekStart]) { json, key in
      switch key {
      case .id: session.id = json.string() ?? ""
      case .plan: session.meals = WeekOfMeals.decode(&json)
      case .isFinalized: session.isFinalized = json.bool() ?? false
      case .createdAt: _ = json.date()
      case .updatedAt: session.updatedAt = json.date() ?? .referenceDate
      case .weekStart: session.weekStart = json.dayReference()
      case .mealsSnapshot: _ = json.records("meal") { RecipeCheck.meal(&$0) }
      case .history: _ = json.records("message") { RecipeCheck.message(&$0) }
      }
    }
    return isObject ? session : nil
  }
}

/// The documented parts of a session that the agent does not need, and that `check` validates all the same.
private enum RecipeCheck {
  private enum Role: String, JSONKey {
    case user, assistant
    static let table = JSONKeyTable<Role>()
  }

  private enum MealKey: String, JSONKey {
    case id, name, audience, effort, url
    case mealType = "meal_type"
    case hasRedMeat = "has_red_meat"
    case prepAhead = "prep_ahead"
    case lastPlanned = "last_planned"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    static let table = JSONKeyTable<MealKey>()
  }

  static func meal(_ json: inout JSONReader) -> Bool? {
    json.object(MealKey.self, required: [.id, .name, .mealType, .effort, .hasRedMeat, .createdAt, .updatedAt]) {
      json, key in
      switch key {
      case .id, .name: _ = json.string()
      case .mealType: _ = json.word(StoredMealPlan.Meal.self, named: "meal_type")
      case .audience: _ = json.word(StoredMealPlan.Track.self, named: "audience")
      case .effort: _ = json.integer(in: 1...10)
      case .hasRedMeat, .prepAhead: _ = json.bool()
      case .url: _ = json.string()
      case .lastPlanned: _ = json.date()
      case .createdAt, .updatedAt: _ = json.date()
      }
    }
  }

  private enum MessageKey: String, JSONKey {
    case role, content, operations
    static let table = JSONKeyTable<MessageKey>()
  }

  static func message(_ json: inout JSONReader) -> Bool? {
    json.object(MessageKey.self, required: [.role, .content]) { json, key in
      switch key {
      case .role: _ = json.word(Role.self, named: "role")
      case .content: _ = json.string()
      case .operations: _ = json.records("operation") { operation(&$0) }
      }
    }
  }

  private enum OperationKey: String, JSONKey {
    case dayIndex = "day_index"
    case track = "meal_track"
    case meal = "meal_type"
    case newMealID = "new_meal_id"
    static let table = JSONKeyTable<OperationKey>()
  }

  private static func operation(_ json: inout JSONReader) -> Bool? {
    json.object(OperationKey.self, required: [.dayIndex, .meal]) { json, key in
      switch key {
      case .dayIndex: _ = json.integer(in: 0...6)
      case .track: _ = json.word(StoredMealPlan.Track.self, named: "meal_track")
      case .meal: _ = json.word(StoredMealPlan.Meal.self, named: "meal_type")
      case .newMealID: _ = json.string()
      }
    }
  }
}

/// What stands in the places of a week's plan. Of two entries for one place the later in the file counts.
package struct WeekOfMeals: Sendable {
  /// A place that has an entry.
  struct Meal {
    var day: Weekday
    var slot: MealSlot
    var id: String?
    var name: String?
  }

  /// By day and slot, each place at most once.
  private var meals: [Meal] = []

  package init() {}

  /// How many places of a day have an entry.
  func count(on day: Weekday) -> Int { meals(on: day).count }

  /// The places of a day that have an entry, in the order of slots.
  func meals(on day: Weekday) -> [Meal] { meals.filter { $0.day == day } }

  // MARK: Reading

  private enum Key: String, JSONKey {
    case dayIndex = "day_index"
    case track = "meal_track"
    case meal = "meal_type"
    case mealID = "meal_id"
    case mealName = "meal_name"
    static let table = JSONKeyTable<Key>()
  }

  static func decode(_ json: inout JSONReader) -> WeekOfMeals {
    // Every place of the week, by day and slot.
    let slotCount = MealSlot.allCases.count
    var places = [Meal?](repeating: nil, count: Weekday.allCases.count * slotCount)
    _ = json.array { json in
      guard let entry = json.record("entry", decodeEntry) else { return }
      places[entry.day.rawValue * slotCount + entry.slot.rawValue] = entry
    }
    var week = WeekOfMeals()
    week.meals = places.compactMap(\.self)
    return week
  }

  private static func decodeEntry(_ json: inout JSONReader) -> Meal? {
    var day = Weekday.monday
    var track = StoredMealPlan.Track.family
    var meal = StoredMealPlan.Meal.breakfast
    var id: String?
    var name: String?
    let isObject = json.object(Key.self, required: [.dayIndex, .meal]) { json, key in
      switch key {
      case .dayIndex: day = json.integer(in: 0...6).flatMap(Weekday.init) ?? .monday
      case .track: track = json.word(StoredMealPlan.Track.self, named: "meal_track") ?? .family
      case .meal: meal = json.word(StoredMealPlan.Meal.self, named: "meal_type") ?? .breakfast
      case .mealID: id = json.string()
      case .mealName: name = json.string()
      }
    }
    return isObject ? Meal(day: day, slot: MealSlot(track, meal), id: id, name: name) : nil
  }
}

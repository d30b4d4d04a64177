extension MealPlanFeed {
  /// One dish for each meal of the week, and two dinners for adults.
  package static let samples: FeedSamples = [
    "meal-plan/sample.json": """
    {"id": "sample", "meals_snapshot": [], "history": [], "is_finalized": true,
    "created_at": "2026-11-22T18:00:00Z", "updated_at": "2026-11-24T08:00:00Z", "plan": [
    \((dishes.indices.flatMap { day in entries(on: day) } + adults).joined(separator: ",\n"))
    ]}
    """
  ]

  private static let dishes = [
    ["Porridge with apple", "Tomato soup", "Chickpea curry"], ["Scrambled eggs", "Lentil salad", "Salmon with rice"],
    ["Yoghurt with berries", "Falafel wrap", "Mushroom risotto"], ["Pancakes", "Leek quiche", "Vegetable lasagne"],
    ["Muesli", "Pumpkin soup", "Pizza"], ["French toast", "Noodle bowl", "Tacos"],
    ["Croissants", "Potato gratin", "Roast with vegetables"],
  ]

  private static let adults = [1, 4].map { day in
    entry(day, "dinner", "Green curry", track: "adult")
  }

  private static func entries(on day: Int) -> [String] {
    zip(["breakfast", "lunch", "dinner"], dishes[day]).map { entry(day, $0, $1, track: "family") }
  }

  private static func entry(_ day: Int, _ meal: String, _ dish: String, track: String) -> String {
    """
    {"day_index": \(day), "meal_track": "\(track)", "meal_type": "\(meal)", "meal_id": "\(day)-\(track)-\(meal)", \
    "meal_name": "\(dish)"}
    """
  }
}

/// The `meal-plan` snapshot (feeds.md: content of meal-plan).
enum MealPlanKind {
  static let kind = Kind(
    "meal-plan", widgetKind: "MealPlanWidget", families: ["systemMedium"], deepLink: .mealPlan,
    feeds: [MealPlanFeed.name], reach: .sevenDays, staleHasEntry: false, view: view, project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let applying = feeds[MealPlanFeed.self]?.session(on: moment.day)
    if let applying {
      projection.shows(applying.session.updatedAt)
      projection.showsUnusable = applying.isUnusable
      projection.sources.insert(applying.path)
    } else {
      projection.state = .empty
    }
    let weekday = moment.day.weekday
    projection.json.object { json in
      json.member("date", moment.day)
      json.member("dayIndex", weekday.rawValue)
      json.member("dayName", weekday.name)
      json.member("isEmpty", applying == nil)
      json.member(
        "meals",
        array: { json in
          if let applying { meals(of: applying.session, on: weekday, to: &json) }
        })
      if applying == nil { json.member("message", "Open app to generate") }
      json.member("session", applying?.session.id)
      if applying == nil {
        json.member("symbol", "fork.knife")
        json.member("title", "No Meal Plan")
      }
    }
  }

  private static func meals(of session: MealPlanSession, on weekday: Weekday, to json: inout JSONWriter) {
    let today = session.meals(on: weekday)
    for slot in MealSlot.allCases {
      let meal = today[slot]
      if meal == nil, slot.track == .adult { continue }
      json.object { json in
        json.member("label", slot.meal.label)
        json.member("mealId", meal?.mealId)
        json.member("mealName", meal?.mealName)
        json.member("mealTrack", slot.track.rawValue)
        json.member("mealType", slot.meal.rawValue)
        json.member("slot", "\(weekday.rawValue)-\(slot.track.rawValue)-\(slot.meal.rawValue)")
        json.member("symbol", slot.meal.symbol)
      }
    }
  }
}

extension MealPlanSession.MealType {
  fileprivate var label: String {
    switch self {
    case .breakfast: "Breakfast"
    case .lunch: "Lunch"
    case .dinner: "Dinner"
    }
  }

  fileprivate var symbol: String {
    switch self {
    case .breakfast: "sunrise"
    case .lunch: "sun.max"
    case .dinner: "moon.stars"
    }
  }
}

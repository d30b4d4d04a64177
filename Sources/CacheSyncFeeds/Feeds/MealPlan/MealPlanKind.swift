/// The `meal-plan` snapshot (feeds.md: content of meal-plan).
enum MealPlanKind {
  static let kind = Kind(
    "meal-plan", displayName: .phrase(.mealPlanKindName), summary: .phrase(.mealPlanKindSummary), options: [track],
    widgetKind: "MealPlanWidget", families: ["systemMedium"], link: DeepLink.mealPlan.description,
    feeds: [MealPlanFeed.name], reach: .sevenDays, staleHasEntry: false, view: view, project: project)

  /// Whose meals a widget shows.
  private static let track = KindOption("track", .words(["family", "adult", "all"], standard: "all"))

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
    let only = MealPlanSession.Track(rawValue: projection.options[track].string ?? "")
    projection.json.object { json in
      json.member("date", moment.day)
      json.member("dayIndex", weekday.rawValue)
      json.member("dayName", moment.language.formats.weekdays[weekday.rawValue])
      json.member("isEmpty", applying == nil)
      json.array("meals") { json in
        if let applying { meals(of: applying.session, on: weekday, only, moment.language, to: &json) }
      }
      if applying == nil { json.member("message", moment.language(.openAppToGenerate)) }
      json.member("session", applying?.session.id)
      if applying == nil {
        json.member("symbol", "fork.knife")
        json.member("title", moment.language(.noMealPlan))
      }
    }
  }

  /// - Parameter track: only its slots, also those without a meal; nil: all, and of the adults' only those with one.
  private static func meals(
    of session: MealPlanSession, on weekday: Weekday, _ track: MealPlanSession.Track?, _ language: Language,
    to json: inout JSONWriter
  ) {
    let today = session.meals(on: weekday)
    for slot in MealSlot.allCases where track.map({ $0 == slot.track }) ?? true {
      let meal = today[slot]
      if meal == nil, slot.track == .adult, track == nil { continue }
      json.object { json in
        json.member("label", language(slot.meal.label))
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
  var label: Phrase {
    switch self {
    case .breakfast: .breakfast
    case .lunch: .lunch
    case .dinner: .dinner
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

/// What the four nutrition kinds share (kinds.md: kinds).
private enum NutritionKinds {
  static func kind(
    _ name: KindName, displayName: Phrase, summary: Phrase, options: [KindOption] = [], widgetKind: String,
    families: [String], hours: [Int] = [], view: @escaping KindView, progressKey: String? = nil,
    project: @escaping @Sendable (FeedSet, Moment, inout Projection) -> Void
  ) -> Kind {
    // Nothing changes between two midnights: foods logged by intents count for their whole day, and the intents end
    // days later.
    Kind(
      name, displayName: .phrase(displayName), summary: .phrase(summary), options: options, widgetKind: widgetKind,
      families: families, link: DeepLink.nutritionToday.description,
      feeds: [NutritionFeed.name, IntentsFeed.name], presentWith: [NutritionFeed.name], reach: .midnight, hours: hours,
      view: view, progressKey: progressKey, project: project)
  }
}

/// The `daily-progress` snapshot.
enum DailyProgressKind {
  /// feeds.md: daily-progress: "An entry an hour: 06:00, 07:00 … 22:00".
  private static let hours = Array(6...22)

  /// Whether a widget has the macros besides the calories.
  private static let showMacros = KindOption("showMacros", .flag(true))

  static let kind = NutritionKinds.kind(
    "daily-progress", displayName: .dailyProgressKindName, summary: .dailyProgressKindSummary,
    options: [showMacros, .compactMode], widgetKind: "DietProgressWidget", families: ["systemSmall", "systemMedium"],
    hours: hours, view: view, progressKey: "calorieProgress", project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let day = NutritionDay(feeds, moment)
    day.report(to: &projection, showingEaten: true)
    let macros = projection.options.isOn(showMacros) ? day.macros : []
    projection.json.object { json in
      json.member("calorieProgress", day.calorieProgress)
      json.member("calorieTarget", day.goals.calorieTarget)
      json.member("calories", day.eaten.calories)
      json.member("caloriesRemaining", day.caloriesRemaining)
      json.member("lastUpdated", day.session?.lastUpdated)
      json.array("macros") { json in for macro in macros { write(macro, moment.language, to: &json) } }
      json.member("showsNumbers", day.showsNumbers)
      json.member("symbol", day.mode == .mindful ? "leaf.fill" : "fork.knife")
      json.member("text", text(day, moment.language))
      json.member("trackingMode", day.mode.rawValue)
    }
  }

  private static func write(_ macro: NutritionDay.Macro, _ language: Language, to json: inout JSONWriter) {
    json.object { json in
      json.displayName(MacroName(macro.name.description)?.heading, language)
      json.member("grams", macro.grams)
      json.member("name", macro.name.description)
      json.member("progress", macro.progress)
      json.member("target", macro.target)
    }
  }

  private static func text(_ day: NutritionDay, _ language: Language) -> String {
    if day.isUnsynced { return language(.openAppToSync) }
    return day.showsNumbers
      ? "\(day.eaten.calories.cutToWhole) / \(day.goals.calorieTarget)" : language(.mindfulMode)
  }
}

/// The `macro-breakdown` snapshot.
enum MacroBreakdownKind {
  static let kind = NutritionKinds.kind(
    "macro-breakdown", displayName: .macroBreakdownKindName, summary: .macroBreakdownKindSummary,
    options: [.compactMode], widgetKind: "MacroBreakdownWidget", families: ["systemMedium", "systemLarge"], view: view,
    project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let day = NutritionDay(feeds, moment)
    day.report(to: &projection, showingEaten: true)
    let macros = day.macros
    let sum = macros.reduce(0) { $0 + $1.calories }.finite
    projection.json.object { json in
      json.array("macros") { json in
        for macro in macros { write(macro, ofSum: sum, moment.language, to: &json) }
      }
      json.member("showsNumbers", day.showsNumbers)
      json.member("trackingMode", day.mode.rawValue)
    }
  }

  private static func write(
    _ macro: NutritionDay.Macro, ofSum sum: Double, _ language: Language, to json: inout JSONWriter
  ) {
    json.object { json in
      json.member("calories", macro.calories)
      json.displayName(MacroName(macro.name.description)?.heading, language)
      json.member("grams", macro.grams)
      json.member("name", macro.name.description)
      json.member("progress", macro.progress)
      json.member("remaining", macro.remaining)
      json.member("share", sum > 0 ? macro.calories / sum : 0)
      json.member("target", macro.target)
    }
  }
}

/// The `quick-log` snapshot.
enum QuickLogKind {
  /// feeds.md: quick-log: "first 4 of recentFoods".
  private static let maximumFoods = 4

  static let kind = NutritionKinds.kind(
    "quick-log", displayName: .quickLog, summary: .quickLogKindSummary,
    widgetKind: "QuickLogWidget", families: ["systemMedium"], view: view, project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let day = NutritionDay(feeds, moment)
    day.report(to: &projection, showingEaten: false)
    let foods = day.foods.all.prefix(maximumFoods)
    if foods.isEmpty { projection.state = .empty }
    projection.json.object { json in
      json.array("foods") { json in for food in foods { write(food, to: &json) } }
      json.member("isEmpty", foods.isEmpty)
      if foods.isEmpty { json.member("message", moment.language(.addFavorites)) }
      json.member("showsNumbers", day.showsNumbers)
      if foods.isEmpty { json.member("symbol", "star") }
    }
  }

  private static func write(_ food: NutritionSession.Food, to json: inout JSONWriter) {
    json.object { json in
      json.member("calories", food.calories)
      json.member("carbs", food.carbs)
      json.member("defaultQuantity", food.defaultQuantity)
      json.member("fat", food.fat)
      json.member("id", food.id)
      json.member("name", food.name)
      json.member("protein", food.protein)
      json.member("unit", food.unit)
    }
  }
}

/// The `calories` snapshot, for a lock screen.
enum CaloriesKind {
  static let kind = NutritionKinds.kind(
    "calories", displayName: .caloriesKindName, summary: .caloriesKindSummary, widgetKind: "LockScreenWidget",
    families: ["accessoryCircular", "accessoryRectangular", "accessoryInline"], view: view, progressKey: "progress",
    project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let day = NutritionDay(feeds, moment)
    day.report(to: &projection, showingEaten: true)
    let words = words(day, moment.language)
    projection.json.object { json in
      json.member("circular", "fork.knife")
      json.member("inline", words.inline)
      json.member("progress", day.calorieProgress)
      json.member("rectangular", words.rectangular)
      json.member("remaining", day.caloriesRemaining)
      json.member("showsNumbers", day.showsNumbers)
    }
  }

  private static func words(_ day: NutritionDay, _ language: Language) -> (rectangular: String, inline: String) {
    if day.isUnsynced { return (language(.openAppToSync), language(.syncRequired)) }
    guard day.showsNumbers else { return (language(.mindfulMode), language(.mindfulMode)) }
    let remaining = day.caloriesRemaining.cutToWhole
    return (language(.caloriesLeft, [.count: remaining]), language(.caloriesRemaining, [.count: remaining]))
  }
}

extension Double {
  /// The whole number toward zero, in digits, for texts (feeds.md: common rules). Beyond 64 bits, which only a broken
  /// producer reaches, in Swift's notation.
  fileprivate var cutToWhole: String {
    Int(exactly: rounded(.towardZero)).map(String.init) ?? description
  }
}

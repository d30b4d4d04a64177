// The kinds of the health feed (feeds.md: health). They change at midnights only.

enum BudgetKind {
  static let kind = Kind(
    "budget", displayName: .phrase(.budgetKindName), summary: .phrase(.budgetKindSummary),
    options: [.compactMode], widgetKind: "com.mohdfareed.HealthVaults.BudgetWidget",
    families: ["systemSmall", "systemMedium"],
    link: DeepLink.healthDashboard.description, feeds: [HealthFeed.name], reach: .midnight, view: view,
    progressKey: "progress", project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let budget = HealthProjection.feed(feeds, .energy, moment, &projection)
      .map { HealthBudget($0, at: moment) }
    projection.json.object { json in
      json.member("base", finite: budget?.base ?? 0)
      json.member("budget", finite: budget?.budget ?? 0)
      json.member("confidence", finite: budget?.maintenance.confidence ?? 0)
      json.member("credit", finite: budget?.credit ?? 0)
      json.member("dailyAdjustment", finite: budget?.dailyAdjustment ?? 0)
      json.member("daysLeft", budget?.daysLeft ?? 0)
      json.member("flags", budget?.flags ?? [])
      json.member("intake", finite: budget?.intake ?? 0)
      json.member("isValid", budget?.maintenance.isValid ?? false)
      json.member("maintenance", finite: budget?.maintenance.kcal ?? 0)
      if budget == nil { json.member("message", HealthProjection.message(feeds, moment)) }
      json.member("progress", finite: budget.map { min(1, $0.intake / $0.budget) } ?? 0)
      json.member("remaining", finite: budget?.remaining ?? 0)
    }
  }
}

enum MacrosKind {
  /// The one that a widget shows.
  private static let macro = KindOption("macro", .words(["protein", "carbs", "fat"], standard: nil))

  static let kind = Kind(
    "macros", displayName: .phrase(.macros), summary: .phrase(.macrosKindSummary),
    options: [.compactMode, macro], widgetKind: "com.mohdfareed.HealthVaults.MacrosWidget",
    families: ["systemSmall", "systemMedium"],
    link: DeepLink.healthDashboard.description, feeds: [HealthFeed.name], reach: .midnight, view: view,
    project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let feed = HealthProjection.feed(feeds, .food, moment, &projection)
    let only = projection.options[macro].string
    projection.json.object { json in
      let all = feed.map { MacroBudget.all($0, base: HealthBudget($0, at: moment).base, on: moment.day) } ?? []
      json.macros(all.filter { macro in only.map { isSameText($0, macro.name) } ?? true }, moment.language)
      if feed == nil { json.member("message", HealthProjection.message(feeds, moment)) }
    }
  }
}

enum OverviewKind {
  static let kind = Kind(
    "overview", displayName: .phrase(.overviewKindName), summary: .phrase(.overviewKindSummary),
    options: [.compactMode], widgetKind: "com.mohdfareed.HealthVaults.OverviewWidget",
    families: ["systemMedium", "systemLarge"],
    link: DeepLink.healthDashboard.description, feeds: [HealthFeed.name], reach: .midnight, view: view,
    project: project)

  /// A weight that moves at most this much counts as flat, in kg/week either way.
  static let flatSlope = 0.05

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let feed = HealthProjection.feed(feeds, .food, moment, &projection)
    let budget = feed.map { HealthBudget($0, at: moment) }
    let slope = budget?.maintenance.slope ?? 0
    projection.json.object { json in
      json.object("calories") { json in
        json.member("budget", finite: budget?.budget ?? 0)
        json.member("intake", finite: budget?.intake ?? 0)
        json.member("remaining", finite: budget?.remaining ?? 0)
      }
      json.macros(feed.map { MacroBudget.all($0, base: budget?.base ?? 0, on: moment.day) } ?? [], moment.language)
      if feed == nil { json.member("message", HealthProjection.message(feeds, moment)) }
      json.objects("week", budget?.week ?? []) { json, row in
        let (day, intake) = row
        json.member("date", day)
        json.member("intake", intake?.finite)
      }
      json.object("weight") { json in
        json.member("latest", budget?.maintenance.latestMass?.finite)
        json.member("slopePerWeek", finite: slope)
        json.member("trend", slope < -flatSlope ? "down" : slope > flatSlope ? "up" : "flat")
      }
    }
  }
}

enum NutrientsKind {
  /// How many nutrients readers show.
  private static let maximumShown = 8

  static let kind = Kind(
    "nutrients", displayName: .phrase(.nutrients), summary: .phrase(.nutrientsKindSummary),
    widgetKind: "com.mohdfareed.HealthVaults.NutritionWidget", families: ["systemMedium", "systemLarge"],
    link: DeepLink.healthDashboard.description, feeds: [HealthFeed.name], reach: .midnight, view: view
  ) { feeds, moment, projection in
    let feed = feeds[HealthFeed.self]
    let hasSamples = HealthProjection.feed(feeds, .nutrients, moment, &projection) != nil
    let goals = feed?.goalsInForce?.nutrients ?? [:]
    if !hasSamples, !goals.isEmpty { projection.state = .current }
    let found = Nutrient.all.compactMap { nutrient -> (nutrient: Nutrient, amount: Double, goal: Double?)? in
      let (amount, goal) = (feed?.value(nutrient.type, on: moment.day), goals[nutrient.type])
      return amount == nil && goal == nil ? nil : (nutrient, amount ?? 0, goal)
    }
    let rows = found.filter { $0.goal != nil } + found.filter { $0.goal == nil }
    let isEmpty = !hasSamples && goals.isEmpty
    projection.json.object { json in
      if isEmpty { json.member("message", HealthProjection.message(feeds, moment)) }
      json.member("more", max(0, rows.count - maximumShown))
      json.objects("nutrients", rows.prefix(maximumShown)) { json, row in
        let (nutrient, amount, goal) = row
        json.member("amount", finite: amount)
        json.displayName(nutrient.displayName, moment.language)
        json.member("goal", goal)
        json.member("name", Language.english(nutrient.displayName))
        json.member("progress", goal.map { (amount / $0).finite })
        json.member("type", nutrient.type.rawValue)
        json.member("unit", nutrient.unit)
      }
    }
  }
}

private enum HealthProjection {
  /// The feed, if it has a sample of a type that the kind reads. If not, the state is `empty` and the kind shows zeros.
  static func feed(
    _ feeds: FeedSet, _ group: HealthFeed.SampleGroup, _ moment: Moment, _ projection: inout Projection
  ) -> HealthFeed? {
    if let feed = feeds[HealthFeed.self], feed.describe(group, at: moment, to: &projection) { return feed }
    projection.state = .empty
    return nil
  }

  /// Why a kind without samples is empty.
  static func message(_ feeds: FeedSet, _ moment: Moment) -> String {
    moment.language(feeds[HealthFeed.self]?.message ?? .noHealthData)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: StaticString, finite value: Double) { member(key, value.finite) }

  fileprivate mutating func macros(_ macros: [MacroBudget], _ language: Language) {
    objects("macros", macros) { json, macro in
      json.member("budget", macro.budget?.finite)
      json.displayName(MacroName(macro.name)?.heading, language)
      json.member("grams", finite: macro.grams)
      json.member("name", macro.name)
      json.member("progress", macro.progress?.finite)
      json.member("remaining", macro.remaining?.finite)
    }
  }
}

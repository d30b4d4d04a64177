// The three kinds of the health feed (feeds.md: health). They change at midnights only.

enum BudgetKind {
  static let kind = Kind(
    "budget", displayName: "Budget", summary: "See today's calorie budget, and what is left of it.",
    widgetKind: "BudgetWidget", families: ["systemSmall", "systemMedium"],
    deepLink: .healthDashboard, feeds: [HealthFeed.name], reach: .midnight, view: view, progressKey: "progress",
    project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let budget = HealthProjection.feed(feeds, HealthFeed.budgetTypes, moment, &projection)
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
      json.member("progress", finite: budget.map { min(1, $0.intake / $0.budget) } ?? 0)
      json.member("remaining", finite: budget?.remaining ?? 0)
    }
  }
}

enum MacrosKind {
  static let kind = Kind(
    "macros", displayName: "Macros", summary: "See today's protein, carbs and fat.",
    widgetKind: "MacrosWidget", families: ["systemSmall", "systemMedium"],
    deepLink: .healthDashboard, feeds: [HealthFeed.name], reach: .midnight, view: view, project: project)

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let feed = HealthProjection.feed(feeds, HealthFeed.allTypes, moment, &projection)
    projection.json.object { json in
      json.macros(feed.map { MacroBudget.all($0, base: HealthBudget($0, at: moment).base, on: moment.day) } ?? [])
    }
  }
}

enum OverviewKind {
  static let kind = Kind(
    "overview", displayName: "Overview", summary: "See calories, macros, weight and the week at once.",
    widgetKind: "OverviewWidget", families: ["systemMedium", "systemLarge"],
    deepLink: .healthDashboard, feeds: [HealthFeed.name], reach: .midnight, view: view, project: project)

  /// A weight that moves at most this much counts as flat, in kg/week either way.
  static let flatSlope = 0.05

  private static let project: @Sendable (FeedSet, Moment, inout Projection) -> Void = { feeds, moment, projection in
    let feed = HealthProjection.feed(feeds, HealthFeed.allTypes, moment, &projection)
    let budget = feed.map { HealthBudget($0, at: moment) }
    let slope = budget?.maintenance.slope ?? 0
    projection.json.object { json in
      json.member(
        "calories",
        object: { json in
          json.member("budget", finite: budget?.budget ?? 0)
          json.member("intake", finite: budget?.intake ?? 0)
          json.member("remaining", finite: budget?.remaining ?? 0)
        })
      json.macros(feed.map { MacroBudget.all($0, base: budget?.base ?? 0, on: moment.day) } ?? [])
      json.member(
        "week",
        array: { json in
          for (day, intake) in budget?.week ?? [] {
            json.object { json in
              json.member("date", day)
              json.member("intake", intake?.finite)
            }
          }
        })
      json.member(
        "weight",
        object: { json in
          json.member("latest", budget?.maintenance.latestMass?.finite)
          json.member("slopePerWeek", finite: slope)
          json.member("trend", slope < -flatSlope ? "down" : slope > flatSlope ? "up" : "flat")
        })
    }
  }
}

private enum HealthProjection {
  /// The feed, if it has a sample of a type that the kind reads. If not, the state is `empty` and the kind shows zeros.
  static func feed(
    _ feeds: FeedSet, _ types: [HealthSession.SampleType], _ moment: Moment, _ projection: inout Projection
  ) -> HealthFeed? {
    if let feed = feeds[HealthFeed.self], feed.describe(types, at: moment, to: &projection) { return feed }
    projection.state = .empty
    return nil
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: StaticString, finite value: Double) { member(key, value.finite) }

  fileprivate mutating func macros(_ macros: [MacroBudget]) {
    member(
      "macros",
      array: { json in
        for macro in macros {
          json.object { json in
            json.member("budget", macro.budget?.finite)
            json.member("grams", finite: macro.grams)
            json.member("name", macro.name)
            json.member("progress", macro.progress?.finite)
            json.member("remaining", macro.remaining?.finite)
          }
        }
      })
  }
}

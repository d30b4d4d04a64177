/// The energy budget for today (feeds.md: budget rules).
struct HealthBudget {
  let maintenance: Maintenance
  /// What was eaten today, in kcal.
  let intake: Double
  /// M + adjustment.
  let base: Double
  /// The energy that the last days left over; negative if they took it in advance.
  let credit: Double
  let dailyAdjustment: Double
  /// Days over which the credit is spread, 1...7.
  let daysLeft: Int
  /// kcal for today.
  let budget: Double
  let isAdjustmentClamped: Bool
  let isBudgetClamped: Bool
  /// The full days before today with the energy eaten on them, ascending; nil: unknown.
  let week: [(day: LocalDay, intake: Double?)]

  /// How many full days before today credit and week use.
  static let weekDays = 7
  /// The limits of the adjustment by a credit, in kcal/day.
  static let adjustments = -500.0...500.0
  /// The limits of a day's budget, in kcal.
  static let budgets = 1000.0...6000.0
  /// kcal; a maintenance below it is more likely a gap in the data than a body's.
  static let suspectMaintenance = 1000.0

  init(_ feed: HealthFeed, at moment: Moment) {
    let goals = feed.goalsInForce
    maintenance = feed.maintenance(on: moment.day)
    intake = feed.value(.dietaryCalories, on: moment.day) ?? 0
    base = maintenance.kcal + (goals?.adjustment ?? 0)

    var week: [(day: LocalDay, intake: Double?)] = []
    var day = moment.day
    for _ in 0..<Self.weekDays {
      // A date that the zone skipped is not a day at all, so it is not a full one.
      day = moment.calendar.day(before: day)
      week.append((day, feed.value(.dietaryCalories, on: day)))
    }
    self.week = week.reversed()
    let eaten = self.week.compactMap(\.intake)
    credit = base * Double(eaten.count) - eaten.reduce(0, +)

    daysLeft = 7 - moment.day.weekday.daysAfter(goals?.firstWeekday ?? moment.firstWeekday)
    let share = credit / Double(daysLeft)
    dailyAdjustment = share.clamped(to: Self.adjustments)
    isAdjustmentClamped = dailyAdjustment != share
    let wanted = base + dailyAdjustment
    budget = wanted.clamped(to: Self.budgets)
    isBudgetClamped = budget != wanted
  }

  /// May be negative.
  var remaining: Double { budget - intake }

  var flags: [String] {
    var flags: [String] = []
    if maintenance.isSlopeClamped { flags.append("slopeClamped") }
    if maintenance.isDensityEstimated { flags.append("densityEstimated") }
    if maintenance.kcal < Self.suspectMaintenance { flags.append("maintenanceSuspect") }
    if isBudgetClamped { flags.append("budgetClamped") }
    if isAdjustmentClamped { flags.append("adjustmentClamped") }
    return flags
  }
}

/// What was eaten of a macronutrient today, with its budget.
struct MacroBudget {
  let name: String
  let grams: Double
  /// Grams for today; nil if the goals have no percentage.
  let budget: Double?

  /// The three, in the order in which readers show them, with the kcal per gram of each (Atwater's general factors).
  static func all(_ feed: HealthFeed, base: Double, on day: LocalDay) -> [MacroBudget] {
    let goals = feed.goalsInForce
    return [
      MacroBudget("protein", feed.value(.protein, on: day), percent: goals?.macros?.protein, kcalPerGram: 4, of: base),
      MacroBudget("carbs", feed.value(.carbs, on: day), percent: goals?.macros?.carbs, kcalPerGram: 4, of: base),
      MacroBudget("fat", feed.value(.fat, on: day), percent: goals?.macros?.fat, kcalPerGram: 9, of: base),
    ]
  }

  private init(_ name: String, _ grams: Double?, percent: Double?, kcalPerGram: Double, of base: Double) {
    self.name = name
    self.grams = grams ?? 0
    budget = percent.map { base * $0 / 100 / kcalPerGram }
  }

  var remaining: Double? { budget.map { $0 - grams } }

  /// 0...1, and 0 if the budget is 0.
  var progress: Double? { budget.map { $0 > 0 ? min(1, grams / $0) : 0 } }
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double { min(max(self, range.lowerBound), range.upperBound) }
}

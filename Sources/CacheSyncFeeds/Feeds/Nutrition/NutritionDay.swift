import CacheSyncSystem

/// A person's nutrition at a moment: the session that is shown, with what intents add to the day (feeds.md: nutrition;
/// intents).
struct NutritionDay {
  /// Nil: no usable session.
  var session: NutritionSession?
  var foods = FoodList()
  /// What was eaten on the moment's local day.
  var eaten = NutritionSession.Totals()
  /// Whether the session is of an earlier day and nothing has been logged since.
  var isPlaceholder = false

  /// Whether the app has not written the day's data.
  var isUnsynced: Bool { session == nil || isPlaceholder }

  var goals: NutritionSession.Goals { session?.goals ?? NutritionSession.Goals() }
  var mode: NutritionSession.TrackingMode { session?.trackingMode ?? .full }
  var showsNumbers: Bool { mode != .mindful }

  private var path: CachePath?
  private var isUnusable = false
  private var logged: [IntentsFeed.InForce] = []
  /// Whether the session's totals are those of the day.
  private var hasTotals = false

  init(_ feeds: FeedSet, _ moment: Moment) {
    guard let showing = feeds[NutritionFeed.self]?.showing else { return }
    let session = showing.session
    (self.session, foods, path, isUnusable) = (session, showing.foods, showing.path, showing.isUnusable)
    // A session dated after the moment's day counts as today's.
    hasTotals = moment.calendar.day(of: session.lastUpdated) >= moment.day
    if hasTotals { eaten = session.todayNutrition }
    addIntents(feeds, moment, to: session)
    isPlaceholder = !hasTotals && logged.isEmpty
  }

  /// Adds the foods logged on the moment's day. It follows the order of the intents, so that the sum is always rounded
  /// the same.
  private mutating func addIntents(_ feeds: FeedSet, _ moment: Moment, to session: NutritionSession) {
    guard let intents = feeds[IntentsFeed.self] else { return }
    let today = moment.calendar.interval(of: moment.day)
    // Intents of earlier days add nothing to this one, so they can be skipped as if a session had absorbed them.
    let newest = max(session.lastUpdated, today.lowerBound)
    for item in intents.counting(for: NutritionFeed.name, at: moment.instant, newest: newest).inForce {
      guard item.intent.at < today.upperBound else { return }
      guard let log = item.intent.action as? LoggedFood, let food = foods[log.food] else { continue }
      eaten.add(food, times: log.quantity)
      logged.append(item)
    }
  }

  /// Reports to the timeline the state, the age and the files of the data that a kind shows.
  ///
  /// - Parameter eaten: whether the kind shows what was eaten. For any other kind, intents only show that the day's
  ///   data have arrived.
  func report(to projection: inout Projection, showingEaten: Bool) {
    guard let session, let path else {
      projection.state = .empty
      return
    }
    // What people ate is unknown; the foods to log are not.
    if isPlaceholder, showingEaten { projection.state = .placeholder }
    projection.shows(session.lastUpdated)
    projection.sources.insert(path)
    projection.showsUnusable = isUnusable
    guard showingEaten || !hasTotals else { return }
    for item in logged {
      projection.sources.insert(item.path)
      if item.isUnusable { projection.showsUnusable = true }
    }
  }

  var caloriesRemaining: Double { max(0, Double(goals.calorieTarget) - eaten.calories) }

  var calorieProgress: Double { Self.progress(eaten.calories, of: Double(goals.calorieTarget)) }

  /// feeds.md: rules of nutrition: `target > 0 ? min(1, eaten / target) : 0`.
  static func progress(_ eaten: Double, of target: Double) -> Double { target > 0 ? min(1, eaten / target) : 0 }

  /// Protein, carbs and fat, in this order.
  var macros: [Macro] {
    [
      Macro(name: "protein", grams: eaten.protein, target: goals.proteinTarget, energy: 4),
      Macro(name: "carbs", grams: eaten.carbs, target: goals.carbsTarget, energy: 4),
      Macro(name: "fat", grams: eaten.fat, target: goals.fatTarget, energy: 9),
    ]
  }

  struct Macro {
    var name: StaticString
    var grams: Double
    var target: Double
    /// kcal per gram (feeds.md: macro-breakdown).
    var energy: Double

    var progress: Double { NutritionDay.progress(grams, of: target) }
    var remaining: Double { max(0, target - grams) }
    var calories: Double { (grams * energy).finite }
  }
}

package import CacheSyncSystem

/// Today's intake, the goals and the foods to log again (feeds.md: nutrition).
///
/// Only the session with the greatest `lastUpdated` is shown. The next one is shown once its file is removed.
package final class NutritionFeed: BuiltInFeed {
  package static let name: FeedName = "nutrition"
  package static let heading: Phrase? = .nutritionFeed

  package static let claims = CacheLayout.Claims(
    directories: ["widget-data", "nutrition"], files: ["widgetData.json"])

  package static let kinds = [
    DailyProgressKind.kind, MacroBreakdownKind.kind, QuickLogKind.kind, CaloriesKind.kind,
  ]

  package static let links = DeepLink.Form.nutrition

  private var sessions: [CachePath: Held] = [:]
  private var newest = Ranking<Instant>()

  /// A session, and its file.
  struct Held {
    var session: NutritionSession
    var foods: FoodList
    var path: CachePath
    var isUnusable: Bool
  }

  package init() {}

  package func put(_ session: NutritionSession, from file: SessionFile, in calendar: CivilCalendar) {
    sessions[file.path] = Held(
      session: session, foods: FoodList(session.recentFoods), path: file.path, isUnusable: file.isUnusable)
    newest.put(session.lastUpdated, for: file.path)
  }

  package func remove(_ path: CachePath) {
    sessions[path] = nil
    newest.remove(path)
  }

  package func mark(_ path: CachePath, unusable: Bool) { sessions[path]?.isUnusable = unusable }

  /// The session that is shown.
  var showing: Held? { newest.greatest.flatMap { sessions[$0.path] } }

  /// Writes the session's own totals on the day they belong to. Intents are not counted ("The day index counts
  /// sessions' records alone"), and totals of a future day count as today's.
  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    guard let session = showing?.session else { return false }
    let day = min(moment.calendar.day(of: session.lastUpdated), moment.today)
    guard day == moment.day else { return false }
    json.member("calories", session.todayNutrition.calories)
    return true
  }
}

extension NutritionFeed: IntentTarget {
  package static let intents = [IntentType.logFood]

  package var newestSession: Instant? { newest.greatest?.value }

  package func knownIDs(for intent: StoredIntent) -> [RecordID] { showing?.foods.all.map(\.id) ?? [] }

  package func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool {
    guard let logged = intent.action as? LoggedFood else { return true }
    return showing?.foods[logged.food] != nil
  }
}

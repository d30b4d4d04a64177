package import CacheSyncSystem

/// A week's meals: seven entries, one a day (feeds.md: meal-plan).
package final class MealPlanFeed: BuiltInFeed {
  package static let name: FeedName = "meal-plan"
  package static let heading: Phrase? = .mealPlanFeed

  package static let claims = CacheLayout.Claims(
    directories: ["meal-plan-cache", "meal-plan"], files: ["latest-session.json"])

  package static let kinds = [MealPlanKind.kind]

  package static let links = [DeepLink.Form.mealPlan, .workout]

  private var sessions: [CachePath: Held] = [:]
  /// Finalized sessions for any week.
  private var anyWeek = Ranking<Rank>()
  /// Finalized sessions by the day on which their week begins.
  private var weeks: [LocalDay: Ranking<Rank>] = [:]

  /// A session, and its file.
  struct Held {
    var session: MealPlanSession
    var path: CachePath
    var weekStart: LocalDay?
    var isUnusable: Bool
  }

  /// The precedence of sessions for the same day: the later one wins, then the greater id, then (in ``Ranking``) the
  /// greater path.
  private struct Rank: Comparable {
    var updatedAt: Instant
    var id: String

    static func < (a: Rank, b: Rank) -> Bool {
      a.updatedAt == b.updatedAt ? isOrdered(a.id, before: b.id) : a.updatedAt < b.updatedAt
    }

    static func == (a: Rank, b: Rank) -> Bool { a.updatedAt == b.updatedAt && isSameText(a.id, b.id) }
  }

  package init() {}

  package func put(_ session: MealPlanSession, from file: SessionFile, in calendar: CivilCalendar) {
    let weekStart = session.weekBeginning?.day(in: calendar)
    if let old = sessions[file.path], old.session.isFinalized,
      old.weekStart != weekStart || !session.isFinalized
    {
      unrank(file.path, weekStart: old.weekStart)
    }
    sessions[file.path] = Held(
      session: session, path: file.path, weekStart: weekStart, isUnusable: file.isUnusable)
    if session.isFinalized { rank(session, path: file.path, weekStart: weekStart) }
  }

  package func remove(_ path: CachePath) {
    guard let old = sessions.removeValue(forKey: path), old.session.isFinalized else { return }
    unrank(path, weekStart: old.weekStart)
  }

  package func mark(_ path: CachePath, unusable: Bool) { sessions[path]?.isUnusable = unusable }

  package func rebuild(in calendar: CivilCalendar) {
    weeks = [:]
    for (path, held) in sessions {
      guard let weekStart = held.session.weekBeginning?.day(in: calendar) else { continue }
      sessions[path]?.weekStart = weekStart
      if held.session.isFinalized { rank(held.session, path: path, weekStart: weekStart) }
    }
  }

  private func rank(_ session: MealPlanSession, path: CachePath, weekStart: LocalDay?) {
    let rank = Rank(updatedAt: session.updatedAt, id: session.id)
    if let weekStart {
      weeks[weekStart, default: Ranking()].put(rank, for: path)
    } else {
      anyWeek.put(rank, for: path)
    }
  }

  private func unrank(_ path: CachePath, weekStart: LocalDay?) {
    guard let weekStart else { return anyWeek.remove(path) }
    weeks[weekStart]?.remove(path)
    if weeks[weekStart]?.isEmpty == true { weeks[weekStart] = nil }
  }

  /// The session that applies on a day.
  func session(on day: LocalDay) -> Held? {
    var best: Ranking<Rank>.Greatest?
    if !weeks.isEmpty {
      for offset in 0..<7 {
        guard let candidate = weeks[day.advanced(by: -offset)]?.greatest else { continue }
        if let known = best, (candidate.value, candidate.key) < (known.value, known.key) { continue }
        best = candidate
      }
    }
    return (best ?? anyWeek.greatest).flatMap { sessions[$0.key] }
  }

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool {
    guard let applying = session(on: moment.day) else { return false }
    json.member("entries", applying.session.meals(on: moment.day.weekday).count)
    json.member("session", applying.session.id)
    return true
  }
}

extension MealPlanSession {
  /// The meals of a day by their slots. The entries of one slot, such as a dinner of two dishes, are one meal.
  func meals(on day: Weekday) -> [MealSlot: Entry] {
    var meals: [MealSlot: Entry] = [:]
    var dishes: [MealSlot: [Entry]] = [:]
    for entry in plan where entry.dayIndex == day.rawValue {
      let slot = MealSlot(entry.mealTrack ?? .family, entry.mealType)
      let dish = entry.withoutBlanks
      if let earlier = meals.updateValue(dish, forKey: slot) { dishes[slot, default: [earlier]].append(dish) }
    }
    for (slot, dishes) in dishes { meals[slot] = Self.meal(of: dishes) }
    return meals
  }

  /// One entry for a meal of several dishes: their names, each once, and the first id.
  private static func meal(of dishes: [Entry]) -> Entry {
    var meal = dishes[0]
    var names: Set<ExactText> = []
    let different = dishes.compactMap(\.mealName).filter { names.insert(ExactText($0)).inserted }
    meal.mealName = different.isEmpty ? nil : different.joined(separator: ", ")
    meal.mealId = dishes.lazy.compactMap(\.mealId).first
    return meal
  }
}

extension MealPlanSession.Entry {
  /// The same without a name of white space alone and without an empty id.
  fileprivate var withoutBlanks: Self {
    var entry = self
    if mealName?.isBlank == true { entry.mealName = nil }
    if mealId?.isEmpty == true { entry.mealId = nil }
    return entry
  }
}

/// A slot of a day's plan, in the order in which readers show them.
enum MealSlot: Int, CaseIterable {
  case familyBreakfast, adultBreakfast, familyLunch, familyDinner, adultLunch, adultDinner

  init(_ track: MealPlanSession.Track, _ meal: MealPlanSession.MealType) {
    self =
      switch (track, meal) {
      case (.family, .breakfast): .familyBreakfast
      case (.adult, .breakfast): .adultBreakfast
      case (.family, .lunch): .familyLunch
      case (.family, .dinner): .familyDinner
      case (.adult, .lunch): .adultLunch
      case (.adult, .dinner): .adultDinner
      }
  }

  var track: MealPlanSession.Track {
    switch self {
    case .familyBreakfast, .familyLunch, .familyDinner: .family
    case .adultBreakfast, .adultLunch, .adultDinner: .adult
    }
  }

  var meal: MealPlanSession.MealType {
    switch self {
    case .familyBreakfast, .adultBreakfast: .breakfast
    case .familyLunch, .adultLunch: .lunch
    case .familyDinner, .adultDinner: .dinner
    }
  }
}

/// A nutrition session as an app writes it: `widget-data/….json` or `nutrition/….json` in a cache.
///
///     var session = NutritionSession(lastUpdated: .now)
///     session.update(today: .init(calories: 620, protein: 31, carbs: 70, fat: 22), at: .now)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "today")
///
/// Dates are written as RFC 3339 strings. Reading accepts those and numbers of seconds since 2001.
public struct NutritionSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `nutrition`.
  public static var feed: String { "\(NutritionFeed.name)" }

  /// How the user wants to see the day.
  public enum TrackingMode: String, Codable, Sendable, Hashable {
    /// Calories and macronutrients.
    case full
    /// Calories first.
    case simple
    /// Readers show no numbers.
    case mindful
  }

  /// What was eaten in a day.
  public struct Totals: Codable, Sendable, Hashable {
    /// kcal.
    public var calories: Double
    /// Grams.
    public var protein: Double
    /// Grams.
    public var carbs: Double
    /// Grams.
    public var fat: Double

    /// By default nothing eaten.
    public init(calories: Double = 0, protein: Double = 0, carbs: Double = 0, fat: Double = 0) {
      self.calories = calories
      self.protein = protein
      self.carbs = carbs
      self.fat = fat
    }
  }

  /// The goals for a day. The defaults are the app's own.
  public struct Goals: Codable, Sendable, Hashable {
    /// kcal.
    public var calorieTarget: Int
    /// Grams.
    public var proteinTarget: Double
    /// Grams.
    public var carbsTarget: Double
    /// Grams.
    public var fatTarget: Double

    /// By default the app's own goals.
    public init(
      calorieTarget: Int = 2000, proteinTarget: Double = 150, carbsTarget: Double = 250, fatTarget: Double = 65
    ) {
      self.calorieTarget = calorieTarget
      self.proteinTarget = proteinTarget
      self.carbsTarget = carbsTarget
      self.fatTarget = fatTarget
    }
  }

  /// A food that can be logged again; the amounts are for one serving.
  public struct Food: Codable, Sendable, Hashable, Identifiable {
    /// The id that intents name.
    public var id: RecordID
    /// The name that readers show.
    public var name: String
    /// kcal.
    public var calories: Double
    /// Grams.
    public var protein: Double
    /// Grams.
    public var carbs: Double
    /// Grams.
    public var fat: Double
    /// How many servings the app suggests.
    public var defaultQuantity: Double
    /// The name of a serving.
    public var unit: String

    /// A food with these values.
    public init(
      id: RecordID, name: String, calories: Double, protein: Double, carbs: Double, fat: Double,
      defaultQuantity: Double = 1, unit: String
    ) {
      self.id = id
      self.name = name
      self.calories = calories
      self.protein = protein
      self.carbs = carbs
      self.fat = fat
      self.defaultQuantity = defaultQuantity
      self.unit = unit
    }
  }

  /// How many recent foods an app keeps in its session; readers show the first four.
  public static let maximumRecentFoods = 6

  /// The moment of ``todayNutrition``: the totals belong to its local day, and include every intent of a reader before
  /// it.
  public var lastUpdated: Instant
  /// What was eaten that day.
  public var todayNutrition: Totals
  /// The goals for a day.
  public var goals: Goals
  /// The recent foods, most recent first; ``update(recentFoods:)`` keeps at most six.
  public var recentFoods: [Food]
  /// How the user wants to see the day.
  public var trackingMode: TrackingMode

  /// A session with these values; it keeps the first six foods.
  public init(
    lastUpdated: Instant, todayNutrition: Totals = Totals(), goals: Goals = Goals(), recentFoods: [Food] = [],
    trackingMode: TrackingMode = .full
  ) {
    self.lastUpdated = lastUpdated
    self.todayNutrition = todayNutrition
    self.goals = goals
    self.recentFoods = Array(recentFoods.prefix(Self.maximumRecentFoods))
    self.trackingMode = trackingMode
  }
}

// Updating one part keeps the rest. Only new totals change `lastUpdated`. With a later date the agent would count old
// totals for a new day, and drop intents that the totals do not include.
extension NutritionSession {
  /// Replaces the totals, and the goals if new ones are given. Foods and mode stay.
  public mutating func update(today totals: Totals, goals: Goals? = nil, at moment: Instant) {
    todayNutrition = totals
    if let goals { self.goals = goals }
    lastUpdated = moment
  }

  /// Replaces the goals.
  public mutating func update(goals: Goals) { self.goals = goals }

  /// Replaces the recent foods with the first six of these.
  public mutating func update(recentFoods foods: [Food]) { recentFoods = Array(foods.prefix(Self.maximumRecentFoods)) }

  /// Puts a food that was just logged first, without a duplicate, and drops foods beyond six.
  public mutating func remember(_ food: Food) {
    update(recentFoods: [food] + recentFoods.filter { $0.id != food.id })
  }

  /// Replaces the mode.
  public mutating func update(trackingMode: TrackingMode) { self.trackingMode = trackingMode }
}

extension NutritionSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case lastUpdated, todayNutrition, goals, recentFoods, trackingMode }

  package static let format = RecordFormat(Self(lastUpdated: .referenceDate))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.lastUpdated, &lastUpdated, .stamp)
    field(.todayNutrition, &todayNutrition)
    field(.goals, &goals)
    field(.recentFoods, &recentFoods)
    field(.trackingMode, &trackingMode, .countsAs(.full))
  }
}

extension NutritionSession.TrackingMode: SessionWord {
  package static let words = JSONWords<Self>()
}

extension NutritionSession.Totals: SessionRecord {
  package enum CodingKeys: String, SessionKey { case calories, protein, carbs, fat }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.calories, &calories, .notNegative)
    field(.protein, &protein, .notNegative)
    field(.carbs, &carbs, .notNegative)
    field(.fat, &fat, .notNegative)
  }
}

extension NutritionSession.Goals: SessionRecord {
  package enum CodingKeys: String, SessionKey { case calorieTarget, proteinTarget, carbsTarget, fatTarget }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.calorieTarget, &calorieTarget, 0 ... .max)
    field(.proteinTarget, &proteinTarget, .notNegative)
    field(.carbsTarget, &carbsTarget, .notNegative)
    field(.fatTarget, &fatTarget, .notNegative)
  }
}

extension NutritionSession.Food: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, name, calories, protein, carbs, fat, defaultQuantity, unit
  }

  package static let format = RecordFormat(
    Self(id: "", name: "", calories: 0, protein: 0, carbs: 0, fat: 0, unit: ""))
  package static var noun: StaticString { "food" }
  package var caption: String? { name }
  package var version: RecordVersion? { RecordVersion(id: id) }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.calories, &calories, .notNegative)
    field(.protein, &protein, .notNegative)
    field(.carbs, &carbs, .notNegative)
    field(.fat, &fat, .notNegative)
    field(.defaultQuantity, &defaultQuantity, .notNegative)
    field(.unit, &unit)
  }
}

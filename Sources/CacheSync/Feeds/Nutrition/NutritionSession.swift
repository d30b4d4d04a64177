/// A nutrition session as an app writes it: `widget-data/….json` or `nutrition/….json` in a cache.
///
///     var session = saved ?? NutritionSession(lastUpdated: now)
///     session.update(today: totals, at: now)
///     try JSONEncoder().encode(session).write(to: file, options: .atomic)
///
/// Dates are encoded as RFC 3339 texts, and read in that form or as numbers of seconds since 2001.
public struct NutritionSession: Codable, Sendable, Hashable {
  /// How the app's user wants to see the day.
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

    /// Nothing eaten, unless amounts are given.
    public init(calories: Double = 0, protein: Double = 0, carbs: Double = 0, fat: Double = 0) {
      self.calories = calories
      self.protein = protein
      self.carbs = carbs
      self.fat = fat
    }
  }

  /// What a day should come to. The defaults are the app's own.
  public struct Goals: Codable, Sendable, Hashable {
    /// kcal.
    public var calorieTarget: Int
    /// Grams.
    public var proteinTarget: Double
    /// Grams.
    public var carbsTarget: Double
    /// Grams.
    public var fatTarget: Double

    /// The app's own goals, unless others are given.
    public init(
      calorieTarget: Int = 2000, proteinTarget: Double = 150, carbsTarget: Double = 250, fatTarget: Double = 65
    ) {
      self.calorieTarget = calorieTarget
      self.proteinTarget = proteinTarget
      self.carbsTarget = carbsTarget
      self.fatTarget = fatTarget
    }
  }

  /// A food that can be logged again; the amounts are of one serving.
  public struct Food: Codable, Sendable, Hashable, Identifiable {
    /// What intents name it by.
    public var id: RecordID
    /// As readers show it.
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

    /// A food of those values.
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

  /// When ``todayNutrition`` was taken: the totals belong to the local day of this moment, and include every intent of a
  /// reader before it.
  public var lastUpdated: Instant
  /// What was eaten that day.
  public var todayNutrition: Totals
  /// What a day should come to.
  public var goals: Goals
  /// The most recent first; ``update(recentFoods:)`` keeps them at six.
  public var recentFoods: [Food]
  /// How the app's user wants to see the day.
  public var trackingMode: TrackingMode

  /// A session of those values; of the foods the first six.
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

// Updating one part keeps the rest. Only new totals move `lastUpdated`: with a later date the agent would take old totals for
// a new day's, and drop intents that they do not include.
extension NutritionSession {
  /// Takes new totals; foods and mode stay, and so do the goals unless new ones are given.
  public mutating func update(today totals: Totals, goals: Goals? = nil, at moment: Instant) {
    todayNutrition = totals
    if let goals { self.goals = goals }
    lastUpdated = moment
  }

  /// Takes new goals.
  public mutating func update(goals: Goals) { self.goals = goals }

  /// Takes the first six of the foods given.
  public mutating func update(recentFoods foods: [Food]) { recentFoods = Array(foods.prefix(Self.maximumRecentFoods)) }

  /// Puts a food that was just logged before the others, once, and drops what is beyond six.
  public mutating func remember(_ food: Food) {
    update(recentFoods: [food] + recentFoods.filter { $0.id != food.id })
  }

  /// Takes another mode.
  public mutating func update(trackingMode: TrackingMode) { self.trackingMode = trackingMode }
}

extension NutritionSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case lastUpdated, todayNutrition, goals, recentFoods, trackingMode }

  package static let format = RecordFormat(Self(lastUpdated: .referenceDate))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.lastUpdated, &lastUpdated)
    field(.todayNutrition, &todayNutrition)
    field(.goals, &goals)
    field(.recentFoods, &recentFoods)
    field(.trackingMode, &trackingMode, .countsAs(.full))
  }
}

extension NutritionSession.TrackingMode: SessionWord {}

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

/// A health session as an app writes it under `health/` (FEEDS: health): samples, goals, or both.
///
///     let session = HealthSession(samples: [.init(type: .bodyMass, date: now, value: 81.4)])
///     try JSONEncoder().encode(session).write(to: file, options: .atomic)
///
/// All files of a cache are one series, so an app may write a file a day, a file a sync or one that grows.
public struct HealthSession: Codable, Sendable, Hashable {
  /// What was measured, in any order.
  public var samples: [Sample]?
  /// What the person aims at. The greatest path that has goals gives them all, so they are written whole.
  public var goals: Goals?

  /// A session of what there is; what is nil is left out of the file.
  public init(samples: [Sample]? = nil, goals: Goals? = nil) {
    self.samples = samples
    self.goals = goals
  }

  /// What a sample measures, and in which unit.
  public enum SampleType: String, Codable, Sendable, Hashable, CaseIterable {
    /// Energy eaten, in kcal; a day's samples add up.
    case dietaryCalories
    /// Protein eaten, in grams; a day's samples add up.
    case protein
    /// Carbohydrates eaten, in grams; a day's samples add up.
    case carbs
    /// Fat eaten, in grams; a day's samples add up.
    case fat
    /// Body mass, in kilograms; a day counts with the mean of its samples.
    case bodyMass
    /// The share of the body mass that is fat, 0...1; a day counts with the mean of its samples.
    case bodyFatPercentage
  }

  /// One measurement.
  public struct Sample: Codable, Sendable, Hashable {
    /// Samples with the same id count once, so that a file may repeat what another holds; without one each counts.
    public var id: String?
    /// What was measured.
    public var type: SampleType
    /// When; the local day that holds it is the day for which it counts.
    public var date: Instant
    /// How much, in the type's unit; not negative.
    public var value: Double

    /// A measurement; without an id it counts beside any other.
    public init(id: String? = nil, type: SampleType, date: Instant, value: Double) {
      self.id = id
      self.type = type
      self.date = date
      self.value = value
    }
  }

  /// What the person aims at.
  public struct Goals: Codable, Sendable, Hashable {
    /// What to eat above the maintenance, in kcal a day; negative to lose weight.
    public var adjustment: Double?
    /// How the energy is shared between the macronutrients.
    public var macros: Macros?
    /// The day on which the budget's week begins; without it the cache's settings say.
    public var firstWeekday: Weekday?

    /// Goals; what is nil is left out of the file.
    public init(adjustment: Double? = nil, macros: Macros? = nil, firstWeekday: Weekday? = nil) {
      self.adjustment = adjustment
      self.macros = macros
      self.firstWeekday = firstWeekday
    }

    private enum CodingKeys: String, CodingKey {
      case adjustment, macros, firstWeekday
    }

    /// Reads the goals; a weekday is an English word in lower case.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      adjustment = try container.decodeIfPresent(Double.self, forKey: .adjustment)
      macros = try container.decodeIfPresent(Macros.self, forKey: .macros)
      firstWeekday = try container.decodeIfPresent(String.self, forKey: .firstWeekday).map { word in
        if let weekday = Weekday(word: word) { return weekday }
        throw DecodingError.dataCorruptedError(
          forKey: .firstWeekday, in: container, debugDescription: "not a weekday: write monday … sunday")
      }
    }

    /// Writes the goals; a weekday is an English word in lower case.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(adjustment, forKey: .adjustment)
      try container.encodeIfPresent(macros, forKey: .macros)
      try container.encodeIfPresent(firstWeekday?.word, forKey: .firstWeekday)
    }
  }

  /// Shares of the energy, in percent; they need not add up to 100.
  public struct Macros: Codable, Sendable, Hashable {
    /// The share of protein.
    public var protein: Double?
    /// The share of carbohydrates.
    public var carbs: Double?
    /// The share of fat.
    public var fat: Double?

    /// Shares; a macronutrient without one has no budget.
    public init(protein: Double? = nil, carbs: Double? = nil, fat: Double? = nil) {
      self.protein = protein
      self.carbs = carbs
      self.fat = fat
    }
  }
}

/// A health session as an app writes it under `health/` (feeds.md: health): samples, goals, or both.
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
    public var id: RecordID?
    /// What was measured.
    public var type: SampleType
    /// When; the local day that holds it is the day for which it counts.
    public var date: Instant
    /// How much, in the type's unit; not negative.
    public var value: Double

    /// A measurement; without an id it counts beside any other.
    public init(id: RecordID? = nil, type: SampleType, date: Instant, value: Double) {
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
    public var firstWeekday: Weekday? {
      get { firstDay.flatMap { Weekday(word: $0.rawValue) } }
      set { firstDay = newValue.flatMap { WeekdayWord(rawValue: $0.word) } }
    }

    /// The same in the word of the file.
    package var firstDay: WeekdayWord?

    package enum WeekdayWord: String, Codable, Sendable {
      case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// Goals; what is nil is left out of the file.
    public init(adjustment: Double? = nil, macros: Macros? = nil, firstWeekday: Weekday? = nil) {
      self.adjustment = adjustment
      self.macros = macros
      self.firstWeekday = firstWeekday
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

extension HealthSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case samples, goals }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.samples, &samples)
    field(.goals, &goals)
  }
}

extension HealthSession.SampleType: SessionWord {
  /// Reads a type. Of a sample of a type that no kind uses nothing else counts; but the type must have a name.
  package static func read(_ json: inout JSONReader, _: UnknownWord<Self>, named name: String) -> Self? {
    guard json.next == .string else {
      json.mismatch("a text that is not empty")
      return nil
    }
    let type = json.word(Self.self, named: name)
    if type == nil, json.isEmptyString { json.refuseUnknownWord("a text that is not empty") }
    return type
  }
}

extension HealthSession.Sample: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, type, date, value }

  package static let format = RecordFormat(Self(type: .dietaryCalories, date: .referenceDate, value: 0))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.type, &type)
    field(.date, &date)
    field(.value, &value, .notNegative)
  }

  package var brokenRule: (key: CodingKeys, message: String)? {
    type == .bodyFatPercentage && value > 1 ? (.value, "expected a number from 0 to 1 for bodyFatPercentage") : nil
  }
}

extension HealthSession.Goals: SessionRecord {
  package enum CodingKeys: String, SessionKey { case adjustment, macros, firstDay = "firstWeekday" }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.adjustment, &adjustment)
    field(.macros, &macros)
    field(.firstDay, &firstDay, .countsAs(nil))
  }
}

extension HealthSession.Goals.WeekdayWord: SessionWord {}

extension HealthSession.Macros: SessionRecord {
  package enum CodingKeys: String, SessionKey { case protein, carbs, fat }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.protein, &protein, .notNegative)
    field(.carbs, &carbs, .notNegative)
    field(.fat, &fat, .notNegative)
  }
}

/// A health session as an app writes it under `health/` (feeds.md: health): samples, goals, or both.
///
///     let session = HealthSession(samples: [.init(type: .bodyMass, date: .now, value: 81.4)])
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "2026-11-22")
///
/// All files of a cache form one series, and a sample that several files repeat counts once. So an app may write a file
/// for each day, a file for each sync, or one that grows.
public struct HealthSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `health`.
  public static var feed: String { "\(HealthFeed.name)" }

  /// The measurements, in any order.
  public var samples: [Sample]?
  /// The person's goals. All goals come from the last file by path that has any, so write them completely.
  public var goals: Goals?
  /// Whether the person allows the app to read health data; nil: yes. A session that says false brings no samples and no
  /// goals.
  public var authorized: Bool?

  /// A session of the given parts; nil leaves a part out of the file.
  public init(samples: [Sample]? = nil, goals: Goals? = nil, authorized: Bool? = nil) {
    self.samples = samples
    self.goals = goals
    self.authorized = authorized
  }

  /// The quantity of a sample, with its unit.
  public enum SampleType: String, Codable, CodingKeyRepresentable, Sendable, Hashable, CaseIterable {
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
    /// Nutrients, in grams; a day's samples add up.
    case fiber, sugar, saturatedFat, monounsaturatedFat, polyunsaturatedFat
    /// Nutrients, in milligrams; a day's samples add up.
    case cholesterol, sodium, potassium, calcium, iron, magnesium, zinc, vitaminC, caffeine
    /// Nutrients, in micrograms; a day's samples add up.
    case vitaminA, vitaminD, vitaminB12, folate
    /// Water, in millilitres; a day's samples add up.
    case water
  }

  /// One measurement.
  public struct Sample: Codable, Sendable, Hashable {
    /// Samples with the same id, type and date are versions of one: that of the last file by path counts.
    public var id: RecordID?
    /// The quantity.
    public var type: SampleType
    /// When it was measured. The sample counts for the local day of this moment.
    public var date: Instant
    /// When the measurement ended, if it took a while; nil: at its date.
    public var end: Instant?
    /// The amount in the type's unit; not negative.
    public var value: Double
    /// The device or program that measured it. Of two sources that measured the same at a time only one counts; nil:
    /// it always counts.
    public var source: String?

    /// A measurement.
    public init(
      id: RecordID? = nil, type: SampleType, date: Instant, end: Instant? = nil, value: Double, source: String? = nil
    ) {
      self.id = id
      self.type = type
      self.date = date
      self.end = end
      self.value = value
      self.source = source
    }
  }

  /// The person's goals.
  public struct Goals: Codable, Sendable, Hashable {
    /// How much to eat above maintenance, in kcal a day; negative to lose weight.
    public var adjustment: Double?
    /// How the energy is divided between the macronutrients.
    public var macros: Macros?
    /// How much of each nutrient to eat a day, above 0, in the unit of its type.
    public var nutrients: [SampleType: Double]?
    /// The day on which the budget's week begins; nil: as the cache's settings say.
    public var firstWeekday: Weekday? {
      get { firstDay.flatMap { Weekday(word: $0.rawValue) } }
      set { firstDay = newValue.flatMap { WeekdayWord(rawValue: $0.word) } }
    }

    /// ``firstWeekday`` as the word in the file.
    package var firstDay: WeekdayWord?

    package enum WeekdayWord: String, Codable, Sendable {
      case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// Goals; nil leaves a goal out of the file.
    public init(
      adjustment: Double? = nil, macros: Macros? = nil, nutrients: [SampleType: Double]? = nil,
      firstWeekday: Weekday? = nil
    ) {
      self.adjustment = adjustment
      self.macros = macros
      self.nutrients = nutrients
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
  package enum CodingKeys: String, SessionKey { case samples, goals, authorized }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.samples, &samples)
    field(.goals, &goals)
    field(.authorized, &authorized)
  }
}

extension HealthSession.SampleType: SessionWord {
  package static let words = JSONWords<Self>()

  /// Reads a type. If no kind uses the type, the sample's other fields are ignored, but the type must not be empty.
  package static func read(_ json: inout JSONReader, _: UnknownWord<Self>, named name: String) -> Self? {
    guard json.next == .string else {
      json.mismatch("a text that is not empty")
      return nil
    }
    let type = json.word(Self.self, named: name)
    if type == nil, json.isEmptyString { json.refuseUnknownWord("a text that is not empty") }
    return type
  }

  package static func schema(_: UnknownWord<Self>) -> JSONSchema {
    .knownWord(allCases.map(\.rawValue), leavesOut: true).notEmpty
  }
}

extension HealthSession.Sample: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, type, date, end, value, source }

  package static let format = RecordFormat(Self(type: .dietaryCalories, date: .referenceDate, value: 0))
  package static var noun: StaticString { "sample" }
  package static var warnsOfWords: Bool { false }
  package var version: RecordVersion? { id.map { RecordVersion(id: $0, type: type.rawValue, date: date) } }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.type, &type)
    field(.date, &date)
    field(.end, &end)
    field(.value, &value, .notNegative)
    field(.source, &source)
  }

  package mutating func mendRules() -> BrokenRule<CodingKeys>? {
    if let end, end < date {
      self.end = nil
      return BrokenRule(key: .end, message: "the sample ends before it begins: it has no length", isMended: true)
    }
    guard type == .bodyFatPercentage, value > 1 else { return nil }
    return BrokenRule(
      key: .value, message: "expected a number from 0 to 1 for bodyFatPercentage", isMended: false)
  }
}

extension HealthSession.Goals: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case adjustment, macros, nutrients
    case firstDay = "firstWeekday"
  }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.adjustment, &adjustment)
    field(.macros, &macros)
    field(.nutrients, &nutrients)
    field(.firstDay, &firstDay, .countsAs(nil))
  }
}

extension HealthSession.Goals.WeekdayWord: SessionWord {
  package static let words = JSONWords<Self>()
}

extension HealthSession.Macros: SessionRecord {
  package enum CodingKeys: String, SessionKey { case protein, carbs, fat }

  package static let format = RecordFormat(Self())

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.protein, &protein, .notNegative)
    field(.carbs, &carbs, .notNegative)
    field(.fat, &fat, .notNegative)
  }
}

extension [HealthSession.SampleType: Double]: FieldValue {
  /// Reads the amounts of nutrients. Any other type is left out with a warning.
  package static func read(_ json: inout JSONReader, _: Void, named _: String) -> Self? {
    var amounts: Self = [:]
    json.noteOnUnknownKeys = "this goal is left out"
    let isWhole = json.object(Nutrient.names, required: 0, optional: .max) { json, index in
      let type = Nutrient.all[index].type
      amounts[type] = json.optionalMember(type.rawValue) { json in
        let amount = json.number()
        if let amount, amount <= 0 { json.fail("expected a number above 0, found \(json.valueText)") }
        return amount
      }
    }
    json.noteOnUnknownKeys = nil
    return isWhole ? amounts : nil
  }

  package static func schema(_: Void) -> JSONSchema {
    .object(Nutrient.all.map { ($0.type.rawValue, JSONSchema.numberAboveZero.orNull) })
  }
}

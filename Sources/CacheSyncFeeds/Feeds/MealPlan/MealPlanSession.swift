/// A week's meal plan as an app writes it: `meal-plan/….json`, `meal-plan-cache/….json` or `latest-session.json` in a
/// cache.
///
///     let soup = MealPlanSession.Entry(dayIndex: 0, mealType: .dinner, mealId: "soup", mealName: "Pumpkin soup")
///     let session = MealPlanSession(id: "w47", plan: [soup], isFinalized: true, createdAt: .now, updatedAt: .now)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "this-week")
///
/// Keys are written in snake case and dates as RFC 3339 strings. Reading drops unknown fields.
public struct MealPlanSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `meal-plan`.
  public static var feed: String { "\(MealPlanFeed.name)" }

  /// Who a meal is for.
  public enum Track: String, Codable, Sendable, Hashable {
    /// The whole family.
    case family
    /// The adults only.
    case adult
  }

  /// The meals of a day.
  public enum MealType: String, Codable, Sendable, Hashable {
    /// The first meal.
    case breakfast
    /// The meal at midday.
    case lunch
    /// The last meal.
    case dinner
  }

  /// One place in the week's plan.
  public struct Entry: Codable, Sendable, Hashable {
    /// From Monday = 0 to Sunday = 6.
    public var dayIndex: Int
    /// Nil means family.
    public var mealTrack: Track?
    /// Which meal of the day.
    public var mealType: MealType
    /// The meal's id; nil: nothing is planned.
    public var mealId: String?
    /// The meal's name, as readers show it; nil or only white space: none.
    public var mealName: String?

    /// An entry for a meal of a day.
    public init(dayIndex: Int, mealTrack: Track? = nil, mealType: MealType, mealId: String?, mealName: String?) {
      self.dayIndex = dayIndex
      self.mealTrack = mealTrack
      self.mealType = mealType
      self.mealId = mealId
      self.mealName = mealName
    }
  }

  /// The session's id.
  public var id: String
  /// The week's entries, in any order of days. A meal of several dishes has an entry for each, in the order of serving.
  public var plan: [Entry]
  /// Whether the plan is finished: readers see finalized plans only.
  public var isFinalized: Bool
  /// When the session began. The agent does not look at it.
  public var createdAt: Instant
  /// When it was last changed. Of two plans for one day readers show the later one.
  public var updatedAt: Instant
  /// The day on which the plan's week begins, so that an app can write next week's plan early; nil: any week.
  public var weekStart: LocalDay? {
    get { if case .day(let day) = weekBeginning { day } else { nil } }
    set { weekBeginning = newValue.map { .day($0) } }
  }

  /// ``weekStart`` as the file gives it.
  package var weekBeginning: WrittenDay?

  /// A session.
  public init(
    id: String, plan: [Entry], isFinalized: Bool, createdAt: Instant, updatedAt: Instant, weekStart: LocalDay? = nil
  ) {
    self.id = id
    self.plan = plan
    self.isFinalized = isFinalized
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    weekBeginning = weekStart.map { .day($0) }
  }
}

extension MealPlanSession: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, plan
    case isFinalized = "is_finalized"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case weekBeginning = "week_start"
  }

  package static let format = RecordFormat(
    Self(id: "", plan: [], isFinalized: false, createdAt: .referenceDate, updatedAt: .referenceDate))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.plan, &plan)
    field(.isFinalized, &isFinalized)
    field(.updatedAt, &updatedAt, .stamp)
    field(.weekBeginning, &weekBeginning)
  }
}

extension MealPlanSession.Track: SessionWord {
  package static let words = JSONWords<Self>()
}
extension MealPlanSession.MealType: SessionWord {
  package static let words = JSONWords<Self>()
}

extension MealPlanSession.Entry: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case dayIndex = "day_index"
    case mealTrack = "meal_track"
    case mealType = "meal_type"
    case mealId = "meal_id"
    case mealName = "meal_name"
  }

  package static let format = RecordFormat(Self(dayIndex: 0, mealType: .breakfast, mealId: nil, mealName: nil))
  package static var noun: StaticString { "entry" }
  package var caption: String? { mealName }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.dayIndex, &dayIndex, 0...6)
    field(.mealTrack, &mealTrack)
    field(.mealType, &mealType)
    field(.mealId, &mealId)
    field(.mealName, &mealName)
  }
}

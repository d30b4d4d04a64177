/// A week's meal plan as an app writes it: `meal-plan/….json`, `meal-plan-cache/….json` or `latest-session.json` in a
/// cache.
///
///     let soup = MealPlanSession.Entry(dayIndex: 0, mealType: .dinner, mealId: "soup", mealName: "Pumpkin soup")
///     let session = MealPlanSession(id: "w47", plan: [soup], isFinalized: true, createdAt: .now, updatedAt: .now)
///     let bytes = try JSONEncoder().encode(session)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(Array(bytes), feed: "meal-plan", name: "this-week")
///
/// Keys are written in snake case and dates as RFC 3339 strings. Reading drops unknown fields.
public struct MealPlanSession: Codable, Sendable, Hashable {
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

  /// A meal as the app knew it when the plan was made. The agent does not need it; `check` validates it.
  public struct Meal: Codable, Sendable, Hashable {
    /// The meal's id.
    public var id: String
    /// The meal's name.
    public var name: String
    /// Which meal of the day it is for.
    public var mealType: MealType
    /// Who it is for.
    public var audience: Track?
    /// How much work it is, from 1 to 10.
    public var effort: Int
    /// Whether it has red meat.
    public var hasRedMeat: Bool
    /// Whether it can be prepared ahead.
    public var prepAhead: Bool?
    /// Where the recipe is.
    public var url: String?
    /// When it was last planned.
    public var lastPlanned: Instant?
    /// When it was added.
    public var createdAt: Instant
    /// When it was last changed.
    public var updatedAt: Instant

    /// A meal.
    public init(
      id: String, name: String, mealType: MealType, audience: Track? = nil, effort: Int, hasRedMeat: Bool,
      prepAhead: Bool? = nil, url: String? = nil, lastPlanned: Instant? = nil, createdAt: Instant, updatedAt: Instant
    ) {
      self.id = id
      self.name = name
      self.mealType = mealType
      self.audience = audience
      self.effort = effort
      self.hasRedMeat = hasRedMeat
      self.prepAhead = prepAhead
      self.url = url
      self.lastPlanned = lastPlanned
      self.createdAt = createdAt
      self.updatedAt = updatedAt
    }
  }

  /// A message of the conversation that made the plan. The agent does not need it; `check` validates it.
  public struct Message: Codable, Sendable, Hashable {
    /// The author of a message.
    public enum Role: String, Codable, Sendable, Hashable {
      /// The person.
      case user
      /// The app.
      case assistant
    }

    /// A change that the message made to the plan.
    public struct Operation: Codable, Sendable, Hashable {
      /// From Monday = 0 to Sunday = 6.
      public var dayIndex: Int
      /// Nil means family.
      public var mealTrack: Track?
      /// Which meal of the day.
      public var mealType: MealType
      /// The meal that is planned now; nil: nothing.
      public var newMealId: String?

      /// A change of one place in the plan.
      public init(dayIndex: Int, mealTrack: Track? = nil, mealType: MealType, newMealId: String?) {
        self.dayIndex = dayIndex
        self.mealTrack = mealTrack
        self.mealType = mealType
        self.newMealId = newMealId
      }
    }

    /// The author.
    public var role: Role
    /// The text.
    public var content: String
    /// The changes that it made.
    public var operations: [Operation]?

    /// A message.
    public init(role: Role, content: String, operations: [Operation]? = nil) {
      self.role = role
      self.content = content
      self.operations = operations
    }
  }

  /// The session's id.
  public var id: String
  /// The week's entries, in any order of days. A meal of several dishes has an entry for each, in the order of serving.
  public var plan: [Entry]
  /// The meals that the app chose from.
  public var mealsSnapshot: [Meal]
  /// The conversation that made the plan.
  public var history: [Message]
  /// Whether the plan is finished: readers see finalized plans only.
  public var isFinalized: Bool
  /// When the session began.
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
    id: String, plan: [Entry], mealsSnapshot: [Meal] = [], history: [Message] = [], isFinalized: Bool,
    createdAt: Instant, updatedAt: Instant, weekStart: LocalDay? = nil
  ) {
    self.id = id
    self.plan = plan
    self.mealsSnapshot = mealsSnapshot
    self.history = history
    self.isFinalized = isFinalized
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    weekBeginning = weekStart.map { .day($0) }
  }
}

extension MealPlanSession: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, plan, history
    case mealsSnapshot = "meals_snapshot"
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
    field(.history, &history, is: .checked)
    field(.mealsSnapshot, &mealsSnapshot, is: .checked)
    field(.isFinalized, &isFinalized)
    field(.createdAt, &createdAt, is: .checked)
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

extension MealPlanSession.Meal: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case id, name, audience, effort, url
    case mealType = "meal_type"
    case hasRedMeat = "has_red_meat"
    case prepAhead = "prep_ahead"
    case lastPlanned = "last_planned"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }

  package static let format = RecordFormat(
    Self(
      id: "", name: "", mealType: .breakfast, effort: 1, hasRedMeat: false, createdAt: .referenceDate,
      updatedAt: .referenceDate))
  package static var noun: StaticString { "meal" }
  package var caption: String? { name }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.name, &name)
    field(.audience, &audience)
    field(.effort, &effort, 1...10)
    field(.url, &url)
    field(.mealType, &mealType)
    field(.hasRedMeat, &hasRedMeat)
    field(.prepAhead, &prepAhead)
    field(.lastPlanned, &lastPlanned)
    field(.createdAt, &createdAt)
    field(.updatedAt, &updatedAt)
  }
}

extension MealPlanSession.Message: SessionRecord {
  package enum CodingKeys: String, SessionKey { case role, content, operations }

  package static let format = RecordFormat(Self(role: .user, content: ""))
  package static var noun: StaticString { "message" }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.role, &role)
    field(.content, &content)
    field(.operations, &operations)
  }
}

extension MealPlanSession.Message.Role: SessionWord {
  package static let words = JSONWords<Self>()
}

extension MealPlanSession.Message.Operation: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case dayIndex = "day_index"
    case mealTrack = "meal_track"
    case mealType = "meal_type"
    case newMealId = "new_meal_id"
  }

  package static let format = RecordFormat(Self(dayIndex: 0, mealType: .breakfast, newMealId: nil))
  package static var noun: StaticString { "operation" }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.dayIndex, &dayIndex, 0...6)
    field(.mealTrack, &mealTrack)
    field(.mealType, &mealType)
    field(.newMealId, &newMealId)
  }
}

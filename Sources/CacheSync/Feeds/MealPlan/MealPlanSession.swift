/// A week's meal plan as an app writes it: `meal-plan/….json`, `meal-plan-cache/….json` or `latest-session.json` in a cache.
///
///     try JSONEncoder().encode(session).write(to: file, options: .atomic)
///
/// Keys are written in snake case and dates as RFC 3339 texts. Unknown fields of a file that is read are dropped.
public struct MealPlanSession: Codable, Sendable, Hashable {
  /// Whom a meal is for.
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
    /// Absent means family.
    public var mealTrack: Track?
    /// Which meal of the day.
    public var mealType: MealType
    /// The meal's id; nil: nothing is planned.
    public var mealId: String?
    /// The meal's name, as readers show it.
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
    /// Whom it is for.
    public var audience: Track?
    /// From 1 to 10.
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

  /// A line of the talk in which the plan was made. The agent does not need it; `check` validates it.
  public struct Message: Codable, Sendable, Hashable {
    /// Who said it.
    public enum Role: String, Codable, Sendable, Hashable {
      /// The person.
      case user
      /// The app.
      case assistant
    }

    /// A change to the plan that the message brought.
    public struct Operation: Codable, Sendable, Hashable {
      /// From Monday = 0 to Sunday = 6.
      public var dayIndex: Int
      /// Absent means family.
      public var mealTrack: Track?
      /// Which meal of the day.
      public var mealType: MealType
      /// What is planned now; nil: nothing.
      public var newMealId: String?

      /// A change of one place in the plan.
      public init(dayIndex: Int, mealTrack: Track? = nil, mealType: MealType, newMealId: String?) {
        self.dayIndex = dayIndex
        self.mealTrack = mealTrack
        self.mealType = mealType
        self.newMealId = newMealId
      }
    }

    /// Who said it.
    public var role: Role
    /// What was said.
    public var content: String
    /// What it changed.
    public var operations: [Operation]?

    /// A line of the talk.
    public init(role: Role, content: String, operations: [Operation]? = nil) {
      self.role = role
      self.content = content
      self.operations = operations
    }
  }

  /// The session's id.
  public var id: String
  /// The week's entries; of two for one place the later counts.
  public var plan: [Entry]
  /// The meals that the plan was made from.
  public var mealsSnapshot: [Meal]
  /// The talk in which it was made.
  public var history: [Message]
  /// Readers see finalized plans only.
  public var isFinalized: Bool
  /// When the session began.
  public var createdAt: Instant
  /// When it was last changed: of two plans for one day the later is shown.
  public var updatedAt: Instant
  /// The day on which the plan's week begins, so that next week's can be dropped early; nil: any week.
  public var weekStart: LocalDay? {
    get { if case .day(let day) = weekBeginning { day } else { nil } }
    set { weekBeginning = newValue.map { .day($0) } }
  }

  /// The same as a file may give it: a day, or a moment within it.
  package var weekBeginning: DayReference?

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
    field(.createdAt, &createdAt)
    field(.updatedAt, &updatedAt)
    field(.weekBeginning, &weekBeginning)
  }
}

extension MealPlanSession.Track: SessionWord {}
extension MealPlanSession.MealType: SessionWord {}

extension MealPlanSession.Entry: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case dayIndex = "day_index"
    case mealTrack = "meal_track"
    case mealType = "meal_type"
    case mealId = "meal_id"
    case mealName = "meal_name"
  }

  package static let format = RecordFormat(Self(dayIndex: 0, mealType: .breakfast, mealId: nil, mealName: nil))
  package static var noun: StaticString? { "entry" }

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
  package static var noun: StaticString? { "meal" }

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
  package static var noun: StaticString? { "message" }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.role, &role)
    field(.content, &content)
    field(.operations, &operations)
  }
}

extension MealPlanSession.Message.Role: SessionWord {}

extension MealPlanSession.Message.Operation: SessionRecord {
  package enum CodingKeys: String, SessionKey {
    case dayIndex = "day_index"
    case mealTrack = "meal_track"
    case mealType = "meal_type"
    case newMealId = "new_meal_id"
  }

  package static let format = RecordFormat(Self(dayIndex: 0, mealType: .breakfast, newMealId: nil))
  package static var noun: StaticString? { "operation" }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.dayIndex, &dayIndex, 0...6)
    field(.mealTrack, &mealTrack)
    field(.mealType, &mealType)
    field(.newMealId, &newMealId)
  }
}

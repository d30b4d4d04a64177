/// What a person did in a reader, as the reader writes it for the agent: `intents/<any name>.json` in a cache.
///
///     let intent = Intent(id: UUID().uuidString, at: moment, action: .logFood(id: "oats", quantity: 1.5))
///     try JSONEncoder().encode(intent).write(to: folder.appending(path: intent.id + ".json"), options: .atomic)
///
/// It takes effect at once in what readers see, stops counting when the app's own file, written later, includes it, and may be
/// deleted 168 hours after ``at``. Writing the same intent twice, under any names, counts once.
public struct Intent: Codable, Sendable, Hashable, Identifiable {
  /// The act, with the records that it names by their ids in the app's own files.
  public enum Action: Sendable, Hashable {
    /// Logs servings of one of the recent foods on the local day of ``Intent/at``.
    case logFood(id: String, quantity: Double = 1)
    /// Adds a task, which shows under the id `intent:<id of the intent>` until the app's own file has it.
    case addTask(title: String, due: DayReference? = nil)
    /// Completes a task at ``Intent/at``.
    case completeTask(id: String)
    /// Puts on other shoes.
    case selectShoe(id: String)
    /// Begins to walk in these shoes.
    case startSession(shoe: String)
    /// Takes the shoes off: every open session ends at ``Intent/at``.
    case endSession
  }

  /// Unique among all intents of a cache.
  public var id: String
  /// When the person did it.
  public var at: Instant
  /// What the person did.
  public var action: Action

  /// An intent of those values.
  public init(id: String, at: Instant, action: Action) {
    self.id = id
    self.at = at
    self.action = action
  }
}

extension Intent {
  private enum CodingKeys: String, CodingKey {
    case id, type, at, title, dueDate, quantity, foodId, taskId, shoeId
  }

  /// Reads an intent's file.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    at = try container.decode(Instant.self, forKey: .at)
    func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
    switch try container.decode(IntentType.self, forKey: .type) {
    case .logFood:
      let quantity = try container.decodeIfPresent(Double.self, forKey: .quantity)
      action = .logFood(id: try text(.foodId), quantity: quantity ?? 1)
    case .addTask:
      let due = try container.decodeIfPresent(DayReference.self, forKey: .dueDate)
      action = .addTask(title: try text(.title), due: due)
    case .completeTask: action = .completeTask(id: try text(.taskId))
    case .selectShoe: action = .selectShoe(id: try text(.shoeId))
    case .startSession: action = .startSession(shoe: try text(.shoeId))
    case .endSession: action = .endSession
    }
  }

  /// Writes an intent's file: `id`, `type`, `at` and the fields of its type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(at, forKey: .at)
    switch action {
    case .logFood(let food, let quantity):
      try container.encode(IntentType.logFood, forKey: .type)
      try container.encode(food, forKey: .foodId)
      try container.encode(quantity, forKey: .quantity)
    case .addTask(let title, let due):
      try container.encode(IntentType.addTask, forKey: .type)
      try container.encode(title, forKey: .title)
      try container.encodeIfPresent(due, forKey: .dueDate)
    case .completeTask(let task):
      try container.encode(IntentType.completeTask, forKey: .type)
      try container.encode(task, forKey: .taskId)
    case .selectShoe(let shoe):
      try container.encode(IntentType.selectShoe, forKey: .type)
      try container.encode(shoe, forKey: .shoeId)
    case .startSession(let shoe):
      try container.encode(IntentType.startSession, forKey: .type)
      try container.encode(shoe, forKey: .shoeId)
    case .endSession:
      try container.encode(IntentType.endSession, forKey: .type)
    }
  }
}

/// The words for what a person did, and the fields that each has beside `id`, `type` and `at` (FEEDS: intents, table).
package enum IntentType: String, JSONKey, Codable {
  case logFood = "log-food"
  case addTask = "add-task"
  case completeTask = "complete-task"
  case selectShoe = "select-shoe"
  case startSession = "start-session"
  case endSession = "end-session"
  package static let table = JSONKeyTable<IntentType>()

  /// The feed on which intents of this type act.
  package var feed: FeedName {
    switch self {
    case .logFood: "nutrition"
    case .addTask, .completeTask: "tasks"
    case .selectShoe, .startSession, .endSession: "shoes"
    }
  }

  var requiredFields: JSONKeySet<IntentField> {
    switch self {
    case .logFood: [.foodID]
    case .addTask: [.title]
    case .completeTask: [.taskID]
    case .selectShoe, .startSession: [.shoeID]
    case .endSession: []
    }
  }

  var optionalFields: JSONKeySet<IntentField> {
    switch self {
    case .logFood: [.quantity]
    case .addTask: [.dueDate]
    case .completeTask, .selectShoe, .startSession, .endSession: []
    }
  }
}

/// The fields of an intent's file.
enum IntentField: String, JSONKey {
  case id, type, at, title, dueDate, quantity
  case foodID = "foodId"
  case taskID = "taskId"
  case shoeID = "shoeId"
  static let table = JSONKeyTable<IntentField>()

  /// What every intent has.
  static let common: JSONKeySet<IntentField> = [.id, .type, .at]
}

extension JSONKeySet {
  func contains(_ key: Key) -> Bool { bits & key.bit != 0 }
}

extension StoredIntent {
  /// Reads an intent. Fields of other types than its own are unknown fields and ignored, so the type is looked for first,
  /// wherever it stands.
  ///
  /// A defect of a file whose type is known is shown in the kinds of that type's feed alone. What is not even JSON has no
  /// type that could be trusted, and is shown in all kinds that read intents.
  static func decode(_ json: inout JSONReader) -> StoredIntent? {
    let (type, isWhole) = json.lookingAhead { json in
      var type: IntentType?
      let isObject = json.object(IntentField.self, optional: [.type]) { json, _ in
        type = json.word(IntentType.self)
      }
      return (type, isObject && json.endsWell)
    }
    if let type, isWhole { json.scope = type.feed }

    var fields = Fields()
    let required = IntentField.common.union(type?.requiredFields ?? [])
    let optional = type?.optionalFields ?? []
    let isComplete = json.object(IntentField.self, required: required, optional: optional) { json, key in
      switch key {
      case .id: fields.id = json.string() ?? ""
      case .type: _ = json.word(IntentType.self)
      case .at: fields.at = json.date() ?? .referenceDate
      case .title: fields.title = json.string() ?? ""
      case .dueDate: fields.due = json.dayReference()
      case .quantity: fields.quantity = json.number() ?? Fields.oneServing
      case .foodID, .taskID, .shoeID:
        fields.place = json.place(ofValueAt: json.valueOffset)
        fields.target = json.recordID() ?? RecordID("")
      }
    }
    guard isComplete, let type else { return nil }
    return StoredIntent(id: fields.id, at: fields.at, action: fields.action(type), target: fields.place)
  }

  private struct Fields {
    /// FEEDS: intents, `quantity`.
    static let oneServing = 1.0

    var id = ""
    var at = Instant.referenceDate
    var title = ""
    var due: DayReference?
    var quantity = Self.oneServing
    var target = RecordID("")
    var place: JSONPlace?

    func action(_ type: IntentType) -> Action {
      switch type {
      case .logFood: .logFood(foodID: target, quantity: quantity)
      case .addTask: .addTask(title: title, due: due)
      case .completeTask: .completeTask(taskID: target)
      case .selectShoe, .startSession: .startSession(shoeID: target)
      case .endSession: .endSession
      }
    }
  }
}

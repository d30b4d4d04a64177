/// What a person did in a reader (FEEDS: intents).
package struct StoredIntent: Sendable {
  package enum Action: Sendable {
    case logFood(foodID: RecordID, quantity: Double)
    case addTask(title: String, due: DayReference?)
    case completeTask(taskID: RecordID)
    /// `select-shoe` and `start-session`.
    case startSession(shoeID: RecordID)
    case endSession
  }

  package var id: String
  package var at: Instant
  package var action: Action
  /// Where the file names the food, task or shoe, for the problem of one that nobody knows.
  package var target: JSONPlace?

  /// How long an intent is in force (FEEDS: intents).
  package static let lifetime = Duration.seconds(168 * 3600)

  package var end: Instant { at.advanced(by: Self.lifetime) }

  private static let addedIDPrefix = "intent:"

  /// The id of the task or session that the intent adds (FEEDS: intents, table).
  var addedID: RecordID { RecordID(Self.addedIDPrefix + id) }

  /// The id of the intent that would add a record of this id; nil: none would.
  static func id(adding record: RecordID) -> String? {
    guard record.text.utf8.starts(with: addedIDPrefix.utf8) else { return nil }
    return String(decoding: record.text.utf8.dropFirst(addedIDPrefix.utf8.count), as: UTF8.self)
  }
}

extension StoredIntent.Action {
  /// The feed on which the intent acts.
  package var feed: FeedName {
    switch self {
    case .logFood: IntentType.logFood.feed
    case .addTask, .completeTask: IntentType.addTask.feed
    case .startSession, .endSession: IntentType.startSession.feed
    }
  }

  /// What the intent names, in words: "food "oats"". Nil for an intent that names nothing.
  var targetName: String? {
    switch self {
    case .logFood(let id, _): "food \(JSONMessage.quoted(id.text))"
    case .completeTask(let id): "task \(JSONMessage.quoted(id.text))"
    case .startSession(let id): "shoe \(JSONMessage.quoted(id.text))"
    case .addTask, .endSession: nil
    }
  }
}

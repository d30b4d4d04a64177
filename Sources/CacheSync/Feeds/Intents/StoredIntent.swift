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

/// An action of a person in a reader (feeds.md: intents).
package struct StoredIntent: Sendable {
  /// The record that an intent names.
  package struct Target: Sendable {
    /// The noun for such a record: "food".
    var noun: String
    var id: RecordID
    /// Its place in the file, for the problem of a record that the feed does not know.
    var place: JSONPlace
  }

  package var id: String
  package var at: Instant
  /// The feed on which the intent acts.
  package var feed: FeedName
  /// The action that the feed's ``IntentType`` made from the fields.
  package var action: any Sendable
  package var target: Target?

  /// How long an intent is in force (feeds.md: intents).
  package static let lifetime = Duration.seconds(168 * 3600)

  package var end: Instant { at.advanced(by: Self.lifetime) }

  private static let addedIDPrefix = "intent:"

  /// The id of the task or session that the intent adds (feeds.md: types).
  var addedID: RecordID { RecordID(Self.addedIDPrefix + id) }

  /// The id of the intent that would add a record with this id; nil: none would.
  static func id(adding record: RecordID) -> String? {
    guard record.text.utf8.starts(with: addedIDPrefix.utf8) else { return nil }
    return String(decoding: record.text.utf8.dropFirst(addedIDPrefix.utf8.count), as: UTF8.self)
  }
}

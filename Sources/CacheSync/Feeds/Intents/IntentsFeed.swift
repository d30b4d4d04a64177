/// The overlay of what people did in readers: intents in force change what other feeds' kinds show, until the app's own file
/// includes them (FEEDS: intents).
package final class IntentsFeed: Feed {
  package static let name: FeedName = "intents"
  package static let claims = CacheLayout.Claims(directories: ["intents"])
  package static let kinds: [Kind] = []

  package init() {}

  package static func decode(_ json: inout JSONReader) -> StoredIntent? { nil }

  package func put(_ intent: StoredIntent, from file: SessionFile, in calendar: CivilCalendar) {}

  package func remove(_ path: CachePath) {}

  package func mark(_ path: CachePath, unusable: Bool) {}

  package func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool { false }

  /// An intent that counts, and its file.
  package struct InForce: Sendable {
    package var intent: StoredIntent
    package var path: CachePath
    package var isUnusable: Bool
  }

  /// The intents for a feed that count at a moment, in the order in which they act (by `at`, then id): not ended, and not
  /// absorbed by a session of the feed that is newer. Of those that share an id only the first counts.
  ///
  /// - Parameter newest: the greatest date among the feed's usable files; nil: it has none.
  package func inForce(for feed: FeedName, at instant: Instant, newest: Instant?) -> [InForce] { [] }

  /// The moments in a range at which intents for a feed end.
  package func ends(for feed: FeedName, newest: Instant?, in range: Range<Instant>) -> [Boundary] { [] }
}

/// A feed on which intents act.
package protocol IntentTarget: Feed {
  /// The greatest date among the feed's usable files, which absorbs every earlier intent; nil: no session.
  var newestSession: Instant? { get }

  /// Whether the food, task or shoe that the intent names is known at a moment (by the records, and by other intents in
  /// force); an intent that names none is always known.
  func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool
}

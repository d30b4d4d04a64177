/// A feed on which intents act.
package protocol IntentTarget: Feed {
  /// The greatest date among the feed's usable files, which absorbs every earlier intent; nil: no session.
  var newestSession: Instant? { get }

  /// Whether the food, task or shoe that the intent names is known at a moment (by the records, and by other intents in
  /// force); an intent that names none is always known.
  func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool
}

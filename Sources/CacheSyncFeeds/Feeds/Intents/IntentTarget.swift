package import CacheSyncSystem

/// A feed on which intents act.
package protocol IntentTarget: Feed {
  /// The latest date among the feed's usable files, which absorbs every earlier intent; nil: no session.
  var newestSession: Instant? { get }

  /// Whether the feed has a usable file.
  var hasSession: Bool { get }

  /// Whether ``newestSession`` absorbs every earlier intent; otherwise ``absorbing(_:)`` decides for each.
  var absorbsAlike: Bool { get }

  /// When the feed's files were written that include the effect of every earlier intent like this one; nil: there are
  /// none.
  func absorbing(_ intent: StoredIntent) -> Instant?

  /// Whether the food, task or shoe that the intent names is known at a moment, from the records and from other intents
  /// in force. An intent without a record is always known.
  func knows(_ intent: StoredIntent, at moment: Moment, feeds: FeedSet) -> Bool

  /// The ids of the records of which an intent may name one.
  func knownIDs(for intent: StoredIntent) -> [RecordID]

  /// The files of the things that have the id that an intent names, if there are several.
  func files(of intent: StoredIntent) -> [CachePath]
}

extension IntentTarget {
  package var hasSession: Bool { newestSession != nil }

  package var absorbsAlike: Bool { true }

  package func files(of intent: StoredIntent) -> [CachePath] { [] }

  package func absorbing(_ intent: StoredIntent) -> Instant? { newestSession }

  /// The date before which every intent is absorbed.
  fileprivate var absorbing: Instant? { absorbsAlike ? newestSession : nil }

  fileprivate func acts(_ intent: StoredIntent) -> Bool {
    absorbsAlike || absorbing(intent).map { intent.at >= $0 } ?? true
  }
}

extension FeedSet {
  /// The intents on a named feed that count at a moment, in the order in which they act.
  ///
  /// - Parameter target: the feed; nil: the cache has never had a file of it.
  package func countingIntents(
    on target: (any IntentTarget)?, named name: FeedName, at instant: Instant
  ) -> (over: ArraySlice<IntentsFeed.InForce>, inForce: ArraySlice<IntentsFeed.InForce>) {
    self[IntentsFeed.self]?.counting(for: name, at: instant, newest: target?.absorbing) { intent in
      target?.acts(intent) ?? true
    } ?? ([], [])
  }

  /// Why an intent whose file is valid has no effect at a moment; nil: it has one.
  package func noEffect(of intent: StoredIntent, at moment: Moment) -> String? {
    let target = self[intent.feed] as? any IntentTarget
    if let named = intent.target {
      let message = IntentsFeed.message(named, target?.files(of: intent) ?? [])
      guard let target, target.hasSession else { return "\(message): the feed \(intent.feed) has no session yet" }
      if !target.knows(intent, at: moment, feeds: self) {
        if !target.files(of: intent).isEmpty { return message }
        let ids = target.knownIDs(for: intent).map(\.text).sorted(by: isOrdered)
        let near = NearestName.of(named.id.text, among: ids).map { "did you mean \(JSONMessage.quoted($0))?" }
        return "\(message): \(near ?? "the cache has \(counted(ids.count, named.noun))")"
      }
    }
    if let date = target?.absorbing(intent), intent.at < date {
      return "the intent of \(intent.at) is absorbed: the files of \(intent.feed) were written later, \(date)"
    }
    return intent.end <= moment.instant ? "the intent of \(intent.at) ended \(intent.end)" : nil
  }

  /// The same for the intent of a file; nil also for other files.
  package func noEffect(ofIntentAt path: CachePath, at moment: Moment) -> String? {
    self[IntentsFeed.self]?[path].flatMap { noEffect(of: $0, at: moment) }
  }

  /// Those of them that are in force.
  func intents(on target: (any IntentTarget)?, named name: FeedName, at instant: Instant) -> [IntentsFeed.InForce] {
    Array(countingIntents(on: target, named: name, at: instant).inForce)
  }

  /// The moments in a range at which intents on a named feed end.
  func intentEnds(on target: (any IntentTarget)?, named name: FeedName, in range: Range<Instant>) -> [Boundary] {
    // An end at the range's lower bound is inside the range.
    intents(on: target, named: name, at: range.lowerBound.advanced(by: .microseconds(-1))).lazy.map(\.intent)
      .filter { range.contains($0.end) }.map { Boundary($0.end, .records("intent", [RecordID($0.id)], "ends")) }
  }

  /// The intents on a feed that count at a moment, in the order in which they act.
  func intents<Target: IntentTarget & BuiltInFeed>(on target: Target.Type, at instant: Instant) -> [IntentsFeed.InForce]
  {
    intents(on: self[target], named: Target.name, at: instant)
  }

  /// The intent with an id, if it is in force for a feed at a moment.
  func intent<Target: IntentTarget & BuiltInFeed>(_ id: String, on target: Target.Type, at instant: Instant)
    -> StoredIntent?
  {
    let feed = self[target]
    let found = self[IntentsFeed.self]?.intent(id, for: Target.name, at: instant, newest: feed?.absorbing)
    guard let found, feed?.acts(found.intent) ?? true else { return nil }
    if found.laterCount < IntentsFeed.maximumInForce { return found.intent }
    // Of those later ones, all act or some are absorbed.
    if feed?.absorbsAlike ?? true { return nil }
    return intents(on: target, at: instant).first { RecordID($0.intent.id) == RecordID(id) }?.intent
  }

  /// The moments in a range at which intents on a feed end.
  func intentEnds<Target: IntentTarget & BuiltInFeed>(on target: Target.Type, in range: Range<Instant>) -> [Boundary] {
    intentEnds(on: self[target], named: Target.name, in: range)
  }
}

package import CacheSyncSystem

/// A feed: one producer's files, and what readers need from them.
///
/// A feed keeps what its projections need of every usable session file, with indices, so that a change in one file
/// costs only what that file costs. It does not know about watching or publishing: the agent puts and removes files,
/// and projections read. Everything of a cache runs on one actor, so a feed need not be `Sendable`. Its
/// ``FeedDescriptor`` describes it before its first file.
package protocol Feed: AnyObject {
  /// The content of one session file, as far as the feed needs it.
  associatedtype Session: Sendable

  /// Adds a session; it replaces the earlier one of the same path.
  func put(_ session: Session, from file: SessionFile, in calendar: CivilCalendar)

  /// Removes a file; one that never had a session is not an error.
  func remove(_ path: CachePath)

  /// Records whether the file at `path` is unusable now, so that its last good version is shown.
  func mark(_ path: CachePath, unusable: Bool)

  /// Rebuilds all indices by day, because the local days have changed.
  func rebuild(in calendar: CivilCalendar)

  /// Records the addresses of the person whose cache it is, in lower case (settings.md: declined invitations).
  func adopt(me: Set<ExactText>)

  /// Writes the members of this feed's object in the day index for `moment.day`, with keys in order; false: there are
  /// none.
  func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool

  /// The problems at a moment in files that can be read: for example, an intent that names an unknown food.
  func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem]

  /// When ``currentProblems(at:feeds:)`` may change through time alone; nil: never.
  func nextProblemChange(after instant: Instant) -> Instant?

  /// Drops caches that only make computing faster: a publication was computed, and the next may be hours away.
  func removeComputed()

  /// Files without any further effect, so that the programs that wrote them may delete them.
  func removable(at moment: Moment) -> [CachePath]
}

extension Feed {
  package func rebuild(in calendar: CivilCalendar) {}

  package func adopt(me: Set<ExactText>) {}

  package func currentProblems(at moment: Moment, feeds: FeedSet) -> [Problem] { [] }

  package func nextProblemChange(after instant: Instant) -> Instant? { nil }

  package func removeComputed() {}

  package func removable(at moment: Moment) -> [CachePath] { [] }

  /// Adds the session that the feed's descriptor decoded. If all of it was left out, this removes the file's earlier
  /// one. It ignores a defective document.
  package func ingest(_ decoded: DecodedSession, from file: SessionFile, in calendar: CivilCalendar) {
    if let session = decoded.session as? Session {
      put(session, from: file, in: calendar)
    } else if decoded.defects.isEmpty {
      remove(file.path)
    }
  }
}

/// A feed whose rules are code. Its folder contains everything specific to it.
package protocol BuiltInFeed: Feed, SendableMetatype {
  static var name: FeedName { get }
  static var claims: CacheLayout.Claims { get }
  /// What people call the feed; nil: its name.
  static var heading: Phrase? { get }
  /// The kinds of snapshot whose rules are in this feed's folder.
  static var kinds: [Kind] { get }
  /// The links of its app, besides those of other feeds.
  static var links: [DeepLink.Form] { get }
  /// The types of intents that act on the feed, which is then an ``IntentTarget``.
  static var intents: [IntentType] { get }
  /// Its calendar for other programs; nil: it has none.
  static var calendar: FeedCalendar? { get }
  /// Small session files, from which samples of its kinds are drawn (``Snapshot/sample(of:options:)``).
  static var samples: FeedSamples { get }

  init()

  /// Reads a session. The reader records defects.
  static func decode(_ json: inout JSONReader) -> Session?

  /// What ``decode(_:)`` accepts, for editors. It has no rules between fields.
  static var schema: JSONSchema { get }
}

extension BuiltInFeed {
  package static var heading: Phrase? { nil }

  package static var links: [DeepLink.Form] { [] }

  package static var intents: [IntentType] { [] }

  package static var calendar: FeedCalendar? { nil }

  package static var samples: FeedSamples { [:] }
}

/// Session files by their paths in a cache.
package typealias FeedSamples = KeyValuePairs<String, String>

extension BuiltInFeed where Session: SessionRecord {
  package static func decode(_ json: inout JSONReader) -> Session? { Session.decode(&json) }

  package static var schema: JSONSchema { Session.schema(()) }
}

/// A feed decoder's result for a document. It has no effect yet.
package struct DecodedSession: Sendable {
  /// The feed's own type; nil if there are defects, or if all of it was left out.
  package var session: (any Sendable)?
  /// The content for other feeds, whose types it has.
  package var others: [FeedName: any Sendable] = [:]
  /// Ordered by place.
  package var defects: [JSONDefect]
  /// The parts that are left out or ignored while the rest counts, ordered by place.
  package var warnings: [JSONDefect] = []
  package var scope: FeedName?
  /// The document without the members that the decoder skipped; nil unless requested.
  package var pruned: [UInt8]?
}

/// Information about a session file besides its bytes.
package struct SessionFile: Sendable {
  package var path: CachePath
  /// When it was written, and when it arrived.
  package var times: FileTimes
  /// Whether the bytes are the last good version of a file that is unusable now.
  package var isUnusable: Bool

  /// When the file was written (``FileIdentity/modified``); some feeds use it if a date is missing.
  package var modified: Instant { times.modified }

  package init(path: CachePath, times: FileTimes, isUnusable: Bool = false) {
    self.path = path
    self.times = times
    self.isUnusable = isUnusable
  }

  /// A file whose stamps count as they are.
  package init(path: CachePath, modified: Instant, isUnusable: Bool = false) {
    let times = FileTimes(modified: modified, arrived: Instant.validRange.upperBound)
    self.init(path: path, times: times, isUnusable: isUnusable)
  }
}

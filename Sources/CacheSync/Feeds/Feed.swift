package import CacheSyncSystem

/// What a feed is: one producer's files, and what readers want from them.
///
/// A feed keeps what its projections need of every usable session file, indexed so that a change in one file costs what
/// that file costs. It knows nothing of watching or publishing: files are put and removed, and projections read.
/// Everything a cache holds lives on one actor, so a feed need not be `Sendable`. What is known of it before its first file is
/// its ``FeedDescriptor``.
package protocol Feed: AnyObject {
  /// What one session file says, as far as the feed needs it.
  associatedtype Session: Sendable

  /// Takes a session in, in place of what the same path gave before.
  func put(_ session: Session, from file: SessionFile, in calendar: CivilCalendar)

  /// Forgets a file; one that never gave a session is not an error.
  func remove(_ path: CachePath)

  /// Says whether the file at `path` is unusable now, so that its last good version stands in for it.
  func mark(_ path: CachePath, unusable: Bool)

  /// The local days have moved: what is indexed by day is indexed again.
  func rebuild(in calendar: CivilCalendar)

  /// The members of this feed's object in the day index for `moment.day`, keys in order; false when there is nothing.
  func writeDay(_ moment: Moment, feeds: FeedSet, to json: inout JSONWriter) -> Bool

  /// What is wrong at a moment with files that can be read: for example an intent that names an unknown food.
  func standingProblems(at moment: Moment, feeds: FeedSet) -> [Problem]

  /// When ``standingProblems(at:feeds:)`` may change by time alone; nil: never.
  func nextProblemChange(after instant: Instant) -> Instant?

  /// A publication was computed, and the next may be hours away: what was kept only to compute it faster may go.
  func forgetComputed()

  /// Files that have no effect any more, so that the programs that wrote them may delete them.
  func removable(at moment: Moment) -> [CachePath]
}

extension Feed {
  package func rebuild(in calendar: CivilCalendar) {}

  package func standingProblems(at moment: Moment, feeds: FeedSet) -> [Problem] { [] }

  package func nextProblemChange(after instant: Instant) -> Instant? { nil }

  package func forgetComputed() {}

  package func removable(at moment: Moment) -> [CachePath] { [] }

  /// Puts the session that the feed's descriptor decoded, and removes the file's earlier one when all of it is left out.
  /// Does nothing when the document was defective.
  package func ingest(_ decoded: DecodedSession, from file: SessionFile, in calendar: CivilCalendar) {
    if let session = decoded.session as? Session {
      put(session, from: file, in: calendar)
    } else if decoded.defects.isEmpty {
      remove(file.path)
    }
  }
}

/// A feed whose rules are code. Its folder has all that is particular to it.
package protocol BuiltInFeed: Feed, SendableMetatype {
  static var name: FeedName { get }
  static var claims: CacheLayout.Claims { get }
  /// The kinds of snapshot whose rules live in this feed's folder.
  static var kinds: [Kind] { get }
  /// The links of its app that readers know, beside those of other feeds.
  static var links: [DeepLink.Form] { get }
  /// The types of intents that act on the feed, which is then an ``IntentTarget``.
  static var intents: [IntentType] { get }

  init()

  /// Reads a session. Defects are recorded in the reader, which may be asked what is wanted: `.everything` also validates
  /// documented fields that the agent does not need.
  static func decode(_ json: inout JSONReader) -> Session?
}

extension BuiltInFeed {
  package static var links: [DeepLink.Form] { [] }

  package static var intents: [IntentType] { [] }
}

extension BuiltInFeed where Session: SessionRecord {
  package static func decode(_ json: inout JSONReader) -> Session? { Session.decode(&json) }
}

/// What a feed's decoder made of a document; nothing of it counts yet.
package struct DecodedSession: Sendable {
  /// Of the feed's own type; nil when there are defects, or when all of it is left out.
  package var session: (any Sendable)?
  /// By their place.
  package var defects: [JSONDefect]
  /// Parts that are left out or ignored while the rest counts, by their place.
  package var warnings: [JSONDefect] = []
  package var scope: FeedName?
  /// The document without the members that the decoder skipped; nil unless asked for.
  package var pruned: [UInt8]?
}

/// What a feed may know of a session file beside its bytes.
package struct SessionFile: Sendable {
  package var path: CachePath
  /// When the file was written (``FileIdentity/modified``), which stands in for a missing date in some feeds.
  package var modified: Instant
  /// Whether the bytes are the last good version of a file that is unusable now.
  package var isUnusable: Bool

  package init(path: CachePath, modified: Instant, isUnusable: Bool = false) {
    self.path = path
    self.modified = modified
    self.isUnusable = isUnusable
  }
}

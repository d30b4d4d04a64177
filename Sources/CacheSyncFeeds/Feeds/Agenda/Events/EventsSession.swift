/// A session file of the `events` feed, for apps that write one.
///
///     let start = Instant(seconds: 1_795_333_800)  // 2026-11-22T07:50:00Z
///     let end = start + .seconds(3600)
///     let event = EventsSession.Event(id: "dentist", title: "Dentist", startTime: start, endTime: end)
///     let session = EventsSession(events: [event], lastUpdate: .now)
///     try SessionWriter(cache: "/home/me/.cache/cachesync").write(session, name: "my-app")
///
/// The agent also reads a bare array of events, and dates it by the file's modification time.
public struct EventsSession: FeedSession, Codable, Sendable, Hashable {
  /// The feed `events`.
  public static var feed: String { "\(EventsFeed.name)" }

  /// All of the app's events; of two with the same id the later one counts.
  public var events: [Event]
  /// When the app wrote the file. Of events with the same id in several files, the one from the latest file counts.
  public var lastUpdate: Instant?

  /// A file of events; without a date the file's modification time counts.
  public init(events: [Event], lastUpdate: Instant? = nil) {
    self.events = events
    self.lastUpdate = lastUpdate
  }

  /// An event of a calendar.
  public struct Event: Codable, Sendable, Hashable {
    /// The id that deep links name.
    public var id: RecordID
    /// The title that readers show.
    public var title: String
    /// An event is upcoming until it starts.
    public var startTime: Instant
    /// When it ends; nil, or before ``startTime``: it has no length.
    public var endTime: Instant?
    /// The place, in words.
    public var location: String?
    package var origin = RecordOrigin()

    /// An event, by default without a place.
    public init(id: RecordID, title: String, startTime: Instant, endTime: Instant?, location: String? = nil) {
      self.id = id
      self.title = title
      self.startTime = startTime
      self.endTime = endTime
      self.location = location
    }
  }
}

extension EventsSession: SessionRecord {
  package enum CodingKeys: String, SessionKey { case events, lastUpdate }

  package static let format = RecordFormat(Self(events: []))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.events, &events)
    field(.lastUpdate, &lastUpdate, .stamp)
  }
}

extension EventsSession.Event: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, title, startTime, endTime, location }

  package static let format = RecordFormat(
    Self(id: 0, title: "", startTime: Instant.validRange.lowerBound, endTime: nil))
  package static var noun: StaticString { "event" }
  package var caption: String? { title }
  package var version: RecordVersion? { RecordVersion(id: id) }
  package static var keepsOrigin: Bool { true }
  package mutating func begin(at origin: RecordOrigin) { self.origin = origin }

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.title, &title)
    field(.startTime, &startTime, .start)
    field(.endTime, &endTime, .end)
    field(.location, &location)
  }

  package mutating func mendRules() -> BrokenRule<CodingKeys>? {
    guard let end = endTime, end < startTime else { return nil }
    endTime = nil
    return BrokenRule(key: .endTime, message: "the event ends before it starts: it has no length", isMended: true)
  }
}

/// A session file of the `events` feed, for apps that write one: encode it with `JSONEncoder` and put it under `events/`.
///
/// The agent also reads a bare array of events, which then has the file's modification time for its date.
public struct EventsSession: Codable, Sendable, Hashable {
  /// All of the app's events; of two with the same id the later counts.
  public var events: [Event]
  /// When the app wrote the file. Of events with the same id in several files, the one from the latest file counts.
  public var lastUpdate: Instant?

  /// A file of events; without a date it has its modification time for one.
  public init(events: [Event], lastUpdate: Instant? = nil) {
    self.events = events
    self.lastUpdate = lastUpdate
  }

  /// An event of a calendar.
  public struct Event: Codable, Sendable, Hashable {
    /// What deep links name.
    public var id: RecordID
    /// What readers show.
    public var title: String
    /// An event is upcoming until it starts.
    public var startTime: Instant
    /// Not before ``startTime``, else the agent rejects the file.
    public var endTime: Instant
    /// Where it is, in words.
    public var location: String?

    /// An event, without a place unless one is given.
    public init(id: RecordID, title: String, startTime: Instant, endTime: Instant, location: String? = nil) {
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
    field(.lastUpdate, &lastUpdate)
  }
}

extension EventsSession.Event: SessionRecord {
  package enum CodingKeys: String, SessionKey { case id, title, startTime, endTime, location }

  package static let format = RecordFormat(
    Self(id: 0, title: "", startTime: Instant.validRange.lowerBound, endTime: Instant.validRange.upperBound))

  package mutating func describe(to field: inout some FieldVisitor<CodingKeys>) {
    field(.id, &id)
    field(.title, &title)
    field(.startTime, &startTime)
    field(.endTime, &endTime)
    field(.location, &location)
  }

  package var brokenRule: (key: CodingKeys, message: String)? {
    endTime < startTime ? (.endTime, "endTime is before startTime") : nil
  }
}

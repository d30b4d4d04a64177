// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Written by scripts/contents.py. docs/reference/feeds.md says what the members mean.

/// The content of `calendar`.
public struct CalendarContent: Decodable, Sendable, Equatable {
  public struct Event: Decodable, Sendable, Equatable {
    public var allDay: Bool?
    public var deepLink: String
    public var endTime: Instant
    public var file: String?
    public var id: RecordID
    public var location: String?
    public var startTime: Instant
    public var title: String
  }

  public struct Weeks: Decodable, Sendable, Equatable {
    public var counts: [[Int]]
    public var first: LocalDay
  }

  public var date: LocalDay
  public var day: Int
  public var events: [Event]
  public var month: String
  public var more: Int
  public var now: [Event]
  public var weekday: String
  public var weekdays: [String]
  public var weeks: Weeks
}

/// The content of `next-event`.
public struct NextEvent: Decodable, Sendable, Equatable {
  public typealias Event = CalendarContent.Event

  public var event: Event?
  public var now: Event?
  public var text: String
}

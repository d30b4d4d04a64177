import CacheSync
import CacheSyncSystem
import Testing

/// A cache's files in memory, to test projections without a disk: put texts at paths, and ask for timelines.
struct FeedHarness {
  var feeds = FeedSet()
  var calendar: CivilCalendar
  var firstWeekday = Weekday.monday
  var staleAfter: Duration?

  init(zone: String = "UTC", staleAfter: Duration? = nil) throws {
    calendar = CivilCalendar(try TimeZoneDatabase().rules(named: zone))
    self.staleAfter = staleAfter
  }

  /// Reads a session file as the agent does; returns its defects.
  @discardableResult
  func put(_ path: String, _ text: String, modified: String = "2026-01-01T00:00:00Z", unusable: Bool = false) throws
    -> [JSONDefect]
  {
    let path = CachePath(path)
    guard case .session(let name) = feeds.registry.layout.role(of: path) else {
      Issue.record("no feed claims \(path)")
      return []
    }
    let file = SessionFile(path: path, modified: try instant(modified), isUnusable: unusable)
    return Array(text.utf8).withUnsafeBytes { feeds.read($0, of: name, from: file, in: calendar) }
  }

  func remove(_ path: String) {
    let path = CachePath(path)
    if case .session(let name) = feeds.registry.layout.role(of: path) { feeds.remove(path, of: name) }
  }

  func moment(_ text: String) throws -> Moment {
    Moment(try instant(text), calendar: calendar, firstWeekday: firstWeekday)
  }

  func timeline(_ kind: KindName, at text: String) throws -> Timeline {
    let kind = try #require(feeds.registry.kind(named: kind))
    return TimelineProjector(feeds: feeds, moment: try moment(text), staleAfter: StaleAges(staleAfter)).timeline(
      of: kind)
  }

  /// The current content at a moment.
  func content(_ kind: KindName, at text: String) throws -> JSONValue {
    let entry = try #require(try timeline(kind, at: text).entries.first)
    return try value(entry.content)
  }

  func state(_ kind: KindName, at text: String) throws -> String {
    try #require(try timeline(kind, at: text).entries.first).state.rawValue
  }

  /// The day index's object for a feed on a day, or nil when there is nothing.
  func day(_ feed: FeedName, _ date: String, now: String) throws -> JSONValue? {
    let document = DayIndexProjector(feeds: feeds, moment: try moment(now)).document()
    let index = try value(document.withoutPublication())
    return index["days"]?.array?.first { $0["date"]?.string == date }?["feeds"]?[feed.description]
  }

  /// Checks a timeline against itself: every later entry must equal what is computed at its own date.
  func expectConsistent(_ kind: KindName, at text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for entry in try timeline(kind, at: text).entries.dropFirst() {
      let own = try #require(try timeline(kind, at: entry.date.description).entries.first)
      #expect(own.content == entry.content, "\(kind) at \(entry.date)", sourceLocation: sourceLocation)
      #expect(own.state == entry.state, "\(kind) at \(entry.date)", sourceLocation: sourceLocation)
      #expect(own.date == entry.date, "\(kind) at \(entry.date)", sourceLocation: sourceLocation)
    }
  }

  func instant(_ text: String) throws -> Instant { try #require(Instant(text), "\(text) is no moment") }

  func value(_ bytes: [UInt8]) throws -> JSONValue { try #require(bytes.withUnsafeBytes { JSONValue.parse($0) }) }
}

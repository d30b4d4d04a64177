import CacheSyncSystem
import TestSupport
import Testing

@testable import CacheSyncFeeds

/// "A stamp more than a day after the file's ctime counts as the file's time" (contract.md section 2). The dates are
/// counted from 2001 and worked out by hand: the file was written at 1,000,000 and arrived 100 s later.
@Suite("Stamps from the future")
struct StampTests {
  /// The member of each feed's session that says when it was written; nil: it has none.
  private static let stamps: [String: String?] = [
    "meal-plan": "updated_at", "nutrition": "lastUpdated", "tasks": "lastUpdate", "events": "lastUpdate",
    "shoes": "lastUpdated", "intents": "at", "health": nil,
  ]

  private static let times = FileTimes(modified: since2001(1_000_000), arrived: since2001(1_000_100))
  private static let day = 86_400

  private static func since2001(_ seconds: Int) -> Instant {
    Instant(seconds: Instant.referenceDate.seconds + Int64(seconds))
  }

  @Test("Every feed is in the table, so that a new one is looked at")
  func everyFeed() {
    #expect(Set(Self.stamps.keys) == Set(FeedRegistry.builtIn.feeds.map(\.name.description)))
  }

  @Test("A stamp counts up to a day after the arrival, and then as the file's time", arguments: DocumentedFields.all)
  func stamps(_ format: DocumentedFields) throws {
    guard let feed = format.feed, case let stamp?? = Self.stamps[feed], format.pointers.contains("/\(stamp)") else {
      return
    }
    let last = 1_000_100 + Self.day
    #expect(try warnings(format, stamp, at: last) == [])
    #expect(try session(format, stamp, at: last) == session(format, stamp, at: last, times: nil))
    #expect(
      try warnings(format, stamp, at: last + 1) == ["\(stamp) is 1 day in the future: is the device's clock right?"])
    #expect(
      try warnings(format, stamp, at: 1_000_100 + 364 * Self.day)
        == ["\(stamp) is 364 days in the future: is the device's clock right?"])
    #expect(try session(format, stamp, at: last + 1) == session(format, stamp, at: 1_000_000))
  }

  private func decoded(_ format: DocumentedFields, _ stamp: String, at seconds: Int, _ times: FileTimes?) throws
    -> DecodedSession
  {
    let feed = try #require(format.feed.flatMap { FeedRegistry.builtIn.feed(named: FeedName($0)) })
    let text = try NutritionFixtures.edited(format.whole, "/\(stamp)", to: .integer(seconds))
    return Array(text.utf8).withUnsafeBytes { feed.decode($0, at: CachePath("a.json"), times: times) }
  }

  private func warnings(_ format: DocumentedFields, _ stamp: String, at seconds: Int) throws -> [String] {
    try decoded(format, stamp, at: seconds, Self.times).warnings.map(\.message)
  }

  private func session(
    _ format: DocumentedFields, _ stamp: String, at seconds: Int, times: FileTimes? = StampTests.times
  ) throws -> String {
    let session = try #require(try decoded(format, stamp, at: seconds, times).session)
    var text = ""
    dump(session, to: &text)
    return text
  }

  @Test("A session of shoes that starts later is left out, with the warning")
  func sessions() throws {
    let feed = try #require(FeedRegistry.builtIn.feed(named: "shoes"))
    let text = """
      {"sessions":[{"id":1,"shoeId":"s","start":1086501,"steps":1,"distance":1},
      {"id":2,"shoeId":"s","start":1086500,"steps":1,"distance":1}]}
      """
    let decoded = Array(text.utf8).withUnsafeBytes { feed.decode($0, at: CachePath("shoes/a.json"), times: Self.times) }
    #expect(
      decoded.warnings.map(\.message) == [
        "start is 1 day in the future: is the device's clock right?: this session is left out"
      ])
    #expect((decoded.session as? ShoesSession)?.sessions?.map(\.id) == [2])
    // It can be read, so it does not make the file unusable.
    let alone = text.replacing("1086500", with: "1086502")
    let lone = Array(alone.utf8).withUnsafeBytes { feed.decode($0, at: CachePath("shoes/a.json"), times: Self.times) }
    #expect(lone.defects == [] && lone.warnings.count == 2)
    #expect((lone.session as? ShoesSession)?.sessions?.isEmpty == true)
  }
}

extension StampTests {
  @Test("The `updated` of a definition's file counts as the file's time, too")
  func definition() throws {
    let text = #"{"version":1,"updated":"$.at","items":{"each":"$.list[*]"},"kinds":{"x":{"show":"all"}}}"#
    let zones = TimeZones(environment: nil)
    let read = Array(text.utf8).withUnsafeBytes { FeedDefinition.read($0, named: "x", reserved: .builtIn) }
    let definition = try #require(read.definition)
    let feed = FeedDescriptor(definition, zones: zones)
    func decoded(_ at: Int) -> DecodedSession {
      Array(#"{"at":\#(at),"list":[1]}"#.utf8).withUnsafeBytes {
        feed.decode($0, at: CachePath("x/a.json"), times: Self.times)
      }
    }
    #expect(decoded(1_000_100 + Self.day).warnings.isEmpty)
    let late = decoded(1_000_101 + Self.day)
    #expect(late.warnings.map(\.message) == ["updated is 1 day in the future: is the device's clock right?"])
    let session = try #require(late.session as? DefinedSession)
    #expect(session.updated?.point == .instant(Self.since2001(1_000_000)))
  }
}

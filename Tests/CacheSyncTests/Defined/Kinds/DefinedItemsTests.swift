import CacheSyncSystem
import Testing

@testable import CacheSyncValues

/// Which files and items count, and the times of each item.
@Suite struct DefinedItemsTests {
  private func feed(_ use: FeedDefinition.Use = .all, zone: String = "Europe/Berlin", dated: Bool = true) throws
    -> DefinedFeedHarness
  {
    var definition = FeedDefinition(["title"], DefinedKind(.all) { $0.limit = 50 })
    definition.use = use
    if dated { definition.updated = .at([ItemPath(.document)], nil) }
    return try DefinedFeedHarness(definition, zone: zone)
  }

  private func session(_ items: [DefinedItem], updated: String? = nil, dropped: Set<String> = []) throws
    -> DefinedSession
  {
    var session = DefinedSession()
    session.items = items
    session.updated = try updated.map { try DefinedItem.Time($0) }
    session.droppedIDs = Set(dropped.map { RecordID($0) })
    return session
  }

  private func item(_ title: String, id: String?) throws -> DefinedItem { try DefinedItem([.text(title)], id: id) }

  @Test func theNewestFileWithAnIDWinsThenTheGreatestPath() throws {
    let feed = try feed()
    try feed.put(
      session([item("old", id: "1"), item("other", id: "2")], updated: "2026-11-01T00:00:00Z"), path: "x/b.json")
    try feed.put(session([item("new", id: "1")], updated: "2026-11-02T00:00:00Z"), path: "x/a.json")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "new other")
    try feed.put(session([item("same", id: "1")], updated: "2026-11-02T00:00:00Z"), path: "x/c.json")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "other same")
    #expect(feed.items.newestDate == (try moment("2026-11-02T00:00:00Z")))
    feed.items.remove(CachePath("x/c.json"))
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "new other")
    feed.items.remove(CachePath("x/a.json"))
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "old other")
    #expect(feed.items.newestDate == (try moment("2026-11-01T00:00:00Z")))
    #expect(feed.items.fileDate(ofItem: "1") == (try moment("2026-11-01T00:00:00Z")))
    #expect(feed.items.fileDate(ofItem: "3") == nil)
    feed.items.remove(CachePath("x/b.json"))
    #expect(feed.items.isEmpty)
  }

  @Test(
    "An end that is before its start only by the cache's zone is ignored with a warning, one for each file",
    arguments: [
      // In Berlin 23:00Z is the midnight of the next day, and an end at a midnight excludes its day.
      (true, "2026-11-23T23:00:00Z", "2026-11-10T23:00:00Z", true),
      (true, "2026-11-23T23:00:00Z", "2026-11-22T22:59:59Z", true),
      (true, "2026-11-23T23:00:00Z", "2026-11-22T23:00:00Z", true),
      (true, "2026-11-24T00:00:00Z", "2026-11-22T12:00:00Z", true),
      // The 24th excludes the 24th: a day that ends with the one before, which programs write for one day.
      (true, "2026-11-23T23:00:00Z", "2026-11-23T23:00:00Z", false),
      (true, "2026-11-23T23:00:00Z", "2026-11-24T23:00:00Z", false),
      (true, "2026-11-23T12:00:00Z", "2026-11-23T08:00:00Z", false),
      (false, "2026-11-24T10:00:00Z", "2026-11-24T10:30:00", true),
      (false, "2026-11-24T10:00:00", "2026-11-24T08:59:59Z", true),
      (false, "2026-11-24T10:00:00", "2026-11-24T09:00:00Z", false),
      (false, "2026-11-24T10:00:00Z", "2026-11-23", true), (false, "2026-11-24T10:00:00Z", "2026-11-24", false),
    ])
  func earlyEnds(isOfDays: Bool, start: String, end: String, isEarly: Bool) throws {
    func point(_ path: String) -> String { #"[{"day":"@.\#(path)d"},{"at":"@.\#(path)","allDay":\#(isOfDays)}]"# }
    let key = end.contains("T") ? "e" : "ed"
    let item = #"{"s":"\#(start)","\#(key)":"\#(end)"}"#
    let rules = #"{"each":"$[*]","start":\#(point("s")),"end":\#(point("e"))}"#
    let kinds = #""kinds":{"sample":{"show":"all","items":{"title":"x"}}}"#
    let definition = try SampleSession.definition(#"{"version":1,"items":\#(rules),\#(kinds)}"#)
    let harness = try DefinedFeedHarness(definition)
    for (count, named) in [(1, "x/1.json"), (2, "x/2.json")] {
      let sample = SampleSession(definition, "[" + Array(repeating: item, count: count).joined(separator: ",") + "]")
      #expect(sample.warnings.isEmpty)
      try harness.put(try #require(sample.session), path: named)
    }
    #expect(
      harness.problems(at: try moment("2026-11-24T12:00:00Z")).map { "\($0.path ?? .root): \($0.message)" }
        == (isEarly
          ? [
            "x/1.json: the end of the item at place 0 is before its start: it is ignored",
            "x/2.json: the ends of 2 items are before their starts, the first that of the item at place 0: "
              + "they are ignored",
          ] : []))
  }

  @Test func aDroppedItemHidesOlderVersions() throws {
    let feed = try feed()
    try feed.put(
      session([item("old", id: "1"), item("b", id: "2")], updated: "2026-11-01T00:00:00Z"), path: "x/b.json")
    try feed.put(session([], updated: "2026-11-02T00:00:00Z", dropped: ["1"]), path: "x/a.json")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "b")
    // A newer version that is not dropped counts again.
    try feed.put(session([item("newest", id: "1")], updated: "2026-11-03T00:00:00Z"), path: "x/0.json")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "newest b")
  }

  @Test func inOneFileTheLaterItemWinsAndItemsWithoutIDAllCount() throws {
    let feed = try feed()
    try feed.put(session([item("a", id: "1"), item("x", id: nil), item("b", id: "1"), item("x", id: nil)]))
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "x b x")
    // "é" as one scalar and as two are different ids.
    try feed.put(session([item("a", id: "\u{E9}"), item("b", id: "e\u{301}")]))
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "a b")
  }

  @Test("Items are stored once: those that count in the list, and the others only where a zone changes them")
  func itemsAreKeptOnce() throws {
    let feed = try feed()
    try feed.put(session([item("a", id: "1")]), path: "x/a.json")
    let before = feed.items.counting
    // The list is built again.
    try feed.put(session([item("b", id: "2")]), path: "x/b.json")
    try #require(feed.items.counting.count == 2)
    #expect(feed.items.counting[0] === before[0])
    #expect(feed.items.files.values.allSatisfy { $0.session.items.isEmpty })
    var open = try session([item("c", id: "3")])
    open.isOpen = true
    try feed.put(open, path: "x/c.json")
    #expect(feed.items.files[CachePath("x/c.json")]?.session.items.count == 1)
  }

  @Test func newestTakesOneFile() throws {
    let feed = try feed(.newest)
    try feed.put(session([item("a", id: "1")], updated: "2026-11-02T00:00:00Z"), path: "x/a.json")
    try feed.put(session([item("b", id: "2")]), path: "x/b.json", modified: "2026-11-01T00:00:00Z")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "a")
    #expect(feed.items.paths == [CachePath("x/a.json")])
    feed.items.mark(CachePath("x/b.json"), unusable: true)
    #expect(!feed.items.showsUnusable)
    feed.items.mark(CachePath("x/a.json"), unusable: true)
    #expect(feed.items.showsUnusable)
    // A file without a date of its own has the date of its last change.
    try feed.put(session([item("c", id: "2")]), path: "x/b.json", modified: "2026-11-03T00:00:00Z")
    #expect(try feed.titles(at: "2026-11-22T00:00:00Z") == "c")
    #expect(feed.items.newestDate == (try moment("2026-11-03T00:00:00Z")))
  }

  @Test func withoutDatesNothingGoesStale() throws {
    let feed = try feed(dated: false)
    try feed.put(session([item("a", id: "1")]))
    #expect(feed.items.newestDate == nil)
    #expect(feed.items.paths == [CachePath("x/1.json")])
  }

  struct Times: Sendable, CustomTestStringConvertible {
    let start: String
    let end: DefinedItem.End
    let times: String

    init(_ start: String, _ end: DefinedItem.End, _ times: String) {
      self.start = start
      self.end = end
      self.times = times
    }

    var testDescription: String { "\(start) \(end)" }
  }

  static func time(_ text: String) throws -> DefinedItem.End { .time(try DefinedItem.Time(text)) }

  /// In Berlin, whose clocks go forward on 29 March at 02:00 and back on 25 October 2026 at 03:00.
  static func times() throws -> [Times] {
    [
      Times("2026-11-22", .unstated, "2026-11-21T23:00:00Z 2026-11-22T23:00:00Z"),
      Times("2026-11-22T08:00", .unstated, "2026-11-22T07:00:00Z 2026-11-22T07:00:00Z"),
      Times("2026-03-29", .unstated, "2026-03-28T23:00:00Z 2026-03-29T22:00:00Z"),
      Times("2026-11-22T08:00", try time("2026-11-22"), "2026-11-22T07:00:00Z 2026-11-22T23:00:00Z"),
      Times("2026-11-22T08:00", try time("2026-11-22T09:00:00.5Z"), "2026-11-22T07:00:00Z 2026-11-22T09:00:00Z"),
      Times("2026-11-22T08:00:00.9Z", .unstated, "2026-11-22T08:00:00Z 2026-11-22T08:00:00Z"),
      // An end before its start. The reader rejects it if it can; here the item has no length.
      Times("2026-11-22T08:00", try time("2026-11-21"), "2026-11-22T07:00:00Z 2026-11-22T07:00:00Z"),
      // A skipped time is the first moment after it, a repeated one the first of the two.
      Times("2026-03-29T02:30", .unstated, "2026-03-29T01:00:00Z 2026-03-29T01:00:00Z"),
      Times("2026-10-25T02:30", .unstated, "2026-10-25T00:30:00Z 2026-10-25T00:30:00Z"),
      // Days on the wall clock, then exact time.
      Times("2026-03-28T12:00", .lasts(days: 1, seconds: 0), "2026-03-28T11:00:00Z 2026-03-29T10:00:00Z"),
      Times("2026-03-28T12:00", .lasts(days: 0, seconds: 86_400), "2026-03-28T11:00:00Z 2026-03-29T11:00:00Z"),
      Times("2026-03-28T02:30", .lasts(days: 1, seconds: 3_600), "2026-03-28T01:30:00Z 2026-03-29T02:00:00Z"),
      Times("2026-10-24", .lasts(days: 2, seconds: 0), "2026-10-23T22:00:00Z 2026-10-25T23:00:00Z"),
      Times("2026-10-25T02:30", .lasts(days: 0, seconds: 3_600), "2026-10-25T00:30:00Z 2026-10-25T01:30:00Z"),
      Times("2026-11-22", .lasts(days: .max, seconds: .max), "2026-11-21T23:00:00Z 9999-12-31T23:59:59Z"),
      Times("0001-01-01", .lasts(days: 0, seconds: .max), "0001-01-01T00:00:00Z 9999-12-31T23:59:59Z"),
      // A single one has no length.
      Times("2026-11-22T08:00", .next, "2026-11-22T07:00:00Z 2026-11-22T07:00:00Z"),
    ]
  }

  @Test func timesAreMoments() throws {
    for times in try Self.times() {
      let feed = try feed()
      try feed.put([DefinedItem("a", start: times.start) { $0.end = times.end }])
      let item = try feed.content(at: "2026-11-22T00:00:00Z")["items"]?[0]
      #expect("\(item?["start"]?.string ?? "null") \(item?["end"]?.string ?? "null")" == times.times, "\(times)")
    }
  }

  @Test func nextIsTheEarliestLaterStartInExactTime() throws {
    let feed = try feed()
    try feed.put(
      ["2026-10-25T02:00", "2026-10-25T00:00", "2026-10-25T03:00", "2026-10-25T02:00"].map {
        try DefinedItem("a", start: $0) {
          $0.id = nil; $0.end = .next
        }
      })
    let items = try #require(try feed.content(at: "2026-11-22T00:00:00Z")["items"]?.array)
    #expect(
      items.map { ($0["start"]?.string ?? "") + " " + ($0["end"]?.string ?? "") } == [
        "2026-10-24T22:00:00Z 2026-10-25T00:00:00Z",
        // Two hours, because the clock goes back at 03:00.
        "2026-10-25T00:00:00Z 2026-10-25T02:00:00Z", "2026-10-25T00:00:00Z 2026-10-25T02:00:00Z",
        "2026-10-25T02:00:00Z 2026-10-25T04:00:00Z",
      ])
  }

  @Test func timesInAFilesZoneStayWhenTheCachesZoneChanges() throws {
    let feed = try feed()
    try feed.put([DefinedItem("cache", start: "2026-11-22T08:00")], path: "x/a.json")
    var session = try session([DefinedItem("file", start: "2026-11-22T08:00")])
    session.zone = try TimeZoneDatabase().rules(named: "Asia/Tokyo")
    try feed.put(session, path: "x/b.json")
    func starts() throws -> [String?] {
      try feed.content(at: "2026-11-22T00:00:00Z")["items"]?.array?.map { $0["start"]?.string } ?? []
    }
    #expect(try starts() == ["2026-11-21T23:00:00Z", "2026-11-22T07:00:00Z"])
    feed.items.rebuild(in: CivilCalendar(.utc))
    #expect(try starts() == ["2026-11-21T23:00:00Z", "2026-11-22T08:00:00Z"])
  }
}

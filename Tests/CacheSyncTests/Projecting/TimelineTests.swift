import CacheSync
import CacheSyncSystem
import Synchronization
import Testing

/// Counts how often a kind was asked for its content.
final class EvaluationCount: Sendable {
  let value = Mutex(0)
}

/// The engine, with a kind whose content is the hour of the day it is asked for.
@Suite("Timelines")
struct TimelineTests {
  let harness: FeedHarness

  init() throws { harness = try FeedHarness() }

  func kind(
    reach: Kind.Reach, hours: [Int] = [], maximum: Int? = nil, staleHasEntry: Bool = true, newest: String? = nil,
    boundaries: [String] = [], content: @escaping @Sendable (Moment) -> Int
  ) throws -> Kind {
    let newest = try newest.map { try harness.instant($0) }
    let extra = try boundaries.map { Boundary(try harness.instant($0), .words("test")) }
    return Kind(
      "test", widgetKind: "Test", families: [], link: "x://y", feeds: [],
      reach: reach, hours: hours,
      maximumEntries: maximum, staleHasEntry: staleHasEntry,
      boundaries: { _, _, range in extra.filter { range.contains($0.date) } },
      project: { _, moment, projection in
        projection.json.integer(content(moment))
        projection.shows(newest)
      })
  }

  func timeline(_ kind: Kind, at moment: String, staleAfter: Duration? = nil) throws -> Timeline {
    TimelineProjector(feeds: harness.feeds, moment: try harness.moment(moment), staleAfter: StaleAges(staleAfter))
      .timeline(
        of: kind)
  }

  func dates(_ timeline: Timeline) -> [String] { timeline.entries.map(\.date.description) }

  @Test("Without boundaries, there is one entry and no policy date")
  func noBoundaries() throws {
    let timeline = try timeline(kind(reach: .noBoundaries) { _ in 1 }, at: "2026-11-21T12:00:00Z")
    #expect(dates(timeline) == ["2001-01-01T00:00:00Z"])
    #expect(timeline.reloadAfter == nil && timeline.nextChange == nil)
  }

  @Test("Every midnight in reach has an entry even if nothing changes, and the timeline ends at the next one")
  func midnights() throws {
    let timeline = try timeline(kind(reach: .midnight) { _ in 1 }, at: "2026-11-21T12:00:00Z")
    #expect(dates(timeline) == ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"])
    #expect(timeline.reloadAfter?.description == "2026-11-23T00:00:00Z")
    #expect(timeline.nextChange?.description == "2026-11-22T00:00:00Z")
  }

  @Test(
    "A timeline that would need too much work ends at the next boundary and continues there",
    arguments: ["2026-11-21T00:00:00Z", "2026-11-21T00:30:00Z", "2026-11-21T12:00:00Z", "2026-11-22T00:00:00Z"])
  func work(moment: String) throws {
    // A boundary each minute, at which nothing changes.
    let count = EvaluationCount()
    let midnight = try harness.instant("2026-11-21T00:00:00Z")
    let boundaries = (1..<2_880).map { Boundary(midnight + .seconds(60 * $0), .words("test")) }
    let kind = Kind(
      "test", widgetKind: "Test", families: [], link: "x://y", feeds: [], reach: .midnight, maximumWork: 100,
      boundaries: { _, _, range in boundaries.filter { range.contains($0.date) } },
      project: { _, moment, projection in
        count.value.withLock { $0 += 1 }
        projection.work += 2
        projection.json.integer(moment.day == LocalDay("2026-11-21") ? 1 : 2)
      })
    let now = try harness.instant(moment)
    let timeline = try timeline(kind, at: moment)
    // Once more for the current entry.
    #expect(count.value.withLock { $0 } <= 52)
    let first = timeline.entries[0]
    #expect(first.date <= now && first.content == Array((moment.contains("-22T") ? "2" : "1").utf8))
    let next = try #require(timeline.nextChange)
    #expect(next > now && next == timeline.reloadAfter && now + .seconds(3_600) >= next)
    #expect(next == timeline.firstLeftOut)
    // Each evaluation counts as 2, so the work of sixty timelines is enough for the boundaries of two days.
    let all = TimelineProjector(feeds: harness.feeds, moment: try harness.moment(moment))
      .timeline(of: kind, search: .init(days: 2, timelines: 60))
    #expect(all.entries.last?.content == [UInt8(ascii: "2")] && all.firstLeftOut == nil)
  }

  @Test("If only some changes are wanted, no more are evaluated")
  func seconds() throws {
    // Two changes in each second of the day's first two hours.
    let count = EvaluationCount()
    let midnight = try harness.instant("2026-11-21T00:00:00Z")
    let boundaries = (1..<14_400).map { Boundary(midnight + .milliseconds(500 * $0), .words("test")) }
    let kind = Kind(
      "test", widgetKind: "Test", families: [], link: "x://y", feeds: [], reach: .midnight,
      boundaries: { _, _, range in boundaries.filter { range.contains($0.date) } },
      project: { _, moment, projection in
        count.value.withLock { $0 += 1 }
        projection.json.integer(Int(moment.instant.microseconds / 500_000))
      })
    let moment = try harness.moment("2026-11-21T00:00:10Z")
    let projector = TimelineProjector(feeds: harness.feeds, moment: moment)
    let some = projector.timeline(of: kind, search: .init(days: 2, seconds: 5)).changes.map(\.date)
    // The day's start, the twenty boundaries up to the moment, those that are wanted, and once more for the current
    // entry.
    let evaluations = count.value.withLock { $0 }
    #expect(evaluations == 30)
    let all = projector.timeline(of: kind, search: .init(days: 2)).changes.map(\.date)
    // By hand: the second half of the moment's second, both halves of three more, and one of the fifth. Twenty of all
    // boundaries are not after the moment, and the next midnight is one more.
    #expect(some == Array(all.prefix(8)))
    #expect(all.count == 14_380)
  }

  @Test(
    "A timeline begins with the latest boundary that changed something",
    arguments: [
      ("2026-11-21T05:59:59Z", "2026-11-21T00:00:00Z"),  // before the first hour
      ("2026-11-21T06:00:00Z", "2026-11-21T06:00:00Z"),  // an hour's own entry, at its exact moment
      ("2026-11-21T08:30:00Z", "2026-11-21T08:15:00Z"),  // content changed there
      ("2026-11-21T09:30:00Z", "2026-11-21T08:15:00Z"),  // 09:15 is not a boundary: content stayed equal
    ])
  func first(moment: String, expected: String) throws {
    let quarterPastEight = try harness.instant("2026-11-21T08:15:00Z")
    let kind = try kind(
      reach: .midnight, hours: [6], boundaries: ["2026-11-21T08:15:00Z", "2026-11-21T09:15:00Z"]
    ) { $0.instant < quarterPastEight ? 1 : 2 }
    #expect(try timeline(kind, at: moment).entries[0].date.description == expected)
  }

  @Test("A stale entry keeps its date even if a moment without changes follows")
  func staleBefore() throws {
    // Stale at 08:00. At 09:00 neither content nor state changes.
    let kind = try kind(reach: .midnight, newest: "2026-11-21T04:00:00Z", boundaries: ["2026-11-21T09:00:00Z"]) { _ in 1
    }
    for moment in ["2026-11-21T08:00:00Z", "2026-11-21T08:30:00Z", "2026-11-21T09:00:00Z", "2026-11-21T10:00:00Z"] {
      let timeline = try timeline(kind, at: moment, staleAfter: .seconds(4 * 3600))
      #expect(timeline.entries[0].date.description == "2026-11-21T08:00:00Z", "at \(moment)")
      #expect(timeline.entries[0].state == .stale)
    }
  }

  /// Everything became stale on the 20th at 22:00. At 05:00 of every day there is a boundary without a change.
  @Test(
    "The entry is that of today even if the state became stale before midnight, an hour or a change",
    arguments: [
      // (moment, [hours with their own entries], date, content)
      ("2026-11-20T23:00:00Z", [], "2026-11-20T22:00:00Z", 20),
      ("2026-11-21T00:00:00Z", [], "2026-11-21T00:00:00Z", 21),
      ("2026-11-22T12:00:00Z", [], "2026-11-22T00:00:00Z", 22),
      ("2026-11-22T12:00:00Z", [6, 11], "2026-11-22T11:00:00Z", 22),
      ("2026-11-22T15:00:00Z", [6, 11], "2026-11-22T14:00:00Z", 122),
    ])
  func staleBeforeToday(moment: String, hours: [Int], date: String, content: Int) throws {
    let change = try harness.instant("2026-11-22T14:00:00Z")
    let nothing = ["2026-11-20T05:00:00Z", "2026-11-21T05:00:00Z", "2026-11-22T05:00:00Z"]
    let kind = try kind(
      reach: .sevenDays, hours: hours, newest: "2026-11-20T10:00:00Z", boundaries: nothing + ["2026-11-22T14:00:00Z"]
    ) { $0.day.day + ($0.instant < change ? 0 : 100) }
    let entry = try timeline(kind, at: moment, staleAfter: .seconds(12 * 3600)).entries[0]
    #expect(entry.date.description == date && entry.state == .stale)
    #expect(entry.content == Array("\(content)".utf8))
  }

  @Test("A file that is no longer shown is not a source")
  func pastSources() throws {
    let nine = try harness.instant("2026-11-21T09:00:00Z")
    let kind = Kind(
      "test", widgetKind: "Test", families: [], link: "x://y", feeds: [],
      reach: .midnight,
      boundaries: { _, _, _ in [Boundary(nine, .words("test"))] },
      project: { _, moment, projection in
        projection.json.bool(moment.instant < nine)
        if moment.instant < nine { projection.sources.insert(CachePath("tasks/old.json")) }
      })
    #expect(try timeline(kind, at: "2026-11-21T08:59:59Z").sources.named == [CachePath("tasks/old.json")])
    #expect(try timeline(kind, at: "2026-11-21T09:00:00Z").sources.count == 0)
  }

  @Test(
    "There is an entry at the ends of the calendar too",
    arguments: [
      ("9999-12-31T23:59:59Z", "UTC"), ("9999-12-31T12:00:00Z", "GMT-12:00"), ("0001-01-01T00:00:00Z", "GMT-12:00"),
      ("0001-01-01T00:00:00Z", "GMT+12:00"),
    ])
  func endsOfTime(moment: String, zone: String) throws {
    let calendar = CivilCalendar(try TimeZoneDatabase().rules(named: zone))
    let moment = Moment(try harness.instant(moment), calendar: calendar, firstWeekday: .monday)
    for reach in [Kind.Reach.midnight, .sevenDays] {
      let kind = try kind(reach: reach, hours: [6, 18]) { _ in 1 }
      let projector = TimelineProjector(feeds: harness.feeds, moment: moment, staleAfter: StaleAges(.seconds(60)))
      #expect(!projector.timeline(of: kind).entries.isEmpty)
    }
    #expect(!DayIndexProjector(feeds: harness.feeds, moment: moment).document().body.isEmpty)
  }

  @Test("Moments without changes are merged")
  func merging() throws {
    let kind = try kind(reach: .midnight, boundaries: ["2026-11-21T13:00:00Z", "2026-11-21T14:00:00Z"]) {
      $0.instant.description >= "2026-11-21T14:00:00Z" ? 2 : 1
    }
    let timeline = try timeline(kind, at: "2026-11-21T12:00:00Z")
    #expect(dates(timeline) == ["2026-11-21T00:00:00Z", "2026-11-21T14:00:00Z", "2026-11-22T00:00:00Z"])
  }

  @Test("The number of entries is limited, and the policy date is that of the first one left out")
  func capped() throws {
    let kind = try kind(reach: .days(7), maximum: 3) { Int($0.day.ordinal) }
    let timeline = try timeline(kind, at: "2026-11-21T12:00:00Z")
    #expect(timeline.entries.count == 3)
    #expect(timeline.reloadAfter?.description == "2026-11-24T00:00:00Z")
  }

  @Test("Becoming stale is a boundary, once")
  func stale() throws {
    let kind = try kind(reach: .midnight, hours: [6, 7], newest: "2026-11-20T15:00:00Z") { _ in 1 }
    let before = try timeline(kind, at: "2026-11-21T12:00:00Z", staleAfter: .seconds(24 * 3600))
    #expect(dates(before).prefix(3) == ["2026-11-21T07:00:00Z", "2026-11-21T15:00:00Z", "2026-11-22T00:00:00Z"])
    #expect(before.entries.map(\.state).prefix(3) == [.current, .stale, .stale])
    #expect(before.nextChange?.description == "2026-11-21T15:00:00Z")
    let after = try timeline(kind, at: "2026-11-21T16:00:00Z", staleAfter: .seconds(24 * 3600))
    #expect(after.entries[0].date.description == "2026-11-21T15:00:00Z")
    #expect(after.entries[0].state == .stale)
  }

  @Test("An hour that a day skips is the first instant after it, and a repeated one counts the first time")
  func clockChanges() throws {
    var harness = harness
    harness.calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "America/New_York"))
    let kind = try kind(reach: .midnight, hours: [1, 2, 3]) { _ in 1 }
    func dates(_ moment: String) throws -> [String] {
      TimelineProjector(feeds: harness.feeds, moment: try harness.moment(moment))
        .timeline(of: kind).entries.map(\.date.description)
    }
    // 2026-03-08: 02:00 is skipped and is the same as 03:00 EDT = 07:00Z; 01:00 EST = 06:00Z.
    #expect(
      try dates("2026-03-08T05:30:00Z").prefix(4)
        == ["2026-03-08T05:00:00Z", "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z", "2026-03-09T04:00:00Z"])
    // 2026-11-01: 01:00 occurs twice, first as EDT = 05:00Z; 02:00 EST = 07:00Z.
    #expect(
      try dates("2026-11-01T04:30:00Z").prefix(4)
        == ["2026-11-01T04:00:00Z", "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z", "2026-11-01T08:00:00Z"])
  }
}

import CacheSync
import Testing

@testable import CacheSyncPage

@Suite("A panel's waking hours")
struct WakingHoursTests {
  private static let berlin = SnapshotCalendar(timeZone: "Europe/Berlin")

  /// By hand. Berlin is at UTC+1 in winter and at UTC+2 in summer; clocks go forward on 2026-03-29 at 01:00 UTC (02:00 is
  /// 03:00) and back on 2026-10-25 at 01:00 UTC (03:00 is 02:00).
  @Test(
    "It sleeps until what it shows changes, while it is awake at most its pause, and otherwise at most until its hours",
    arguments: [
      // All day.
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", nil, 900),
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", "2026-11-21T10:05:00+01:00", 302),
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", "2026-11-21T12:00:00+01:00", 900),
      // A fraction of a second counts as a whole one.
      (nil, "PT15M", "2026-11-21T10:00:00.5+01:00", "2026-11-21T10:05:00+01:00", 302),
      (nil, "PT15M", "2026-11-21T10:00:00.2+01:00", "2026-11-21T10:04:59.3+01:00", 302),
      // At least a minute.
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", "2026-11-21T10:00:30+01:00", 60),
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", "2026-11-21T10:00:58+01:00", 60),
      (nil, "PT15M", "2026-11-21T10:00:00+01:00", "2026-11-21T10:00:59+01:00", 61),
      // Awake at both ends of its hours but not at the end itself.
      ("06:30-23:00", "PT15M", "2026-11-21T06:30:00+01:00", nil, 900),
      ("06:30-23:00", "PT15M", "2026-11-21T22:59:59+01:00", nil, 900),
      ("06:30-23:00", "PT15M", "2026-11-21T23:00:00+01:00", nil, 27_000),
      ("06:30-23:00", "PT15M", "2026-11-21T06:29:00+01:00", nil, 60),
      // Asleep: midnight, then the begin of the hours, which need no margin.
      ("06:30-23:00", "PT15M", "2026-11-21T23:00:00+01:00", "2026-11-22T00:00:00+01:00", 3_602),
      ("06:30-23:00", "PT15M", "2026-11-22T00:00:02+01:00", "2026-11-22T09:00:00+01:00", 23_398),
      ("06:30-23:00", "PT15M", "2026-11-22T00:00:02+01:00", "2026-11-22T06:30:00+01:00", 23_398),
      // Hours that pass midnight: awake at 01:00, asleep from 02:00 to 20:00.
      ("20:00-02:00", "PT30M", "2026-11-22T01:00:00+01:00", nil, 1_800),
      ("20:00-02:00", "PT30M", "2026-11-22T02:00:00+01:00", nil, 64_800),
      ("20:00-02:00", "PT30M", "2026-11-22T19:00:00+01:00", "2026-11-22T19:30:00+01:00", 1_802),
      // Up to midnight.
      ("18:00-24:00", "PT1H", "2026-11-21T23:59:00+01:00", nil, 3_600),
      ("18:00-24:00", "PT1H", "2026-11-22T00:00:00+01:00", nil, 64_800),
      // The night with 23 hours has six and a half from 23:00 to 06:30, that with 25 hours eight and a half.
      ("06:30-23:00", "PT15M", "2026-03-28T23:00:00+01:00", nil, 23_400),
      ("06:30-23:00", "PT15M", "2026-10-24T23:00:00+02:00", nil, 30_600),
      // Begin at a time that clocks skip: 02:30 is 03:00 summer time, three hours after 23:00. One that they repeat: its first
      // time, three and a half hours after 23:00; at its second time the hours have begun.
      ("02:30-23:00", "PT15M", "2026-03-28T23:00:00+01:00", nil, 10_800),
      ("02:30-23:00", "PT15M", "2026-10-24T23:00:00+02:00", nil, 12_600),
      ("02:30-23:00", "PT15M", "2026-10-25T02:30:00+01:00", nil, 900),
    ] as [(String?, String, String, String?, Int)])
  func seconds(awake: String?, every: String, now: String, change: String?, expected: Int) throws {
    let hours = WakingHours(
      awake: try awake.map { try #require(WakingHours.Window($0)) }, every: try #require(ISODuration(every)).duration)
    let change = try change.map { try #require(Instant($0)) }
    #expect(hours.seconds(at: try #require(Instant(now)), until: change, in: Self.berlin) == expected)
  }

  @Test("A window is two different times of a day")
  func windows() {
    #expect(WakingHours.Window("06:30-23:00")?.begin == 390)
    #expect(WakingHours.Window("20:00-02:00")?.end == 120)
    #expect(WakingHours.Window("00:00-24:00")?.end == 1_440)
    for wrong in [
      "", "06:30", "6:30-23:00", "06:30-06:30", "24:00-06:00", "06:60-07:00", "06:30-24:01", "a6:30-23:00",
      "+6:30-23:00",
    ] {
      #expect(WakingHours.Window(wrong) == nil, "\(wrong)")
    }
  }

  @Test("Only another content or state is a change")
  func changes() throws {
    func entry(_ date: String, _ state: String, _ text: String) -> String {
      #"{"date":"\#(date)","state":"\#(state)","content":{"text":"\#(text)"}}"#
    }
    let entries = [
      entry("2026-11-21T00:00:00Z", "current", "a"), entry("2026-11-21T08:00:00Z", "current", "a"),
      entry("2026-11-21T09:00:00Z", "stale", "a"), entry("2026-11-21T10:00:00Z", "stale", "a"),
      entry("2026-11-21T11:00:00Z", "stale", "b"),
    ]
    let snapshot = try Snapshot(
      bytes: Array(
        #"""
        {"kind":"x","widgetKind":"x","deepLink":"","generation":1,"publishedAt":"2026-11-21T00:00:00Z","timeZone":"UTC",
        "entries":[\#(entries.joined(separator: ","))]}
        """#.utf8))
    for (moment, change) in [
      ("2026-11-21T00:00:00Z", "2026-11-21T09:00:00Z"), ("2026-11-21T08:30:00Z", "2026-11-21T09:00:00Z"),
      ("2026-11-21T09:00:00Z", "2026-11-21T11:00:00Z"), ("2026-11-21T11:00:00Z", nil),
    ] {
      #expect(snapshot.nextChange(after: try #require(Instant(moment))) == change.flatMap { Instant($0) }, "\(moment)")
    }
  }
}

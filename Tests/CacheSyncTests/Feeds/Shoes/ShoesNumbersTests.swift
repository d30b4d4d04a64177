import CacheSync
import Testing

@Suite("A day's steps, kilometres and time in shoes")
struct ShoesNumbersTests {
  /// A session of November 2026: `worn("21T09:00", "21T09:30")`.
  static func worn(_ start: String, _ end: String?, _ steps: Int = 0, _ distance: Double = 0, id: Int = 1) -> String {
    ShoesTests.session(
      "\(id)", "a", "2026-11-\(start):00Z", end.map { "2026-11-\($0):00Z" }, steps: steps, distance: distance)
  }

  @Test(
    "A day's steps, kilometres and time are counted",
    arguments: [
      // (zone, sessions, steps, kilometres, seconds); the day is 2026-11-21 unless the moment says otherwise
      ("UTC", [worn("21T09:00", "21T09:30", 3000, 2.1)], 3000, 2.1, 1800),
      // shared by time: 1 of 3 hours before midnight; 2/3 of 100 is 66.67, of 1 km 0.667
      ("UTC", [worn("20T23:00", "21T02:00", 100, 1)], 67, 0.667, 7200),
      ("UTC", [worn("21T22:00", "22T01:00", 100, 1)], 67, 0.667, 7200),
      // half up: 50.5 and 0.0005
      ("UTC", [worn("20T23:00", "21T01:00", 101, 0.001)], 51, 0.001, 3600),
      // after summing: 0.5 + 0.5 is 1, not 2
      ("UTC", (1...2).map { worn("20T23:00", "21T01:00", 1, id: $0) }, 1, 0, 3600),
      ("UTC", (1...10).map { worn("21T01:00", "21T01:00", 0, 0.1, id: $0) }, 0, 1, 0),
      ("UTC", [worn("21T01:00", "21T02:00", 0, 1.0005)], 0, 1.001, 3600),
      // a session without length, and an open one, belong to the day of their start
      ("UTC", [worn("21T00:00", "21T00:00", 5, 1)], 5, 1, 0),
      ("UTC", [ShoesTests.session("1", "a", "2026-11-21T23:59:59Z", nil, steps: 5, distance: 1)], 5, 1, 0),
      // an open session lasts until its file's date, here 08:00: 8 of 10 hours
      ("UTC", [ShoesTests.session("1", "a", "2026-11-20T22:00:00Z", nil, steps: 10, distance: 5)], 8, 4, 0),
      // a session that ends at midnight adds nothing to the next day
      ("UTC", [worn("20T23:00", "21T00:00", 5, 1)], 0, 0, 0),
      // overlapping sessions count once in time, but each in steps: 09:00-10:00, 09:30-10:30, 09:45-10:15, 11:00-11:30
      (
        "UTC",
        [
          worn("21T09:00", "21T10:00", 1),
          worn("21T09:30", "21T10:30", 1, id: 2),
          worn("21T09:45", "21T10:15", 1, id: 3),
          worn("21T11:00", "21T11:30", 1, id: 4),
        ], 4, 0, 7200
      ),
      // longer than a week, and than the sessions that the index enters in every day: 20 days, 1/20 of each
      (
        "UTC",
        [ShoesTests.session("1", "a", "2026-11-11T00:00:00Z", "2026-12-01T00:00:00Z", steps: 2000, distance: 20)], 100,
        1,
        86400
      ),
      // a third and a sixth are not rounded before they add up: 3 × 1/3 and 3 × 1/6
      ("UTC", (1...3).map { worn("20T22:00", "21T01:00", 1, id: $0) }, 1, 0, 3600),
      ("UTC", (1...3).map { worn("20T19:00", "21T01:00", 1, id: $0) }, 1, 0, 3600),
      // a number just below a half is rounded down: 5.4999999387 m, 0.4999994 m, and a day of 400 days and 1 s, which
      // has 200 × 86,400 / 34,560,001 = 0.49999998... steps
      ("UTC", [worn("21T01:00", "21T02:00", 0, 0.0054999999387)], 0, 0.005, 3600),
      ("UTC", [worn("21T01:00", "21T02:00", 0, 0.0004999994)], 0, 0, 3600),
      (
        "UTC", [ShoesTests.session("1", "a", "2026-01-01T00:00:00Z", "2027-02-05T00:00:01Z", steps: 200, distance: 0)],
        0, 0, 86400
      ),
      // exact even where a double is not: 1/2 of 1,000,000,000,000,001
      ("UTC", [worn("20T23:00", "21T01:00", 1_000_000_000_000_001)], 500_000_000_000_001, 0, 3600),
      // nothing overflows
      (
        "UTC", [ShoesTests.session("1", "a", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", steps: 0, distance: 0)], 0,
        0, 86400
      ),
      ("UTC", (1...3).map { worn("21T00:00", nil, .max, id: $0) }, .max, 0, 0),
      // New York is UTC-5: the day is 05:00 to 05:00; 3 of 4 hours
      ("America/New_York", [worn("22T02:00", "22T06:00", 400, 4)], 300, 3, 10800),
    ] as [(String, [String], Int, Double, Int)])
  func numbers(zone: String, sessions: [String], steps: Int, kilometres: Double, seconds: Int) throws {
    let harness = try FeedHarness(zone: zone)
    try harness.put("shoes/a.json", ShoesTests.file(sessions: sessions))
    let stats = try harness.content("daily-stats", at: ShoesTests.noon)
    #expect(stats["steps"]?.int == steps)
    #expect(stats["distance"]?.double == kilometres)
    #expect(stats["activeSeconds"]?.int == seconds)
    let today = try harness.content("quick-selection", at: ShoesTests.noon)["today"]
    #expect(today?["steps"]?.int == steps && today?["distance"]?.double == kilometres)
    try harness.expectConsistent("daily-stats", at: ShoesTests.noon)
    harness.remove("shoes/a.json")
    try harness.put("shoes/b.json", ShoesTests.file())
    #expect(try harness.content("daily-stats", at: ShoesTests.noon)["steps"]?.int == 0)
  }

  @Test(
    "Days of 23, 24.5 and 25 hours have the right length",
    arguments: [
      // (zone, moment, its day's first instant, the next day's, seconds): a session that begins an hour before and ends
      // an hour after the day, with a step a minute
      ("America/New_York", "2026-03-08T12:00:00Z", "2026-03-08T04:00:00Z", "2026-03-09T05:00:00Z", 23 * 3600),
      ("America/New_York", "2026-11-01T12:00:00Z", "2026-11-01T03:00:00Z", "2026-11-02T06:00:00Z", 25 * 3600),
      ("Australia/Lord_Howe", "2026-04-05T02:00:00Z", "2026-04-04T12:00:00Z", "2026-04-05T14:30:00Z", 49 * 1800),
      ("Australia/Lord_Howe", "2026-10-04T02:00:00Z", "2026-10-03T12:30:00Z", "2026-10-04T14:00:00Z", 47 * 1800),
    ])
  func lengths(zone: String, moment: String, before: String, after: String, seconds: Int) throws {
    let harness = try FeedHarness(zone: zone)
    let session = ShoesTests.session(
      "1", "a", before, after, steps: seconds / 60 + 120, distance: Double(seconds + 7200) / 1e3)
    try harness.put("shoes/a.json", ShoesTests.file(sessions: [session]))
    let stats = try harness.content("daily-stats", at: moment)
    #expect(stats["activeSeconds"]?.int == seconds)
    #expect(stats["steps"]?.int == seconds / 60)
    #expect(stats["distance"]?.double == Double(seconds) / 1e3)
    for kind in ShoesFeed.kinds { try harness.expectConsistent(kind.name, at: moment) }
  }

  @Test("A session counts on every day that it overlaps")
  func dayIndex() throws {
    let harness = try FeedHarness()
    try harness.put(
      "shoes/a.json",
      ShoesTests.file(sessions: [
        ShoesTests.session("1", "a", "2026-11-19T23:00:00Z", "2026-11-21T00:00:00Z"),
        ShoesTests.session("2", "nobody", "2026-11-20T08:00:00Z", nil),
        ShoesTests.session("3", "a", "2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
        ShoesTests.session("4", "a", "2026-11-01T08:00:00Z", "2026-11-18T00:00:00.001Z"),
      ]))
    let counts = try (15...28).map { try harness.day("shoes", "2026-11-\($0)", now: ShoesTests.noon)?["sessions"]?.int }
    #expect(counts == [1, 1, 1, 1, 1, 3, 1] + Array(repeating: nil, count: 7))
  }
}

import Testing

import CacheSync

/// Changes worked out by hand from the calendars of 2024 and 2026.
@Suite struct PosixZoneTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// Moments, and the seconds east that apply from each on. The first moment of each pair is one second before a
    /// change.
    let changes: [(moment: String, before: Int, after: Int)]
    var testDescription: String { text }
  }

  static let cases = [
    Case(
      text: "EST5EDT,M3.2.0,M11.1.0",
      changes: [("2026-03-08T07:00:00Z", -18_000, -14_400), ("2026-11-01T06:00:00Z", -14_400, -18_000)]),
    // Dublin: the winter is the "daylight" time, and is behind.
    Case(
      text: "IST-1GMT0,M10.5.0,M3.5.0/1",
      changes: [("2026-10-25T01:00:00Z", 3_600, 0), ("2026-03-29T01:00:00Z", 0, 3_600)]),
    // Nuuk: 23:00 of the Saturday before.
    Case(
      text: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
      changes: [("2026-03-29T01:00:00Z", -7_200, -3_600), ("2026-10-25T01:00:00Z", -3_600, -7_200)]),
    // Jerusalem: 02:00 of the Friday after the fourth Thursday.
    Case(
      text: "IST-2IDT,M3.4.4/26,M10.5.0",
      changes: [("2026-03-27T00:00:00Z", 7_200, 10_800), ("2026-10-24T23:00:00Z", 10_800, 7_200)]),
    // The south: daylight time runs over the new year.
    Case(
      text: "AEST-10AEDT,M10.1.0,M4.1.0/3",
      changes: [("2026-04-04T16:00:00Z", 39_600, 36_000), ("2026-10-03T16:00:00Z", 36_000, 39_600)]),
    // Jn never counts 29 February, but n does.
    Case(
      text: "AAA0BBB,J60/0,J300/0",
      changes: [
        ("2024-03-01T00:00:00Z", 0, 3_600), ("2026-03-01T00:00:00Z", 0, 3_600), ("2026-10-26T23:00:00Z", 3_600, 0),
        ("2024-10-26T23:00:00Z", 3_600, 0),
      ]),
    Case(
      text: "AAA0BBB,59/0,299/0",
      changes: [
        ("2024-02-29T00:00:00Z", 0, 3_600), ("2026-03-01T00:00:00Z", 0, 3_600), ("2026-10-26T23:00:00Z", 3_600, 0),
        ("2024-10-25T23:00:00Z", 3_600, 0),
      ]),
    // The greatest distance of a time from its day.
    Case(
      text: "AAA0BBB,M3.1.0/167,M10.1.0/-167:00:00",
      changes: [("2026-03-07T23:00:00Z", 0, 3_600), ("2026-09-27T00:00:00Z", 3_600, 0)]),
    // Seconds, and an explicit offset for daylight time.
    Case(
      text: "AAA-1:02:03BBB-3:04:05,M3.1.0/0:00:01,M10.1.0/0",
      changes: [("2026-02-28T22:57:58Z", 3_723, 11_045), ("2026-10-03T20:55:55Z", 11_045, 3_723)]),
  ]

  @Test("Offsets change when the string says", arguments: cases)
  func changes(_ expected: Case) throws {
    let rules = try #require(TimeZoneRules(posix: expected.text, name: "x"))
    for change in expected.changes {
      let moment = try #require(Instant(change.moment))
      #expect(rules.offset(at: moment + .microseconds(-1)) == change.before, "before \(change.moment)")
      #expect(rules.offset(at: moment) == change.after, "from \(change.moment)")
      #expect(rules.nextTransition(after: moment + .microseconds(-1)) == moment)
      // The calendar repeats after 400 years.
      for cycles in [-4, -1, 1, 7, 18] {
        let other = moment + .seconds(cycles * 146_097 * 86_400)
        #expect(rules.offset(at: other + .seconds(-1)) == change.before)
        #expect(rules.offset(at: other) == change.after)
        #expect(rules.nextTransition(after: other + .seconds(-1)) == other)
      }
    }
  }

  @Test(
    "A string without changes is one offset for all time",
    arguments: [
      ("UTC0", 0), ("<+0545>-5:45", 20_700), ("<-03>3", -10_800), ("AAA24:59:59", -89_999), ("ABC-0:00:01", 1),
      // Daylight time all year, as RFC 8536, 3.3.1, writes it, and with ends that overlap.
      ("EST5EDT,0/0,J365/25", -14_400), ("XXX3EDT4,0/0,J365/23", -14_400), ("EST5EDT,0/0,J365/30", -14_400),
      ("AAA1BBB1,M3.2.0,M11.1.0", -3_600),
    ])
  func constant(text: String, offset: Int) throws {
    let rules = try #require(TimeZoneRules(posix: text, name: "x"))
    for year in [1, 1900, 1999, 2000, 2001, 2026, 2400, 2410, 9999] {
      for month in 1...12 {
        let day = try #require(LocalDay(year: year, month: month, day: 1))
        #expect(rules.offset(at: Instant(seconds: Int64(day.ordinal) * 86_400)) == offset, "\(day)")
      }
    }
    #expect(rules.nextTransition(after: .referenceDate) == nil)
  }

  @Test(
    "Anything malformed is refused",
    arguments: [
      "", "A", "AB3", "ABC", "3", "<ABC3", "<AB>3", "ABC>3", "AB1C3", "ABC25", "ABC3:60", "ABC3:00:60", "ABC3:", "ABC+",
      "ABC--3", "ABC3 ", " ABC3", "ABC3,", "ABC3,M3.2.0,M11.1.0", "ABC3DEF,", "ABC3DEF,M3.2.0", "ABC3DEF,M3.2.0,",
      "ABC3DEF,M3.2.0,M11.1.0,", "ABC3DEF,M0.2.0,M11.1.0", "ABC3DEF,M13.2.0,M11.1.0", "ABC3DEF,M3.0.0,M11.1.0",
      "ABC3DEF,M3.6.0,M11.1.0", "ABC3DEF,M3.2.7,M11.1.0", "ABC3DEF,M3.2,M11.1.0", "ABC3DEF,J0,J300", "ABC3DEF,J366,J1",
      "ABC3DEF,366,1", "ABC3DEF,M3.2.0/168,M11.1.0", "ABC3DEF,M3.2.0/-168,M11.1.0", "ABC3DEF,M3.2.0/,M11.1.0",
      "ABC3DEF4M3.2.0,M11.1.0", "ABC0003", "ABC3DEF,M3.2.0,M11.1.0\n", "ÄBC3", "Mars/Base",
    ])
  func refuses(text: String) {
    #expect(TimeZoneRules(posix: text, name: "x") == nil)
  }
}

import Testing

import CacheSync

/// Days around changes of the clock. Every expected number was worked out by hand from the dates of the changes (tzdata
/// 2025b); `LocalDaysTests` compares with another program.
@Suite struct CivilCalendarTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let zone: String
    let day: String
    let start: String
    let end: String
    let hours: Double

    init(_ zone: String, _ day: String, _ start: String, _ end: String, _ hours: Double) {
      self.zone = zone
      self.day = day
      self.start = start
      self.end = end
      self.hours = hours
    }

    var testDescription: String { "\(zone) \(day)" }
  }

  static func calendar(_ zone: String) throws -> CivilCalendar {
    CivilCalendar(try TimeZoneDatabase().rules(named: zone))
  }

  static let cases = [
    Case("UTC", "2026-11-21", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", 24),
    Case("Asia/Kolkata", "2026-11-21", "2026-11-20T18:30:00Z", "2026-11-21T18:30:00Z", 24),
    // Forward at 02:00 EST, back at 02:00 EDT.
    Case("America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 23),
    Case("America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", 25),
    // Forward at 24:00 of the Saturday: the Sunday begins at 01:00 -03.
    Case("America/Santiago", "2026-09-05", "2026-09-05T04:00:00Z", "2026-09-06T04:00:00Z", 24),
    Case("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z", 23),
    // Back at 24:00 of the Saturday to 23:00 of the same day.
    Case("America/Santiago", "2026-04-04", "2026-04-04T03:00:00Z", "2026-04-05T04:00:00Z", 25),
    // Forward at 00:00 of the last Friday of April.
    Case("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z", 23),
    Case("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z", 23),
    // Forward at 00:00 -01 to 01:00 +00, back at 01:00 +00 to 00:00 -01: midnight occurs twice.
    Case("Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z", 23),
    Case("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z", 25),
    // Forward at 00:00 CST to 01:00 CDT, back at 01:00 CDT to 00:00 CST.
    Case("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", 23),
    Case("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z", 25),
    // From -10 to +14 at the end of the 29th.
    Case("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", 24),
    Case("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", 0),
    Case("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z", 24),
    // Half an hour: +10:30 and +11.
    Case("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z", 24.5),
    Case("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", 23.5),
    // Back at 00:01 NDT (-02:30) of the 7th to 23:01 NST of the 6th: the 7th begins once, at 02:30Z.
    Case("America/St_Johns", "2010-11-06", "2010-11-06T02:30:00Z", "2010-11-07T02:30:00Z", 24),
    Case("America/St_Johns", "2010-11-07", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z", 25),
    // Forward at 00:00 -03 to 01:00 -02.
    Case("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z", 23),
    // Long after the last change that any file lists: the second Sunday of March 9998 is the 8th.
    Case("America/New_York", "9998-03-08", "9998-03-08T05:00:00Z", "9998-03-09T04:00:00Z", 23),
    Case("GMT+03:37", "2026-11-21", "2026-11-20T20:23:00Z", "2026-11-21T20:23:00Z", 24),
  ]

  @Test("A day starts, ends and lasts as expected around changes of the zone's clocks", arguments: cases)
  func interval(_ expected: Case) throws {
    let calendar = try Self.calendar(expected.zone)
    let day = try #require(LocalDay(expected.day))
    #expect(calendar.start(of: day).description == expected.start)
    #expect(calendar.interval(of: day).upperBound.description == expected.end)
    #expect(calendar.hours(of: day) == expected.hours)
    #expect(calendar.exists(day) == (expected.hours > 0))
    guard expected.hours > 0 else { return }
    #expect(calendar.day(of: calendar.start(of: day)) == day)
    #expect(calendar.day(of: calendar.start(of: day) + .microseconds(-1)) == calendar.day(before: day))
    #expect(calendar.day(of: calendar.interval(of: day).upperBound + .microseconds(-1)) == day)
    #expect(calendar.day(of: calendar.interval(of: day).upperBound) == calendar.day(after: day))
  }

  @Test("A skipped day is between its neighbours, and no day has it as a neighbour")
  func skippedDay() throws {
    let apia = try Self.calendar("Pacific/Apia")
    let eve = try #require(LocalDay("2011-12-29"))
    let skipped = eve.advanced(by: 1)
    let next = eve.advanced(by: 2)
    #expect(apia.day(after: eve) == next)
    #expect(apia.day(after: skipped) == next)
    #expect(apia.day(before: next) == eve)
    #expect(apia.day(before: skipped) == eve)
    #expect(apia.interval(of: skipped).isEmpty)
  }

  @Test("The day never goes back when the clock does")
  func monotone() throws {
    // 2010-11-07T02:31:00Z: 00:01 of the 7th becomes 23:01 of the 6th.
    let calendar = try Self.calendar("America/St_Johns")
    let moment = try #require(Instant("2010-11-07T02:31:00Z"))
    #expect(calendar.day(of: moment).description == "2010-11-07")
    let wall = calendar.wallTime(of: moment)
    #expect(wall.day.description == "2010-11-06")
    #expect(wall.secondOfDay == 23 * 3_600 + 60)
  }

  @Test(
    "A skipped wall time is the first moment after the gap, and a repeated one is its first occurrence",
    arguments: [
      ("America/New_York", "2026-03-08", 2, 30, "2026-03-08T07:00:00Z"),  // 03:00 EDT
      ("America/New_York", "2026-03-08", 7, 0, "2026-03-08T11:00:00Z"),
      ("America/New_York", "2026-11-01", 1, 30, "2026-11-01T05:30:00Z"),  // EDT
      ("America/New_York", "2026-11-01", 2, 0, "2026-11-01T07:00:00Z"),
      ("America/New_York", "2026-11-01", 24, 0, "2026-11-02T05:00:00Z"),
      ("America/Sao_Paulo", "2018-11-04", 0, 0, "2018-11-04T03:00:00Z"),
      ("Atlantic/Azores", "2026-10-25", 0, 0, "2026-10-25T00:00:00Z"),
      ("Pacific/Apia", "2011-12-30", 7, 0, "2011-12-30T10:00:00Z"),
      ("Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-03T15:30:00Z"),  // 02:00 +10:30 is 02:30 +11
      ("UTC", "2026-11-21", 99, -5, "2026-11-22T00:00:00Z"),
    ])
  func wallTimes(zone: String, day: String, hour: Int, minute: Int, expected: String) throws {
    let calendar = try Self.calendar(zone)
    let moment = calendar.firstInstant(of: try #require(LocalDay(day)), hour: hour, minute: minute)
    #expect(moment.description == expected)
  }

  @Test(
    "Adding days keeps the wall time",
    arguments: [
      ("America/New_York", "2026-03-05T17:00:00Z", 7, "2026-03-12T16:00:00Z"),  // 12:00 EST, 12:00 EDT
      ("America/New_York", "2026-03-12T16:00:00Z", -7, "2026-03-05T17:00:00Z"),
      ("America/New_York", "2026-03-01T07:30:00Z", 7, "2026-03-08T07:00:00Z"),  // 02:30 is skipped
      ("America/New_York", "2026-11-01T06:30:00Z", 0, "2026-11-01T06:30:00Z"),  // 01:30 the second time
      ("America/New_York", "2026-10-31T05:30:00Z", 1, "2026-11-01T05:30:00Z"),  // 01:30 the first time
      ("Pacific/Apia", "2011-12-29T22:00:00Z", 2, "2011-12-30T22:00:00Z"),  // 12:00 of the 29th and the 31st
      ("Asia/Kolkata", "2026-11-21T12:00:00Z", 7, "2026-11-28T12:00:00Z"),
    ])
  func sameWallTime(zone: String, from: String, count: Int, expected: String) throws {
    let moment = try #require(Instant(from))
    #expect(try Self.calendar(zone).sameWallTime(as: moment, addingDays: count).description == expected)
  }

  @Test("Adding days keeps fractions of a second, unless the time is skipped")
  func fractions() throws {
    let calendar = try Self.calendar("America/New_York")
    let moment = try #require(Instant("2026-03-01T07:30:00.25Z"))
    #expect(calendar.sameWallTime(as: moment, addingDays: 7) == Instant("2026-03-08T07:00:00Z"))
    #expect(calendar.sameWallTime(as: moment, addingDays: 6) == Instant("2026-03-07T07:30:00.25Z"))
  }

  @Test("Nothing traps at the ends of time", arguments: ["UTC", "America/New_York", "Pacific/Apia", "GMT-23:59"])
  func endsOfTime(zone: String) throws {
    let calendar = try Self.calendar(zone)
    for day in [LocalDay.first, LocalDay.last] {
      #expect(calendar.interval(of: day).lowerBound <= calendar.interval(of: day).upperBound)
      #expect(calendar.hours(of: day) > 0)
      #expect(calendar.exists(day))
      _ = (calendar.day(after: day), calendar.day(before: day))
      _ = calendar.firstInstant(of: day, hour: .max, minute: .min)
    }
    for microseconds in [Int64.min, -1, 0, .max] {
      let moment = Instant(microseconds: microseconds)
      _ = (calendar.day(of: moment), calendar.wallTime(of: moment), calendar.rules.nextTransition(after: moment))
      for count in [Int.min, 0, .max] {
        #expect(Instant.validRange.contains(calendar.sameWallTime(as: moment, addingDays: count)))
      }
    }
    #expect(calendar.day(before: .first) == .first)
    #expect(calendar.day(after: .last) == .last)
  }
}

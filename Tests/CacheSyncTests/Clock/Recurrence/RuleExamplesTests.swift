import Testing

import CacheSync

/// The examples of RFC 5545, section 3.8.5.3. Their dates are copied from the RFC in the same order. "..." is the RFC's
/// own notation for further dates.
@Suite struct RuleExamplesTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var rule: String
    var start = "1997-09-02 09:00"
    var expected: String

    init(_ rule: String, from start: String = "1997-09-02 09:00", _ expected: String) {
      (self.rule, self.start, self.expected) = (rule, start, expected)
    }

    var testDescription: String { rule }
  }

  static let dayExamples = [
    Example(
      "FREQ=DAILY;COUNT=10",
      "1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09 1997-09-10 1997-09-11"),
    Example(
      "FREQ=DAILY;INTERVAL=2", "1997-09-02 1997-09-04 1997-09-06 1997-09-08 1997-09-10 1997-09-12 1997-09-14 ..."),
    Example("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"),
    Example(
      "FREQ=WEEKLY;COUNT=10",
      "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21 1997-10-28 1997-11-04"),
    Example(
      "FREQ=WEEKLY;UNTIL=19971224T000000",
      "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21 1997-10-28 1997-11-04 "
        + "1997-11-11 1997-11-18 1997-11-25 1997-12-02 1997-12-09 1997-12-16 1997-12-23"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
      "1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28 1997-11-11 1997-11-25 1997-12-09 1997-12-23 1998-01-06 "
        + "1998-01-20 1998-02-03 1998-02-17 ..."),
    Example(
      "FREQ=WEEKLY;UNTIL=19971007T000000;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 1997-10-02"),
    Example(
      "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 1997-10-02"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000;WKST=SU;BYDAY=MO,WE,FR", from: "1997-09-01 09:00",
      "1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01 1997-10-03 1997-10-13 "
        + "1997-10-15 1997-10-17 1997-10-27 1997-10-29 1997-10-31 1997-11-10 1997-11-12 1997-11-14 1997-11-24 1997-11-26 "
        + "1997-11-28 1997-12-08 1997-12-10 1997-12-12 1997-12-22"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", from: "1997-08-05 09:00",
      "1997-08-05 1997-08-10 1997-08-19 1997-08-24"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", from: "1997-08-05 09:00",
      "1997-08-05 1997-08-17 1997-08-19 1997-08-31"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", from: "1997-09-05 09:00",
      "1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03 1998-05-01 1998-06-05"),
    Example(
      "FREQ=MONTHLY;UNTIL=19971224T000000;BYDAY=1FR", from: "1997-09-05 09:00",
      "1997-09-05 1997-10-03 1997-11-07 1997-12-05"),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", from: "1997-09-07 09:00",
      "1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25 1998-03-01 1998-03-29 1998-05-03 1998-05-31"),
    Example(
      "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", from: "1997-09-22 09:00",
      "1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16"),
    Example(
      "FREQ=MONTHLY;BYMONTHDAY=-3", from: "1997-09-28 09:00",
      "1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26 ..."),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      "1997-09-02 1997-09-15 1997-10-02 1997-10-15 1997-11-02 1997-11-15 1997-12-02 1997-12-15 1998-01-02 1998-01-15"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", from: "1997-09-30 09:00",
      "1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01 1998-01-31 1998-02-01"),
    Example(
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", from: "1997-09-10 09:00",
      "1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11 1999-03-12 1999-03-13"),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04 1997-11-11 1997-11-18 1997-11-25 1998-01-06 "
        + "1998-01-13 1998-01-20 1998-01-27 1998-03-03 1998-03-10 1998-03-17 1998-03-24 1998-03-31 ..."),
    Example(
      "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", from: "1997-06-10 09:00",
      "1997-06-10 1997-07-10 1998-06-10 1998-07-10 1999-06-10 1999-07-10 2000-06-10 2000-07-10 2001-06-10 2001-07-10"),
    Example(
      "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", from: "1997-03-10 09:00",
      "1997-03-10 1999-01-10 1999-02-10 1999-03-10 2001-01-10 2001-02-10 2001-03-10 2003-01-10 2003-02-10 2003-03-10"),
    Example(
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", from: "1997-01-01 09:00",
      "1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10 2003-07-19 2006-01-01"),
    Example("FREQ=YEARLY;BYDAY=20MO", from: "1997-05-19 09:00", "1997-05-19 1998-05-18 1999-05-17 ..."),
    Example("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", from: "1997-05-12 09:00", "1997-05-12 1998-05-11 1999-05-17 ..."),
    Example(
      "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", from: "1997-03-13 09:00",
      "1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12 1998-03-19 1998-03-26 1999-03-04 1999-03-11 1999-03-18 "
        + "1999-03-25 ..."),
    Example(
      "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", from: "1997-06-05 09:00",
      "1997-06-05 1997-06-12 1997-06-19 1997-06-26 1997-07-03 1997-07-10 1997-07-17 1997-07-24 1997-07-31 1997-08-07 "
        + "1997-08-14 1997-08-21 1997-08-28 1998-06-04 1998-06-11 1998-06-18 1998-06-25 1998-07-02 ..."),
    // The RFC excludes the start with an EXDATE. Here the rule does not include it.
    Example("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13 ..."),
    Example(
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", from: "1997-09-13 09:00",
      "1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10 1998-02-07 1998-03-07 1998-04-11 1998-05-09 1998-06-13 ..."
    ),
    Example(
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", from: "1996-11-05 09:00",
      "1996-11-05 2000-11-07 2004-11-02 ..."),
    Example(
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", from: "1997-09-04 09:00", "1997-09-04 1997-10-07 1997-11-06"),
    Example(
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", from: "1997-09-29 09:00",
      "1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30 ..."),
    Example(
      "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", from: "2007-01-15 09:00",
      "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"),
  ]

  @Test("The RFC's examples of days", arguments: dayExamples)
  func days(example: Example) throws {
    try check(example) { $0.day.description }
  }

  static let timeExamples = [
    Example("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000", "02T09:00 02T12:00 02T15:00"),
    Example("FREQ=MINUTELY;INTERVAL=15;COUNT=6", "02T09:00 02T09:15 02T09:30 02T09:45 02T10:00 02T10:15"),
    Example("FREQ=MINUTELY;INTERVAL=90;COUNT=4", "02T09:00 02T10:30 02T12:00 02T13:30"),
    Example(
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      "02T09:00 02T09:20 02T09:40 02T10:00 02T10:20 02T10:40 02T11:00 02T11:20 02T11:40 02T12:00 02T12:20 02T12:40 "
        + "02T13:00 02T13:20 02T13:40 02T14:00 02T14:20 02T14:40 02T15:00 02T15:20 02T15:40 02T16:00 02T16:20 02T16:40 "
        + "03T09:00 03T09:20 ..."),
    Example(
      "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
      "02T09:00 02T09:20 02T09:40 02T10:00 02T10:20 02T10:40 02T11:00 02T11:20 02T11:40 02T12:00 02T12:20 02T12:40 "
        + "02T13:00 02T13:20 02T13:40 02T14:00 02T14:20 02T14:40 02T15:00 02T15:20 02T15:40 02T16:00 02T16:20 02T16:40 "
        + "03T09:00 03T09:20 ..."),
  ]

  @Test("The RFC's examples of times in September 1997", arguments: timeExamples)
  func times(example: Example) throws {
    try check(example) { wall in
      let (hour, minute) = (wall.secondOfDay / 3_600, wall.secondOfDay / 60 % 60)
      return "\(wall.day.description.suffix(2))T\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
  }

  @Test("Every day in January for three years, by both of the RFC's rules")
  func januaries() throws {
    let start = try Self.wall("1998-01-01 09:00")
    let yearly = try RecurrenceRule("FREQ=YEARLY;UNTIL=20000131T140000;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA")
    let daily = try RecurrenceRule("FREQ=DAILY;UNTIL=20000131T140000;BYMONTH=1")
    let found = Array(yearly.occurrences(from: start))
    #expect(found.count == 93)
    #expect(found.first == start)
    #expect(found.last == (try Self.wall("2000-01-31 09:00")))
    #expect(found.allSatisfy { $0.day.month == 1 })
    #expect(Array(daily.occurrences(from: start)) == found)
  }

  @Test("Daily until Christmas Eve, the RFC's 113 days")
  func december() throws {
    let rule = try RecurrenceRule("FREQ=DAILY;UNTIL=19971224T000000")
    let found = Array(rule.occurrences(from: try Self.wall("1997-09-02 09:00")))
    #expect(found.count == 113)
    #expect(found.last == (try Self.wall("1997-12-23 09:00")))
  }

  private func check(_ example: Example, as text: (WallTime) -> String) throws {
    var expected = example.expected.split(separator: " ").map(String.init)
    let goesOn = expected.last == "..."
    if goesOn { expected.removeLast() }
    let rule = try RecurrenceRule(example.rule)
    let found = rule.occurrences(from: try Self.wall(example.start)).prefix(expected.count + 1).map(text)
    #expect(Array(found.prefix(expected.count)) == expected)
    #expect(found.count == expected.count + (goesOn ? 1 : 0))
  }

  /// "1997-09-02 09:00"
  private static func wall(_ text: String) throws -> WallTime {
    let parts = text.split(separator: " ").map(String.init)
    let day = try #require(LocalDay(parts[0]))
    let time = try #require(Int(parts[1].replacing(":", with: "")))
    return WallTime(day, secondOfDay: time / 100 * 3_600 + time % 100 * 60)
  }
}

import TestSupport
import Testing

import CacheSync

@Suite("Calendars: series")
struct CalendarSeriesTests {
  private static func events(
    _ events: String..., from: String = "2026-11-01", to: String = "2026-12-01", in zone: String = "Europe/Berlin"
  ) throws -> [String] {
    let text = events.map { $0.contains("UID") ? $0 : "UID:a\n" + $0 }
    let all = text.reduce("") { $0 + "BEGIN:VEVENT\n" + $1 + "\nEND:VEVENT\n" }
    let file = try Calendars.read("BEGIN:VCALENDAR\n" + all + "END:VCALENDAR")
    #expect(file.problems.isEmpty)
    return try Calendars.events(file, from: from, to: to, in: zone).map {
      $0.hasSuffix(" ") ? String($0.dropLast()) : $0
    }
  }

  // MARK: One event

  @Test("an event without an end has no length, and an all-day event without an end lasts that day")
  func withoutEnd() throws {
    #expect(try Self.events("DTSTART:20261123T080000Z") == ["11-23T08:00/11-23T08:00 a"])
    #expect(try Self.events("DTSTART:20261123") == ["11-22T23:00/11-23T23:00 a  all day"])
  }

  @Test(
    "all-day events last from the start of the first day to the end of the last",
    arguments: [
      ("DTSTART;VALUE=DATE:20261123\nDTEND;VALUE=DATE:20261125", "11-22T23:00/11-24T23:00 a  all day"),
      ("DTSTART:20261123\nDTEND:20261123", "11-22T23:00/11-23T23:00 a  all day"),
      ("DTSTART:20261123\nDURATION:P2D", "11-22T23:00/11-24T23:00 a  all day"),
      ("DTSTART:20261123\nDURATION:P1W", "11-22T23:00/11-29T23:00 a  all day"),
      ("DTSTART:20261123\nDURATION:PT24H", "11-22T23:00/11-23T23:00 a  all day"),
    ])
  func days(lines: String, expected: String) throws {
    #expect(try Self.events(lines) == [expected])
  }

  @Test("all-day events follow the cache's zone: 23 and 25 hours, and skipped midnights")
  func lengthsOfDays() throws {
    #expect(try Self.events("DTSTART:20261025", from: "2026-10-25") == ["10-24T22:00/10-25T23:00 a  all day"])
    #expect(try Self.events("DTSTART:20261101", in: "America/New_York") == ["11-01T04:00/11-02T05:00 a  all day"])
    // Beirut skips midnight on 2026-03-29.
    #expect(
      try Self.events("DTSTART:20260329", from: "2026-03-20", to: "2026-04-01", in: "Asia/Beirut")
        == ["03-28T22:00/03-29T21:00 a  all day"])
  }

  @Test(
    "DTEND may be in another zone; a DURATION counts days on the wall clock, then exact hours",
    arguments: [
      (
        "DTSTART;TZID=Europe/Berlin:20261123T100000\nDTEND;TZID=America/New_York:20261123T080000",
        "11-23T09:00/11-23T13:00 a"
      ),
      ("DTSTART;TZID=Europe/Berlin:20261024T100000\nDURATION:P1D", "10-24T08:00/10-25T09:00 a"),
      ("DTSTART;TZID=Europe/Berlin:20261024T100000\nDURATION:PT24H", "10-24T08:00/10-25T08:00 a"),
      ("DTSTART;TZID=Europe/Berlin:20261024T100000\nDURATION:P1DT1H", "10-24T08:00/10-25T10:00 a"),
      (
        "DTSTART;TZID=Europe/Berlin:20261025T013000\nDTEND;TZID=Europe/Berlin:20261025T030000",
        "10-24T23:30/10-25T02:00 a"
      ),
      // The wall time of the start is skipped and moves an hour later, past its end: the event has no length.
      (
        "DTSTART;TZID=Europe/Berlin:20260329T023000\nDTEND;TZID=Europe/Berlin:20260329T030000",
        "03-29T01:30/03-29T01:30 a"
      ),
      ("DTSTART:20261123T080000Z\nDTEND:20261123T090000Z\nDURATION:PT5H", "11-23T08:00/11-23T09:00 a"),
    ])
  func ends(lines: String, expected: String) throws {
    #expect(try Self.events(lines, from: "2026-03-01") == [expected])
  }

  @Test(
    "an event is in the window if it overlaps it or starts in it",
    arguments: [
      // This one ends when the window begins.
      ("DTSTART:20261031T220000Z\nDTEND:20261031T230000Z", false),
      ("DTSTART:20261031T220000Z\nDTEND:20261031T230001Z", true),
      ("DTSTART:20261031T230000Z", true),
      ("DTSTART:20261031T225959Z", false),
      ("DTSTART:20261130T225959Z", true),
      ("DTSTART:20261130T230000Z", false),
      ("DTSTART:20200101\nDTEND:20300101", true),
    ])
  func window(lines: String, isIn: Bool) throws {
    #expect(try Self.events(lines).isEmpty != isIn)
    // The same as an occurrence.
    #expect(try Self.events(lines + "\nRRULE:FREQ=YEARLY;COUNT=1").isEmpty != isIn)
    #expect(try Self.events(lines + "\nRDATE:19990101T000000Z").isEmpty != isIn)
  }

  @Test("a cancelled event does not count")
  func cancelled() throws {
    #expect(try Self.events("DTSTART:20261123T080000Z\nSTATUS:CANCELLED").isEmpty)
    #expect(try Self.events("DTSTART:20261123T080000Z\nSTATUS:cancelled\nRRULE:FREQ=DAILY").isEmpty)
    #expect(try Self.events("DTSTART:20261123T080000Z\nSTATUS:TENTATIVE").count == 1)
  }

  // MARK: Occurrences

  @Test("wall times stay; DTEND keeps its distance on the wall clock, and the hours of a DURATION are exact")
  func wallTimes() throws {
    let head = "DTSTART;TZID=Europe/Berlin:20261023T230000\nRRULE:FREQ=DAILY;COUNT=3\n"
    #expect(
      try Self.events(head + "DTEND;TZID=Europe/Berlin:20261024T060000", from: "2026-10-01") == [
        "10-23T21:00/10-24T04:00 a#20261023T210000Z", "10-24T21:00/10-25T05:00 a#20261024T210000Z",
        "10-25T22:00/10-26T05:00 a#20261025T220000Z",
      ])
    #expect(
      try Self.events(head + "DURATION:PT7H", from: "2026-10-01").map { $0.prefix(23) } == [
        "10-23T21:00/10-24T04:00", "10-24T21:00/10-25T04:00", "10-25T22:00/10-26T05:00",
      ])
  }

  @Test("all-day events repeat as days, each with its id")
  func repeatedDays() throws {
    #expect(
      try Self.events("DTSTART:20261024\nDTEND:20261026\nRRULE:FREQ=WEEKLY;COUNT=2", from: "2026-10-24") == [
        "10-23T22:00/10-25T23:00 a#20261024  all day", "10-30T23:00/11-01T23:00 a#20261031  all day",
      ])
  }

  @Test("DTSTART always counts, but as the first of COUNT only if the rule includes it")
  func first() throws {
    // 2026-11-23 is a Monday.
    #expect(
      try Self.events("DTSTART:20261123\nRRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=1").map { $0.prefix(35) } == [
        "11-22T23:00/11-23T23:00 a#20261123 ", "11-23T23:00/11-24T23:00 a#20261124 ",
      ])
    #expect(try Self.events("DTSTART:20261123\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1").count == 1)
  }

  @Test(
    "UNTIL is inclusive and may be a day, a wall time or a moment",
    arguments: [
      ("DTSTART;TZID=Europe/Berlin:20261123T230000", "20261125", 3),
      ("DTSTART;TZID=Europe/Berlin:20261123T230000", "20261125T225959", 2),
      ("DTSTART;TZID=Europe/Berlin:20261123T230000", "20261125T230000", 3),
      ("DTSTART;TZID=Europe/Berlin:20261123T230000", "20261125T215959Z", 2),
      ("DTSTART;TZID=Europe/Berlin:20261123T230000", "20261125T220000Z", 3),
      ("DTSTART:20261123", "20261125", 3),
      ("DTSTART:20261123", "20261125T000000Z", 3),
      ("DTSTART:20261123", "20261125T120000", 3),
      ("DTSTART:20261123", "20261122", 0),
    ])
  func until(start: String, until: String, count: Int) throws {
    #expect(try Self.events(start + "\nRRULE:FREQ=DAILY;UNTIL=" + until).count == count)
  }

  @Test("every RRULE and RDATE counts; an RDATE may be a period, a day or a time in another zone")
  func sources() throws {
    #expect(
      try Self.events(
        "DTSTART;TZID=Europe/Berlin:20261102T080000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2\n"
          + "RRULE:FREQ=MONTHLY;BYMONTHDAY=9,20;COUNT=2\nRDATE;VALUE=DATE:20261130\nRDATE;TZID=America/New_York:20261121T020000\n"
          + "RDATE;VALUE=PERIOD:20261120T070000Z/PT3H,20261122T070000Z/20261122T120000Z") == [
          "11-02T07:00/11-02T08:00 a#20261102T070000Z", "11-09T07:00/11-09T08:00 a#20261109T070000Z",
          "11-20T07:00/11-20T10:00 a#20261120T070000Z", "11-21T07:00/11-21T08:00 a#20261121T070000Z",
          "11-22T07:00/11-22T12:00 a#20261122T070000Z", "11-30T07:00/11-30T08:00 a#20261130T070000Z",
        ])
  }

  // By hand: 09:00 in New York is 14:00Z, in Tokyo 00:00Z, in Berlin, where the cache is, 08:00Z.
  @Test(
    "an RDATE without a zone is in the series' zone, whatever zone the file or the cache has",
    arguments: [
      ("DTSTART;TZID=America/New_York:20261123T090000\nRDATE:20261124T090000", "", ["11-23T14:00", "11-24T14:00"]),
      (
        "DTSTART;TZID=America/New_York:20261123T090000\nRDATE:20261124T090000", "Asia/Tokyo",
        ["11-23T14:00", "11-24T14:00"]
      ),
      ("DTSTART:20261123T090000\nRDATE:20261124T090000", "Asia/Tokyo", ["11-23T00:00", "11-24T00:00"]),
      ("DTSTART:20261123T000000Z\nRDATE:20261124T090000", "Asia/Tokyo", ["11-23T00:00", "11-24T00:00"]),
      ("DTSTART:20261123T090000\nRDATE:20261124T090000", "", ["11-23T08:00", "11-24T08:00"]),
      (
        "DTSTART;TZID=America/New_York:20261123T090000\nRDATE;VALUE=PERIOD:20261124T090000/20261124T093000", "",
        ["11-23T14:00", "11-24T14:00"]
      ),
    ])
  func extrasWithoutZone(lines: String, zone: String, expected: [String]) throws {
    let head = zone.isEmpty ? "" : "X-WR-TIMEZONE:" + zone
    let events = try Calendars.events(try Calendars.read(Calendars.text("UID:a\n" + lines, head: head)))
    #expect(events.map { String($0.prefix(11)) } == expected)
    if lines.contains("PERIOD") { #expect(events[1].hasPrefix("11-24T14:00/11-24T14:30")) }
  }

  @Test(
    "an EXDATE excludes a moment, in whatever zone it is written, or all of a day",
    arguments: [
      ("EXDATE;TZID=Europe/Berlin:20261124T080000", "20261123T070000Z 20261123T150000Z 20261124T150000Z"),
      ("EXDATE:20261124T070000Z,20261123T150000Z", "20261123T070000Z 20261124T150000Z"),
      ("EXDATE;TZID=America/New_York:20261124T020000", "20261123T070000Z 20261123T150000Z 20261124T150000Z"),
      // Without a zone: the cache's zone.
      ("EXDATE:20261124T080000", "20261123T070000Z 20261123T150000Z 20261124T150000Z"),
      ("EXDATE;VALUE=DATE:20261124", "20261123T070000Z 20261123T150000Z"),
      ("EXDATE:20261123T070000Z\nEXDATE:", "20261123T150000Z 20261124T070000Z 20261124T150000Z"),
      ("EXDATE:20261124T080001", "20261123T070000Z 20261123T150000Z 20261124T070000Z 20261124T150000Z"),
    ])
  func exclusions(line: String, expected: String) throws {
    let events = try Self.events(
      "DTSTART;TZID=Europe/Berlin:20261123T080000\nRRULE:FREQ=DAILY;BYHOUR=8,16;COUNT=4\n" + line)
    #expect(events.map { $0.suffix(16) } == expected.split(separator: " "))
  }

  @Test("an EXDATE excludes a day from an all-day series, and the only start of an event")
  func excludedDays() throws {
    #expect(try Self.events("DTSTART:20261123\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20261124").count == 2)
    #expect(try Self.events("DTSTART:20261123\nEXDATE:20261123").isEmpty)
  }

  // By hand: 22 to 26 November. In UTC, Berlin's days begin at 23:00 of the day before, New York's at 05:00.
  @Test(
    "An EXDATE with a time excludes from an all-day series the day as written if it is a midnight, else the day that begins then, else the day in UTC",
    arguments: [
      ("EXDATE:20261124T000000Z", "Europe/Berlin", "24"), ("EXDATE:20261124T000000Z", "America/New_York", "24"),
      ("EXDATE:20261124T000000", "America/New_York", "24"), ("EXDATE:20261124T120000", "Europe/Berlin", "24"),
      ("EXDATE:20261124T120000Z", "Asia/Tokyo", "24"), ("EXDATE:20261124T235959Z", "Asia/Tokyo", "24"),
      ("EXDATE;TZID=Australia/Sydney:20261124T000000", "Europe/Berlin", "24"),
      ("EXDATE:20261123T230000Z", "Europe/Berlin", "24"), ("EXDATE:20261123T230000Z", "UTC", "23"),
      ("EXDATE:20261124T050000Z", "America/New_York", "24"),
      ("EXDATE:20261123T000000Z,20261124T230000Z", "Europe/Berlin", "23 25"),
    ])
  func excludedTimesOfDays(line: String, zone: String, days: String) throws {
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261122\nRRULE:FREQ=DAILY;COUNT=5\n" + line))
    let shown = try Calendars.ids(file, in: zone).map { $0.suffix(2) }
    #expect(
      ["22", "23", "24", "25", "26"].filter { !shown.contains($0[...]) } == days.split(separator: " ").map(String.init))
    #expect(file.problems.isEmpty)
  }

  @Test("A RECURRENCE-ID that is a midnight names a day of an all-day series", arguments: ["Z", ""])
  func midnightOfChange(zone: String) throws {
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261122\nRRULE:FREQ=DAILY;COUNT=2\nSUMMARY:s",
        "UID:a\nRECURRENCE-ID:20261123T000000\(zone)\nDTSTART:20261125\nSUMMARY:o"))
    for zone in ["Europe/Berlin", "America/New_York"] {
      #expect(try Calendars.ids(file, in: zone) == ["a#20261122", "a#20261123"])
    }
  }

  @Test("a skipped local time counts; if two sub-daily occurrences have the same instant, one counts")
  func skipped() throws {
    #expect(
      try Self.events(
        "DTSTART;TZID=Europe/Berlin:20260328T023000\nRRULE:FREQ=DAILY;COUNT=3", from: "2026-03-01", to: "2026-05-01"
      ).map { $0.prefix(11) } == ["03-28T01:30", "03-29T01:30", "03-30T00:30"])
    #expect(
      try Self.events(
        "DTSTART;TZID=Europe/Berlin:20260329T003000\nRRULE:FREQ=HOURLY;COUNT=5", from: "2026-03-01", to: "2026-05-01"
      ).map { $0.prefix(11) } == ["03-28T23:30", "03-29T00:30", "03-29T01:30", "03-29T02:30"])
  }

  // By hand: in Berlin 02:30 is skipped on 29 March 2026 and counts as 01:30Z, like 03:30. Its end, an hour later on
  // the wall clock, is 01:30Z too. The end of 03:30 is 02:30Z.
  @Test("if a skipped time gives two occurrences the same instant, the longer one counts")
  func longerOfTwo() throws {
    #expect(
      try Self.events(
        "DTSTART;TZID=Europe/Berlin:20260329T003000\nDTEND;TZID=Europe/Berlin:20260329T013000\nRRULE:FREQ=HOURLY;COUNT=5",
        from: "2026-03-01", to: "2026-05-01"
      ).map { $0.prefix(23) } == [
        "03-28T23:30/03-29T00:30", "03-29T00:30/03-29T01:30", "03-29T01:30/03-29T02:30", "03-29T02:30/03-29T03:30",
      ])
  }

  // 01:30Z is the second 02:30 of 25 October 2026 in Berlin.
  @Test("a start at the later of two equal wall times is one occurrence, which the rule includes")
  func laterOfEqualTimes() throws {
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20261025T013000Z\nRRULE:FREQ=DAILY;COUNT=2", head: "X-WR-TIMEZONE:Europe/Berlin"))
    #expect(try Calendars.ids(file, from: "2026-10-01") == ["a#20261025T013000Z", "a#20261026T013000Z"])
  }

  @Test("occurrences that began before the window and overlap it are included")
  func longOccurrences() throws {
    #expect(
      try Self.events("DTSTART:20260101\nDURATION:P20D\nRRULE:FREQ=MONTHLY", from: "2026-11-19", to: "2026-11-20")
        == ["10-31T23:00/11-20T23:00 a#20261101  all day"])
    #expect(
      try Self.events(
        "DTSTART:20200101T000000Z\nDTEND:20210101T000000Z\nRRULE:FREQ=YEARLY", from: "2026-11-19", to: "2026-11-20")
        == ["01-01T00:00/2027-01-02T00:00 a#20260101T000000Z"])
  }

  // MARK: Limits

  @Test("a series with too many occurrences in the window is left out, with a problem at its rule")
  func tooMany() throws {
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261101T000000Z\nRRULE:FREQ=HOURLY", "UID:b\nDTSTART:20261123",
        "UID:c\nDTSTART:20201101T000000Z\nDURATION:P600D\nRRULE:FREQ=DAILY",
        "UID:d\nDTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY;BYMINUTE=1;COUNT=200000"))
    #expect(
      try Calendars.events(file, from: "2026-11-01", to: "2026-11-25") == [
        "11-22T23:00/11-23T23:00 b  all day",
        "line 6 more than 500 occurrences in the days that are looked at: the event is left out [/VEVENT/0/RRULE]",
        "line 16 more than 500 occurrences in the days that are looked at: the event is left out [/VEVENT/2/RRULE]",
        "line 21 the series takes more than 100000 steps: the event is left out [/VEVENT/3/RRULE]",
      ])
    // Exactly as many are accepted.
    var limits = CalendarLimits()
    limits.occurrences = 24
    let day = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261101T000000Z\nRRULE:FREQ=HOURLY"))
    #expect(try Calendars.events(day, from: "2026-11-02", to: "2026-11-03", limits: limits).count == 24)
    limits.occurrences = 23
    #expect(try Calendars.events(day, from: "2026-11-02", to: "2026-11-03", limits: limits).count == 1)
  }

  @Test("each date that a series lists counts as a step")
  func tooManyDates() throws {
    let dates = Array(repeating: "20261123T080000Z", count: 11).joined(separator: ",")
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261123T080000Z\nRDATE:" + dates))
    var limits = CalendarLimits()
    limits.steps = 11
    #expect(try Calendars.ids(file) == ["a#20261123T080000Z"])
    #expect(try Calendars.events(file, limits: limits).count == 1)
    limits.steps = 10
    #expect(
      try Calendars.events(file, limits: limits)
        == ["line 6 the series takes more than 10 steps: the event is left out [/VEVENT/0/RDATE]"])
  }

  @Test("each occurrence counts as a step, also if its series is left out for having too many")
  func stepsOfOccurrences() throws {
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261123T080000Z\nRRULE:FREQ=SECONDLY"))
    let day = try #require(Instant("2026-11-24T00:00:00Z"))
    let found = file.series[0].occurrences(
      overlappingOrStartingIn: day..<Instant(seconds: day.seconds + 86_400), calendar: try Calendars.calendar())
    #expect(found.events.isEmpty && found.excess != nil)
    // 500 are allowed, and the next one shows that there are more.
    #expect(found.steps >= 501 * CalendarLimits().stepsOfOccurrence)
  }

  @Test("a rule without occurrences in the window takes few steps, however early its start is")
  func farAway() throws {
    #expect(
      try Self.events(
        "DTSTART:00010101T000000Z\nRRULE:FREQ=MINUTELY;INTERVAL=1440", from: "2026-11-22", to: "2026-11-24"
      ).count == 2)
    #expect(try Self.events("DTSTART:19000101T000000Z\nRRULE:FREQ=SECONDLY;UNTIL=20200101").isEmpty)
  }

  @Test(
    "a series whose rules end before its start has no occurrence, not even its start",
    arguments: [
      ("DTSTART:20261124T180000Z\nRRULE:FREQ=DAILY;UNTIL=20261124T175959Z", 0),
      ("DTSTART:20261124T180000Z\nRRULE:FREQ=DAILY;UNTIL=20261124T180000Z", 1),
      ("DTSTART;TZID=Europe/Berlin:20261124T190000\nRRULE:FREQ=DAILY;UNTIL=20261124T180000", 0),
      ("DTSTART:20261124\nRRULE:FREQ=DAILY;UNTIL=20261123", 0),
      ("DTSTART:20261124\nRRULE:FREQ=DAILY;UNTIL=20261124", 1),
      ("DTSTART:20261124\nRRULE:FREQ=DAILY;UNTIL=20261123T230000Z", 0),
      // Dates of an RDATE stay, and another rule may include the start.
      ("DTSTART:20261124T180000Z\nRRULE:FREQ=DAILY;UNTIL=20261101T000000Z\nRDATE:20261126T180000Z", 1),
      ("DTSTART:20261124T180000Z\nRRULE:FREQ=DAILY;UNTIL=20261101T000000Z\nRRULE:FREQ=DAILY;COUNT=2", 2),
    ])
  func untilBeforeStart(lines: String, count: Int) throws {
    #expect(try Calendars.events(try Calendars.read(Calendars.text("UID:a\n" + lines))).count == count)
  }

  // MARK: Laws of all rules

  /// What the VEVENTs of a random rule give in 60 days; both rules from the same start.
  private static func events(
    _ rules: [String], from start: String, on day: LocalDay, in zone: String
  ) throws -> [[String]] {
    try rules.map { rule in
      let file = try Calendars.read(Calendars.text("UID:a\nDTSTART\(start)\nRRULE:\(rule)"))
      #expect(file.problems.isEmpty, "\(rule)")
      return try Calendars.events(file, from: day.description, to: day.advanced(by: 60).description, in: zone)
    }
  }

  /// Zones with changes by one hour, half an hour, two hours and at midnight. Apia has no 2011-12-30.
  private static let zones = [
    "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "America/Sao_Paulo", "Pacific/Apia",
  ]

  @Test(
    "A series of whole days is the same without BYHOUR, BYMINUTE and BYSECOND, and no two of its events have one id",
    arguments: RecurrenceRule.Frequency.allCases)
  func laws(frequency: RecurrenceRule.Frequency) throws {
    var random = SeededGenerator(state: 33)
    var (given, differing) = (0, 0)
    for number in 0..<60 {
      var rule = SlowRule.random(frequency, using: &random)
      if Bool.random(using: &random) { rule.count = Int.random(in: 1...40, using: &random) }
      let day = LocalDay(ordinal: Int.random(in: 15_300...15_340, using: &random))
      let zone = Self.zones[number % Self.zones.count]
      let date = day.description.filter { $0 != "-" }
      let found = try Self.events(
        [rule.text, rule.withoutTimes.text], from: ";VALUE=DATE:" + date, on: day, in: zone)
      #expect(found[0] == found[1], "\(rule.text) from \(day)")
      let timed = try Self.events([rule.text], from: ";TZID=\(zone):\(date)T013000", on: day, in: zone)
      for events in found + timed {
        let ids = events.compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(Set(ids).count == ids.count, "\(rule.text) from \(day) in \(zone)")
      }
      given += found[0].count
      if rule.text != rule.withoutTimes.text { differing += 1 }
    }
    #expect(given > 60)
    #expect(differing > 10)
  }

  // From RFC 5545, section 3.3.10. 2026-11-30 is a Monday.
  @Test(
    "Times of day in a rule of whole days are ignored",
    arguments: [
      ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;COUNT=2", "a#20261130 a#20261207"),
      ("FREQ=DAILY;BYHOUR=9,17;COUNT=4", "a#20261130 a#20261201 a#20261202 a#20261203"),
      ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;BYSECOND=1;UNTIL=20261201T080000Z", "a#20261130 a#20261201"),
      ("FREQ=HOURLY;COUNT=2", "a#20261130 a#20261201"),
      ("RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=2", "a#20261130 a#20261201 a#20261231"),
    ])
  func timesOfDays(rule: String, expected: String) throws {
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART;VALUE=DATE:20261130\nRRULE:\(rule)"))
    #expect(try Calendars.ids(file, from: "2026-11-01", to: "2027-02-01").joined(separator: " ") == expected)
  }
}

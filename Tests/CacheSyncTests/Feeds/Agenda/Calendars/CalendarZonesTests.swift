import CacheSync
import Testing

/// Berlin as Outlook writes it, under another name.
private let definition = """
  BEGIN:VTIMEZONE
  TZID:Our office\\, ground floor
  BEGIN:STANDARD
  DTSTART:16010101T030000
  TZOFFSETFROM:+0200
  TZOFFSETTO:+0100
  RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
  END:STANDARD
  BEGIN:DAYLIGHT
  DTSTART:16010101T020000
  TZOFFSETFROM:+0100
  TZOFFSETTO:+0200
  RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
  END:DAYLIGHT
  END:VTIMEZONE
  """

@Suite("Calendars: zones")
struct CalendarZonesTests {
  private static func start(
    _ line: String, head: String = "", in zone: String = "Europe/Berlin", year: String = "2026"
  ) throws -> String? {
    let file = try Calendars.read(Calendars.text("UID:a\n" + line, head: head))
    #expect(file.problems.isEmpty)
    let event = try Calendars.events(file, from: "\(year)-01-01", to: "\((Int(year) ?? 0) + 1)-01-03", in: zone).first
    return event.map { String($0.prefix { $0 != "/" }) }
  }

  @Test(
    "a TZID is first looked up in the system, whole or after a prefix, then in the file, then among Windows names",
    arguments: [
      ("DTSTART;TZID=America/New_York:20260701T080000", "07-01T12:00"),
      ("dtstart;tzid=America/New_York:20260701t080000", "07-01T12:00"),
      ("DTSTART;TZID=\"America/New_York\":20260701T080000", "07-01T12:00"),
      ("DTSTART;VALUE=DATE-TIME;TZID=America/New_York;X=1:20260701T080000", "07-01T12:00"),
      ("DTSTART;TZID=/freeassociation.sourceforge.net/Tzfile/America/New_York:20260701T080000", "07-01T12:00"),
      ("DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Buenos_Aires:20260701T080000", "07-01T11:00"),
      ("DTSTART;TZID=UTC:20260701T080000", "07-01T08:00"),
      ("DTSTART;TZID=GMT+03:30:20260701T080000", nil),
      ("DTSTART;TZID=\"GMT+03:30\":20260701T080000", "07-01T04:30"),
      ("DTSTART;TZID=W. Europe Standard Time:20260701T080000", "07-01T06:00"),
      ("DTSTART;TZID=India Standard Time:20260701T080000", "07-01T02:30"),
      ("DTSTART;TZID=\"Our office, ground floor\":20260701T080000", "07-01T06:00"),
      ("DTSTART;TZID=\"Our office, ground floor\":20261101T080000", "11-01T07:00"),
      // Z overrides the TZID.
      ("DTSTART;TZID=America/New_York:20260701T080000Z", "07-01T08:00"),
    ] as [(String, String?)])
  func names(line: String, expected: String?) throws {
    let file = try Calendars.read(Calendars.text("UID:a\n" + line, head: definition))
    let events = try Calendars.events(file, from: "2026-01-01", to: "2026-12-31")
    #expect(events.first.map { String($0.prefix { $0 != "/" }) } == expected)
    #expect(file.problems.isEmpty == (expected != nil))
  }

  @Test("the system's zone wins over the file's with the same name, and the file's over that of Windows")
  func order() throws {
    let utc =
      "BEGIN:VTIMEZONE\nTZID:NAME\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0000\n"
      + "TZOFFSETTO:+0000\nEND:STANDARD\nEND:VTIMEZONE"
    for (name, expected) in [("Europe/Berlin", "07-01T06:00"), ("W. Europe Standard Time", "07-01T08:00")] {
      let head = utc.replacing("NAME", with: name)
      #expect(try Self.start("DTSTART;TZID=\(name):20260701T080000", head: head) == expected)
    }
    // The file's definition is invalid, so the Windows name counts.
    let broken = utc.replacing("NAME", with: "W. Europe Standard Time").replacing("+0000", with: "0")
    #expect(try Self.start("DTSTART;TZID=W. Europe Standard Time:20260701T080000", head: broken) == "07-01T06:00")
  }

  @Test("a file's zone may come after its events")
  func definitionAtTheEnd() throws {
    let text = Calendars.text("UID:a\nDTSTART;TZID=\"Our office, ground floor\":20260701T080000")
      .replacing("END:VCALENDAR", with: definition + "\nEND:VCALENDAR")
    let file = try Calendars.read(text)
    #expect(try Calendars.events(file, from: "2026-07-01", to: "2026-07-02") == ["07-01T06:00/07-01T06:00 a "])
  }

  @Test("zone names are compared by their bytes: a composed and a decomposed letter are different names")
  func namesByBytes() throws {
    func zone(_ name: String, _ offset: String) -> String {
      "BEGIN:VTIMEZONE\nTZID:\(name)\nBEGIN:STANDARD\nDTSTART:20000101T000000\nTZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\n"
        + "END:STANDARD\nEND:VTIMEZONE\n"
    }
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART;TZID=Caf\u{E9}:20261123T080000", "UID:b\nDTSTART;TZID=CAFE\u{301}:20261123T080000",
        head: zone("Caf\u{E9}", "+0100") + zone("Cafe\u{301}", "+0500")))
    #expect(try Calendars.events(file).map { $0.prefix(11) } == ["11-23T03:00", "11-23T07:00"])
  }

  @Test(
    "a zone changes at its DTSTARTs, its RDATEs, and its RRULEs up to UNTIL",
    arguments: [
      // Before the first change, the offset that it changes from applies.
      ("20090101T000000", "2009-01-01T02:00"),
      ("20100701T000000", "2010-07-01T03:00"),
      // UNTIL is 2012-04-01: the last summer begins then, and only the RDATE in 2013 ends it.
      ("20121231T000000", "2012-12-31T03:00"),
      ("20130601T000000", "2013-06-01T02:00"),
      ("20260701T000000", "07-01T02:00"),
    ])
  func changes(date: String, expected: String) throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Odd
      BEGIN:DAYLIGHT
      DTSTART:20100401T000000
      TZOFFSETFROM:-0200
      TZOFFSETTO:-0300
      RRULE:FREQ=YEARLY;UNTIL=20120401T020000Z
      END:DAYLIGHT
      BEGIN:STANDARD
      DTSTART:20101001T000000
      RDATE:20111001T000000,20130501T000000
      TZOFFSETFROM:-0300
      TZOFFSETTO:-0200
      END:STANDARD
      END:VTIMEZONE
      """
    #expect(try Self.start("DTSTART;TZID=Odd:\(date)", head: zone, year: String(date.prefix(4))) == expected)
  }

  @Test("every Windows name has a zone of the system")
  func windows() throws {
    for name in [
      "Pacific Standard Time", "Nepal Standard Time", "FLE Standard Time", "UTC-11", "Greenland Standard Time",
    ] {
      let file = try Calendars.read(Calendars.text("UID:a\nDTSTART;TZID=\(name):20260701T080000"))
      #expect(file.problems.isEmpty, "\(name)")
    }
  }

  @Test(
    "a time without a zone is in X-WR-TIMEZONE, or else in the cache's zone; a day is always in the cache's",
    arguments: [
      ("DTSTART:20260701T080000", "", "07-01T06:00"),
      ("DTSTART:20260701T080000", "X-WR-TIMEZONE:America/New_York", "07-01T12:00"),
      ("DTSTART:20260701T080000", "x-wr-timezone:W. Europe Standard Time", "07-01T06:00"),
      ("DTSTART;TZID=Asia/Tokyo:20260701T080000", "X-WR-TIMEZONE:America/New_York", "2026-06-30T23:00"),
      ("DTSTART:20260701T080000Z", "X-WR-TIMEZONE:America/New_York", "07-01T08:00"),
      ("DTSTART;VALUE=DATE:20260701", "X-WR-TIMEZONE:America/New_York", "06-30T22:00"),
      ("DTSTART:20260701", "", "06-30T22:00"),
    ])
  func withoutZone(line: String, head: String, expected: String) throws {
    #expect(try Self.start(line, head: head) == expected.replacing("2026-", with: ""))
  }

  @Test("an unknown X-WR-TIMEZONE is a problem, and times without a zone are in the cache's zone")
  func unknownCalendarZone() throws {
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20261123T080000", head: "X-WR-TIMEZONE:Mars/Olympus"))
    #expect(try Calendars.events(file) == ["11-23T07:00/11-23T07:00 a "])
    #expect(
      Calendars.problems(file) == [
        "3: unknown time zone \"Mars/Olympus\": times without zone count in the cache's [/X-WR-TIMEZONE]"
      ])
  }

  @Test("repeating events in UTC are moved to X-WR-TIMEZONE, so that their wall time stays")
  func googleSeries() throws {
    let event = "UID:a\nDTSTART:20261023T060000Z\nDTEND:20261023T070000Z\nRRULE:FREQ=DAILY;COUNT=4"
    let events = { head in
      try Calendars.events(try Calendars.read(Calendars.text(event, head: head)), from: "2026-10-20").map {
        $0.prefix(23)
      }
    }
    #expect(
      try events("X-WR-TIMEZONE:Europe/Berlin") == [
        "10-23T06:00/10-23T07:00", "10-24T06:00/10-24T07:00", "10-25T07:00/10-25T08:00", "10-26T07:00/10-26T08:00",
      ])
    #expect(try events("").last == "10-26T06:00/10-26T07:00")
  }

  @Test(
    "a skipped local time has the offset before the gap, and a repeated one counts the first time",
    arguments: [
      ("Europe/Berlin", "20260329T023000", "03-29T01:30"),
      ("Europe/Berlin", "20260329T020000", "03-29T01:00"),
      ("Europe/Berlin", "20260329T030000", "03-29T01:00"),
      ("Europe/Berlin", "20261025T023000", "10-25T00:30"),
      ("Europe/Berlin", "20261025T030000", "10-25T02:00"),
      ("Pacific/Apia", "20111230T120000", "2011-12-30T22:00"),
      ("Australia/Lord_Howe", "20261004T021500", "10-03T15:45"),
      ("America/New_York", "20261101T013000", "11-01T05:30"),
    ])
  func gaps(zone: String, date: String, expected: String) throws {
    let year = String(date.prefix(4))
    #expect(try Self.start("DTSTART;TZID=\(zone):\(date)", year: year) == expected)
    // The same if it is the cache's zone.
    #expect(try Self.start("DTSTART:\(date)", in: zone, year: year) == expected)
  }

  @Test(
    "zone names ignore case",
    arguments: [
      ("DTSTART;TZID=europe/berlin:20260701T080000", "07-01T06:00"),
      ("DTSTART;TZID=utc:20260701T080000", "07-01T08:00"),
      ("DTSTART;TZID=AMERICA/NEW_YORK:20260701T080000", "07-01T12:00"),
      ("DTSTART;TZID=/MOZILLA.ORG/2005/america/argentina/BUENOS_AIRES:20260701T080000", "07-01T11:00"),
      ("DTSTART;TZID=\"gmt+03:30\":20260701T080000", "07-01T04:30"),
      ("DTSTART;TZID=w. europe STANDARD time:20260701T080000", "07-01T06:00"),
      ("DTSTART;TZID=\"our OFFICE, ground floor\":20260701T080000", "07-01T06:00"),
    ])
  func cases(line: String, expected: String) throws { #expect(try Self.start(line, head: definition) == expected) }

  @Test("a zone belongs to the VCALENDAR of the event, wherever it is defined in there")
  func severalCalendars() throws {
    func calendar(_ uid: String, _ offset: String) -> String {
      Calendars.text("UID:\(uid)\nDTSTART;TZID=Home:20260701T080000")
        .replacing(
          "END:VCALENDAR",
          with: "BEGIN:VTIMEZONE\nTZID:HOME\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:\(offset)\n"
            + "TZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE\nEND:VCALENDAR")
    }
    let none = Calendars.text("UID:c\nDTSTART;TZID=Home:20260701T080000")
    let file = try Calendars.read(calendar("a", "+0100") + calendar("b", "+0500") + none)
    #expect(
      try Calendars.events(file, from: "2026-07-01", to: "2026-07-02") == [
        "07-01T03:00/07-01T03:00 b ", "07-01T07:00/07-01T07:00 a ",
      ])
    #expect(file.problems.map(\.pointer) == ["/VEVENT/2/DTSTART"])
  }

  @Test("an unusable VTIMEZONE is reported with its reason and line")
  func badDefinition() throws {
    let head = definition.replacing("Our office\\, ground floor", with: "Home").replacing(
      "TZOFFSETTO:+0100", with: "TZOFFSETTO:1")
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART;TZID=Home:20260701T080000", head: head))
    #expect(
      Calendars.problems(file) == [
        "20: the file's time zone \"Home\" cannot be used: invalid offset \"1\": write +0100 or -0330 (line 8): "
          + "this event is left out [/VEVENT/0/DTSTART]"
      ])
  }
}

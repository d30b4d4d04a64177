import CacheSync
import Testing

private let plain = """
  UID:a
  DTSTART:20261123T080000Z
  DTEND:20261123T090000Z
  SUMMARY:Standup
  LOCATION:Room 1
  """

@Suite("Calendars: reading")
struct CalendarFileTests {
  @Test("an event has its UID, title, place, start and end")
  func onePlainEvent() throws {
    let file = try Calendars.read(Calendars.text(plain))
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T09:00 a Standup at Room 1"])
    #expect(file.problems.isEmpty)
  }

  @Test(
    "CRLF, LF, CR CR LF, a byte-order mark, white space before the first line, lower case and empty lines change nothing",
    arguments: [
      Calendars.text(plain, newline: "\n"),
      Calendars.text(plain, newline: "\r\r\n"),
      "\u{FEFF}" + Calendars.text(plain), " \t" + Calendars.text(plain), "\u{FEFF}\n \n  " + Calendars.text(plain),
      "\n\r\n" + Calendars.text(plain, newline: "\r\n\r\n"),
      "begin:vcalendar\nbegin:vevent\nuid:a\ndtstart:20261123t080000z\ndtend:20261123t090000z\nsummary:Standup\n"
        + "location:Room 1\nend:vevent\nend:vcalendar",
      Calendars.text(plain.split(separator: "\n").map { $0 + "  " }.joined(separator: "\n"))
        .replacing("Standup  ", with: "Standup").replacing("Room 1  ", with: "Room 1"),
    ])
  func tolerance(text: String) throws {
    let file = try Calendars.read(text)
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T09:00 a Standup at Room 1"])
    #expect(file.problems.isEmpty)
  }

  @Test(
    "unused properties may be invalid, and stamps before 1970 are none",
    arguments: [
      "CREATED:00001231T000000Z", "DTSTAMP:00010101T000000Z", "LAST-MODIFIED:19691231T235959Z", "ATTACH;=:::",
      "CLASS:?", "GEO:x;y", "X-", "COMPLETED:x", "RELATED-TO",
      "BEGIN:VALARM\nTRIGGER:?\nUID:b\nDTSTART:?\nEND:VALARM",
    ])
  func brokenRest(line: String) throws {
    let file = try Calendars.read(Calendars.text(plain + "\n" + line))
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T09:00 a Standup at Room 1"])
    #expect(file.problems.isEmpty)
  }

  @Test("a line may be folded at any byte, also inside a character")
  func folds() throws {
    let text = Array(Calendars.text("UID:a\nDTSTART:20261123T080000Z\nSUMMARY:Čaj — 🫖 o páté").utf8)
    let expected = ["11-23T08:00/11-23T08:00 a Čaj — 🫖 o páté"]
    for index in text.indices.dropFirst(2) where text[index - 1] != 0x0A {
      for fold in [[0x0D, 0x0A, 0x20], [0x0A, 0x09]] as [[UInt8]] {
        // A fold between CR and LF is a separate line.
        if text[index] == 0x0A || text[index] == 0x0D { continue }
        let file = try Calendars.read(bytes: Array(text[..<index]) + fold + Array(text[index...]))
        #expect(try Calendars.events(file) == expected, "\(index)")
      }
    }
    // Each byte of the title is on its own line.
    let start = try #require(text.firstRange(of: Array("SUMMARY:".utf8))).upperBound
    let end = try #require(text.firstRange(of: Array("\r\nEND:VEVENT".utf8))).lowerBound
    let bytes = text[..<start] + text[start..<end].flatMap { [0x0D, 0x0A, 0x20, $0] } + text[end...]
    #expect(try Calendars.events(try Calendars.read(bytes: Array(bytes))) == expected)
  }

  @Test(
    "a file that is not a calendar, is cut off, or is not UTF-8 is unusable",
    arguments: [
      ("", "1:1: no calendar: it must begin with BEGIN:VCALENDAR"),
      ("\n\n", "1:1: no calendar: it must begin with BEGIN:VCALENDAR"),
      ("{}", "1:1: no calendar: it must begin with BEGIN:VCALENDAR"),
      ("BEGIN:VCARD\nEND:VCARD\n", "1:1: no calendar: it must begin with BEGIN:VCALENDAR"),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n", "3:1: the calendar is cut off: no END:VCALENDAR"),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALEN", "4:1: the calendar is cut off: no END:VCALENDAR"),
      ("BEGIN:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR", "2:1: the calendar before is cut off: no END:VCALENDAR"),
    ])
  func unusable(text: String, message: String) {
    #expect(Calendars.unusable(text) == message)
  }

  @Test("invalid UTF-8 is reported with its line and column, also in a folded line")
  func encoding() {
    let head = Array("BEGIN:VCALENDAR\r\nSUMMARY:a\r\n b".utf8)
    let tail = Array("\r\nEND:VCALENDAR\r\n".utf8)
    let message = "broken UTF-8: save the calendar as UTF-8"
    #expect(Calendars.unusable(bytes: head + [0xFF] + tail) == "3:3: \(message)")
    #expect(Calendars.unusable(bytes: head + [0xC3] + tail) == "3:3: \(message)")
    #expect(Calendars.unusable(bytes: head + [0xC3, 0x0A, 0x20, 0xA9] + tail) == nil)
    #expect(Calendars.unusable(bytes: Array("BEGIN:VCALENDAR\nX:\u{E9}".utf8).dropLast() + [0x0A]) == "2:3: \(message)")
  }

  @Test("texts are unescaped")
  func escapes() throws {
    let file = try Calendars.read(
      Calendars.text("UID:a\\,b\nDTSTART:20261123T080000Z\nSUMMARY;LANGUAGE=\"x:y;z\":1\\, 2\\; 3\\\\n\\nb:c\\"))
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T08:00 a,b 1, 2; 3\\n\nb:c\\"])
  }

  @Test("only events and to-dos are read")
  func others() throws {
    let file = try Calendars.read(
      Calendars.text(
        plain + "\nATTACH;broken\nX-FOO\nBEGIN:VALARM\nDTSTART:never\nSUMMARY\nTRIGGER:-PT\nEND:VALARM",
        head: "garbage\nBEGIN:VTODO\nUID:a\nDTEND:never\nBEGIN:VALARM\nDUE:never\nEND:VALARM\nEND:VTODO\n"
          + "BEGIN:VJOURNAL\nUID:a"))
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T09:00 a Standup at Room 1"])
    #expect(file.problems.isEmpty)
  }

  @Test(
    "a bad event is a problem at its property and drops its UID; the others count",
    arguments: [
      (
        "DTSTART:never",
        "9: invalid date \"never\": write 20261123, 20261123T080000 or 20261123T080000Z: this event is left out [/VEVENT/1/DTSTART]"
      ),
      ("DTSTART", "9: no ':' after DTSTART: this event is left out [/VEVENT/1/DTSTART]"),
      (
        "DTSTART:20260230",
        "9: invalid date \"20260230\": write 20261123, 20261123T080000 or 20261123T080000Z: this event is left out [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART:20261123T250000",
        "9: invalid date \"20261123T250000\": write 20261123, 20261123T080000 or 20261123T080000Z: this event is left out [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART;VALUE=DATE:20261123T080000",
        "9: VALUE=DATE, and \"20261123T080000\" has a time: write 20261123: this event is left out [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART;VALUE=DATE-TIME:20261123",
        "9: VALUE=DATE-TIME, and \"20261123\" has no time: this event is left out [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART;TZID=Mars/Olympus:20261123T080000",
        "9: unknown time zone \"Mars/Olympus\": the system, the file and Windows have none of that name: this event is left out [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART;TZID=Europe/Berln:20261123T080000",
        "9: unknown time zone \"Europe/Berln\" (did you mean Europe/Berlin?): the system, the file and Windows have none of that name: this event is left out [/VEVENT/1/DTSTART]"
      ),
      ("SUMMARY:x", #"7: "x": no DTSTART: this event is left out [/VEVENT/1/DTSTART]"#),
      (
        "DTSTART:20261123\nDTSTART:20261123",
        "10: a second DTSTART: write one: this event is left out [/VEVENT/1/DTSTART]"
      ),
      ("DTSTART:20261123\nUID:other", "10: a second UID: write one: this event is left out [/VEVENT/1/UID]"),
    ])
  func bad(lines: String, problem: String) throws {
    // The same UID again: it is valid, but left out.
    let file = try Calendars.read(
      Calendars.text(
        "UID:good\nDTSTART:20261123T080000Z", "UID:bad\n" + lines,
        "UID:bad\nRECURRENCE-ID:20261125\nDTSTART:20261126"))
    #expect(Calendars.problems(file) == [problem])
    #expect(try Calendars.ids(file) == ["good"])
  }

  @Test("an RRULE that cannot be read is a problem of its event")
  func badRule() throws {
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261123\nRRULE:FREQ=SOMETIMES"))
    #expect(file.problems.map(\.pointer) == ["/VEVENT/0/RRULE"])
    #expect(file.problems.map(\.line) == [6])
    #expect(file.series.isEmpty)
  }

  @Test("an event without its END is invalid, and the next one counts")
  func unclosed() throws {
    let text = Calendars.text("UID:a\nDTSTART:20261123", plain.replacing("UID:a", with: "UID:b"))
    let first = try Calendars.read(text.replacing("DTSTART:20261123\r\nEND:VEVENT\r\n", with: "DTSTART:20261123\r\n"))
    #expect(Calendars.problems(first) == ["3: no END:VEVENT: this event is left out [/VEVENT/0]"])
    #expect(try Calendars.ids(first) == ["b"])
    let last = try Calendars.read(text.replacing("Room 1\r\nEND:VEVENT\r\n", with: "Room 1\r\n"))
    #expect(Calendars.problems(last) == [#"7: "Standup": no END:VEVENT: this event is left out [/VEVENT/1]"#])
    #expect(try Calendars.ids(last) == ["a"])
  }

  @Test("an event without UID gets an id from its file and its place")
  func withoutUID() throws {
    let file = try Calendars.read(
      Calendars.text(
        plain, "DTSTART:20261124T080000Z", "UID:\nDTSTART:20261124T090000Z\nRRULE:FREQ=DAILY;COUNT=2"),
      path: "events/b.ics")
    #expect(
      try Calendars.ids(file)
        == ["a", "events/b.ics:1", "events/b.ics:2#20261124T090000Z", "events/b.ics:2#20261125T090000Z"])
  }

  @Test("several calendars in a file are all read, each with its own zone")
  func calendars() throws {
    let first = Calendars.text("UID:a\nDTSTART:20261123T080000", head: "X-WR-TIMEZONE:America/New_York")
    let second = Calendars.text("UID:b\nDTSTART:20261123T080000\nDTEND:never", "UID:c\nDTSTART:20261123T080000")
    let file = try Calendars.read(first + second)
    #expect(
      try Calendars.events(file) == [
        "11-23T07:00/11-23T07:00 b ", "11-23T07:00/11-23T07:00 c ", "11-23T13:00/11-23T13:00 a ",
      ])
    #expect(file.problems.map(\.pointer) == ["/VEVENT/1/DTEND"])
  }

  @Test("beyond the limit, the events that end first are left out with their UIDs, as one problem")
  func limit() throws {
    var limits = CalendarLimits()
    limits.events = 3
    let events = [
      "UID:old\nDTSTART:20261101T080000Z", "UID:late\nDTSTART:20261124T080000Z", "UID:soon\nDTSTART:20261123T080000Z",
      "UID:series\nDTSTART:20200101T080000Z\nRRULE:FREQ=WEEKLY;BYDAY=SU;UNTIL=20261123T000000Z",
      "UID:older\nDTSTART:20261031T080000Z",
    ]
    let file = try Calendars.read(Calendars.text(events), limits: limits)
    #expect(
      try Calendars.ids(file, from: "2026-11-16") == ["series#20261122T080000Z", "soon", "late"])
    #expect(
      Calendars.problems(file) == [
        "15: 5 events, and at most 3 count: those that end first are left out, with all of their UIDs [/VEVENT/3]"
      ])
    // Twice as many as the limit are dropped while reading, with the same result.
    let more = (0..<9).map { "UID:m\($0)\nDTSTART:2025010\($0 + 1)T080000Z" }
    let last = try Calendars.read(Calendars.text(more + events), limits: limits)
    #expect(try Calendars.ids(last, from: "2026-11-16") == ["series#20261122T080000Z", "soon", "late"])
  }

  @Test("12,000 events of a file all count, on whichever day")
  func archive() throws {
    let days = (0..<12_000).map { LocalDay(ordinal: 10_957 + $0).description.replacing("-", with: "") }
    let file = try Calendars.read(Calendars.text(days.map { "UID:\($0)\nDTSTART:\($0)T100000Z" }))
    // The first is on 2000-01-01, the last on 2032-11-07.
    #expect(file.series.count == 12_000 && file.problems.isEmpty)
    for (from, to) in [("2000-01-01", "2000-01-03"), ("2026-11-24", "2026-11-26"), ("2032-11-06", "2032-11-08")] {
      #expect(try Calendars.ids(file, from: from, to: to).count == 2)
    }
  }

  @Test(
    "what a reader would miss is a warning, once for each kind, and the event still counts",
    arguments: [
      (
        "EXRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY",
        "6: EXRULE is ignored: take the dates out with EXDATE [/VEVENT/0/EXRULE]"
      ),
      ("exrule", "6: EXRULE is ignored: no ':' after EXRULE [/VEVENT/0/EXRULE]"),
      (
        "RDATE;VALUE=TEXT:20261124\nRDATE;VALUE=TEXT:20261125",
        "6: VALUE=\"TEXT\" is ignored: only DATE and DATE-TIME are known [/VEVENT/0/RDATE]"
      ),
      (
        "EXDATE;VALUE=PERIOD:20261124",
        "6: VALUE=\"PERIOD\" is ignored: only DATE and DATE-TIME are known [/VEVENT/0/EXDATE]"
      ),
      (
        "RECURRENCE-ID;RANGE=THISANDPRIOR:20261123",
        "6: RANGE=\"THISANDPRIOR\" is ignored: only THISANDFUTURE is known [/VEVENT/0/RECURRENCE-ID]"
      ),
    ])
  func ignored(lines: String, problem: String) throws {
    let file = try Calendars.read(Calendars.text("UID:a\nDTSTART:20261123\n" + lines))
    #expect(Calendars.problems(file) == [problem])
    #expect(try Calendars.events(file).count > 0)
  }

  @Test("a calendar with another CALSCALE than Gregorian is a warning")
  func scale() throws {
    let file = try Calendars.read(Calendars.text(plain, head: "CALSCALE:GREGORIAN\nCALSCALE:HEBREW"))
    #expect(
      Calendars.problems(file) == ["4: CALSCALE \"HEBREW\" is ignored: dates are read as Gregorian [/CALSCALE]"])
    #expect(try Calendars.ids(file) == ["a"])
  }

  @Test("VEVENTs with the same UID but different starts are separate events, with a warning")
  func sameUID() throws {
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261123T080000Z\nSUMMARY:first",
        "UID:a\nDTSTART;TZID=Europe/Berlin:20261124T090000\nSUMMARY:second",
        "UID:a\nDTSTART;TZID=Europe/Berlin:20261123T090000\nSUMMARY:newer\nSEQUENCE:1",
        "UID:a\nDTSTART:20261125\nSUMMARY:day", "UID:a\nDTSTART:20261126T090000\nSUMMARY:floating"))
    #expect(
      try Calendars.events(file) == [
        "11-23T08:00/11-23T08:00 a newer", "11-24T08:00/11-24T08:00 a#20261124T080000Z second",
        "11-24T23:00/11-25T23:00 a#20261125 day all day",
        "11-26T08:00/11-26T08:00 a#20261126T090000 floating",
      ])
    let warning = "another start under the UID of an earlier event: it counts as an event of its own"
    #expect(
      Calendars.problems(file) == [
        "8: \"second\": \(warning) [/VEVENT/1]", "19: \"day\": \(warning) [/VEVENT/3]",
        "24: \"floating\": \(warning) [/VEVENT/4]",
      ])
  }

  @Test(
    "An all-day event and a timed one on that day with the same UID are two events, in either order",
    arguments: [true, false])
  func dayAndTime(isDayFirst: Bool) throws {
    let events = ["UID:a\nDTSTART:20261125\nSUMMARY:day", "UID:a\nDTSTART:20261125T100000Z\nSUMMARY:timed"]
    let file = try Calendars.read(
      Calendars.text(isDayFirst ? events[0] : events[1], isDayFirst ? events[1] : events[0]))
    let titles = try Calendars.events(file).map { $0.contains("timed") ? "timed" : "day" }
    #expect(titles.sorted() == ["day", "timed"])
  }

  @Test("The id of an override has the form of its series' ids, however RECURRENCE-ID is written")
  func idOfOverride() throws {
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261123\nRRULE:FREQ=DAILY;COUNT=2\nSUMMARY:s",
        "UID:a\nRECURRENCE-ID:20261124T000000\nDTSTART:20261124\nSUMMARY:o"))
    #expect(try Calendars.events(file).contains { $0.contains(" a#20261124 o") })
  }

  @Test("if two VEVENTs have the same UID and start, the newer wins: by SEQUENCE, DTSTAMP, then place in the file")
  func sameStart() throws {
    func title(_ first: String, _ second: String) throws -> [String] {
      let file = try Calendars.read(
        Calendars.text(
          "UID:a\nDTSTART:20261123T080000Z\nSUMMARY:1\n" + first,
          "UID:a\nDTSTART:20261123T080000Z\nSUMMARY:2\n" + second))
      #expect(file.problems.isEmpty)
      return try Calendars.events(file).map { String($0.suffix(3)) }
    }
    #expect(try title("SEQUENCE:2", "SEQUENCE:1\nDTSTAMP:20260101T000000Z") == ["a 1"])
    #expect(try title("DTSTAMP:20260102T000000Z", "DTSTAMP:20260101T000000Z") == ["a 1"])
    #expect(try title("", "") == ["a 2"])
  }

  @Test("no two events have the same id: a VEVENT replaces the occurrence with the same start")
  func sameUIDInSeries() throws {
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261123T080000Z\nRRULE:FREQ=DAILY;COUNT=3", "UID:a\nDTSTART:20261124T080000Z\nSUMMARY:lost",
        "UID:a\nDTSTART:20261125T120000Z\nSUMMARY:moved\nRECURRENCE-ID:20261125T080000Z",
        "UID:a\nDTSTART:20261124T120000Z\nSUMMARY:twice\nRECURRENCE-ID:20261124T080000Z"))
    #expect(
      try Calendars.events(file) == [
        "11-23T08:00/11-23T08:00 a#20261123T080000Z ", "11-24T08:00/11-24T08:00 a#20261124T080000Z lost",
        "11-25T12:00/11-25T12:00 a#20261125T080000Z moved",
      ])
  }
}

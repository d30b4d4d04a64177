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
    "CRLF, LF, CR CR LF, a byte-order mark, lower case and empty lines change nothing",
    arguments: [
      Calendars.text(plain, newline: "\n"),
      Calendars.text(plain, newline: "\r\r\n"),
      "\u{FEFF}" + Calendars.text(plain),
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
    "what is not read may be broken, and DTSTAMP, which only settles which file counts",
    arguments: [
      "DTSTAMP:", "DTSTAMP:today", "DTSTAMP", "CREATED:x", "LAST-MODIFIED", "ATTACH;=:::", "CLASS:?", "GEO:x;y", "X-",
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
        // A fold between CR and LF is a line of its own.
        if text[index] == 0x0A || text[index] == 0x0D { continue }
        let file = try Calendars.read(bytes: Array(text[..<index]) + fold + Array(text[index...]))
        #expect(try Calendars.events(file) == expected, "\(index)")
      }
    }
    // All bytes of the title on lines of their own.
    let start = try #require(text.firstRange(of: Array("SUMMARY:".utf8))).upperBound
    let end = try #require(text.firstRange(of: Array("\r\nEND:VEVENT".utf8))).lowerBound
    let bytes = text[..<start] + text[start..<end].flatMap { [0x0D, 0x0A, 0x20, $0] } + text[end...]
    #expect(try Calendars.events(try Calendars.read(bytes: Array(bytes))) == expected)
  }

  @Test(
    "a file that is no calendar, cut off, or not UTF-8 is unusable",
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

  @Test("broken UTF-8 is named by its line and column, also in a folded line")
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

  @Test("nothing but events is looked at")
  func others() throws {
    let file = try Calendars.read(
      Calendars.text(
        plain + "\nATTACH;broken\nX-FOO\nBEGIN:VALARM\nDTSTART:never\nSUMMARY\nTRIGGER:-PT\nEND:VALARM",
        head: "garbage\nBEGIN:VTODO\nUID:a\nDTSTART:never\nBEGIN:VALARM\nEND:VALARM\nEND:VTODO\nBEGIN:VJOURNAL\nUID:a"))
    #expect(try Calendars.events(file) == ["11-23T08:00/11-23T09:00 a Standup at Room 1"])
    #expect(file.problems.isEmpty)
  }

  @Test(
    "a bad event is a problem at its property and takes its UID with it; the others count",
    arguments: [
      (
        "DTSTART:never",
        "9: \"never\" is no date: write 20261123, 20261123T080000 or 20261123T080000Z [/VEVENT/1/DTSTART]"
      ),
      ("DTSTART", "9: no ':' after DTSTART [/VEVENT/1/DTSTART]"),
      (
        "DTSTART:20260230",
        "9: \"20260230\" is no date: write 20261123, 20261123T080000 or 20261123T080000Z [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART:20261123T250000",
        "9: \"20261123T250000\" is no date: write 20261123, 20261123T080000 or 20261123T080000Z [/VEVENT/1/DTSTART]"
      ),
      (
        "DTSTART;VALUE=DATE:20261123T080000",
        "9: VALUE=DATE, and \"20261123T080000\" has a time: write 20261123 [/VEVENT/1/DTSTART]"
      ),
      ("DTSTART;VALUE=DATE-TIME:20261123", "9: VALUE=DATE-TIME, and \"20261123\" has no time [/VEVENT/1/DTSTART]"),
      (
        "DTSTART;TZID=Mars/Olympus:20261123T080000",
        "9: unknown time zone \"Mars/Olympus\": the system, the file and Windows have none of that name [/VEVENT/1/DTSTART]"
      ),
      ("SUMMARY:x", "7: no DTSTART [/VEVENT/1]"),
      ("DTSTART:20261123\nDTSTART:20261123", "10: a second DTSTART: write one [/VEVENT/1/DTSTART]"),
      ("DTSTART:20261123\nDTEND:20261122", "10: DTEND is before DTSTART [/VEVENT/1/DTEND]"),
      (
        "DTSTART:20261123T080000Z\nDTEND;TZID=Europe/Berlin:20261123T085959",
        "10: DTEND is before DTSTART [/VEVENT/1/DTEND]"
      ),
      ("DTEND:20261124\nDTSTART:20261123T080000Z", "9: DTSTART is a time, DTEND a day [/VEVENT/1/DTEND]"),
      (
        "DTSTART:20261123\nDURATION:-P1D",
        "10: a length below zero: an event cannot end before it starts [/VEVENT/1/DURATION]"
      ),
      ("DTSTART:20261123\nSEQUENCE:x", "10: \"x\" is no whole number [/VEVENT/1/SEQUENCE]"),
      (
        "DTSTART:20261123\nRDATE:20261201T080000Z/20261201T070000Z",
        "10: the period \"20261201T080000Z/20261201T070000Z\" ends before it starts [/VEVENT/1/RDATE]"
      ),
      (
        "DTSTART:20261123\nEXDATE:20261201,x",
        "10: \"x\" is no date: write 20261123, 20261123T080000 or 20261123T080000Z [/VEVENT/1/EXDATE]"
      ),
      ("DTSTART:20261123\nUID:other", "10: a second UID: write one [/VEVENT/1/UID]"),
    ])
  func bad(lines: String, problem: String) throws {
    // The same UID once more: good, and yet left out.
    let file = try Calendars.read(
      Calendars.text(
        "UID:good\nDTSTART:20261123T080000Z", "UID:bad\n" + lines,
        "UID:bad\nRECURRENCE-ID:20261125\nDTSTART:20261126"))
    #expect(Calendars.problems(file) == [problem])
    #expect(try Calendars.ids(file) == ["good"])
  }

  @Test("an RRULE or DURATION that cannot be read is a problem of its event")
  func badValues() throws {
    let file = try Calendars.read(
      Calendars.text("UID:a\nDTSTART:20261123\nRRULE:FREQ=SOMETIMES", "UID:b\nDTSTART:20261123\nDURATION:1 day"))
    #expect(file.problems.map(\.pointer) == ["/VEVENT/0/RRULE", "/VEVENT/1/DURATION"])
    #expect(file.problems.map(\.line) == [6, 11])
    #expect(file.series.isEmpty)
  }

  @Test("an event without its END is bad, the next one counts")
  func unclosed() throws {
    let text = Calendars.text("UID:a\nDTSTART:20261123", plain.replacing("UID:a", with: "UID:b"))
    let first = try Calendars.read(text.replacing("DTSTART:20261123\r\nEND:VEVENT\r\n", with: "DTSTART:20261123\r\n"))
    #expect(Calendars.problems(first) == ["3: no END:VEVENT [/VEVENT/0]"])
    #expect(try Calendars.ids(first) == ["b"])
    let last = try Calendars.read(text.replacing("Room 1\r\nEND:VEVENT\r\n", with: "Room 1\r\n"))
    #expect(Calendars.problems(last) == ["7: no END:VEVENT [/VEVENT/1]"])
    #expect(try Calendars.ids(last) == ["a"])
  }

  @Test("an event without UID has its id from its file and place")
  func withoutUID() throws {
    let file = try Calendars.read(
      Calendars.text(
        plain, "DTSTART:20261124T080000Z", "UID:\nDTSTART:20261124T090000Z\nRRULE:FREQ=DAILY;COUNT=2"),
      path: "events/b.ics")
    #expect(
      try Calendars.ids(file)
        == ["a", "events/b.ics:1", "events/b.ics:2#20261124T090000Z", "events/b.ics:2#20261125T090000Z"])
  }

  @Test("several calendars in a file count, each with its own zone")
  func calendars() throws {
    let first = Calendars.text("UID:a\nDTSTART:20261123T080000", head: "X-WR-TIMEZONE:America/New_York")
    let second = Calendars.text("UID:b\nDTSTART:20261123T080000\nDTEND:never", "UID:c\nDTSTART:20261123T080000")
    let file = try Calendars.read(first + second)
    #expect(
      try Calendars.events(file) == ["11-23T07:00/11-23T07:00 c ", "11-23T13:00/11-23T13:00 a "])
    #expect(file.problems.map(\.pointer) == ["/VEVENT/1/DTEND"])
  }

  @Test("more events than the limit are left out with their UIDs, as one problem")
  func limit() throws {
    var limits = CalendarLimits()
    limits.events = 2
    let file = try Calendars.read(
      Calendars.text(
        "UID:a\nDTSTART:20261123", "UID:b\nDTSTART:20261123", "UID:c\nDTSTART:20261123",
        "UID:a\nRECURRENCE-ID:20261124\nDTSTART:20261123"), limits: limits)
    #expect(try Calendars.ids(file) == ["b"])
    #expect(
      Calendars.problems(file) == [
        "11: more than 2 events: this one and those after it are left out, with all of their UIDs [/VEVENT/2]"
      ])
  }
}

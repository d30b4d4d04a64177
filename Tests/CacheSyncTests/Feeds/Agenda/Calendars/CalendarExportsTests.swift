import CacheSync
import Testing

/// Shortened exports of programs, with the oddities that each is known for.
@Suite("Calendars: exports of programs")
struct CalendarExportsTests {
  @Test("Outlook: Windows names of zones with their own VTIMEZONE, empty lines in texts, X- properties, 1601")
  func outlook() throws {
    let text = """
      BEGIN:VCALENDAR
      PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
      VERSION:2.0
      METHOD:PUBLISH
      X-CALSTART:20261025T060000Z
      X-WR-RELCALID:{0000002E-9CDF-9CE8-AFB2-F1BC7D1A7F9D}
      BEGIN:VTIMEZONE
      TZID:W. Europe Standard Time
      BEGIN:STANDARD
      DTSTART:16011028T030000
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010325T020000
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      END:DAYLIGHT
      END:VTIMEZONE
      BEGIN:VEVENT
      CLASS:PUBLIC
      CREATED:20261019T081500Z
      DESCRIPTION:Agenda\\n\\n
      \t1. Budget\\n
      DTEND;TZID="W. Europe Standard Time":20261023T110000
      DTSTAMP:20261019T081500Z
      DTSTART;TZID="W. Europe Standard Time":20261023T100000
      LOCATION:Raum 4\\; EG
      PRIORITY:5
      RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=FR
      SEQUENCE:0
      SUMMARY;LANGUAGE=de:Jour fixe
      TRANSP:OPAQUE
      UID:040000008200E00074C5B7101A82E008000000
       0000000001
      X-ALT-DESC;FMTTYPE=text/html:<html><body>\\n</body></html>
      X-MICROSOFT-CDO-BUSYSTATUS:BUSY
      BEGIN:VALARM
      TRIGGER:-PT15M
      ACTION:DISPLAY
      DESCRIPTION:Reminder
      END:VALARM
      END:VEVENT
      END:VCALENDAR
      """
    let file = try Calendars.read(text.replacing("\n", with: "\r\n"))
    let uid = "040000008200E00074C5B7101A82E0080000000000000001"
    #expect(file.problems.isEmpty)
    #expect(
      try Calendars.events(file, from: "2026-10-01") == [
        "10-23T08:00/10-23T09:00 \(uid)#20261023T080000Z Jour fixe at Raum 4; EG",
        "10-30T09:00/10-30T10:00 \(uid)#20261030T090000Z Jour fixe at Raum 4; EG",
      ])
  }

  @Test("Google: X-WR-TIMEZONE, empty places, days, a moved and a cancelled occurrence")
  func google() throws {
    let text = """
      BEGIN:VCALENDAR
      PRODID:-//Google Inc//Google Calendar 70.9054//EN
      VERSION:2.0
      CALSCALE:GREGORIAN
      X-WR-CALNAME:Home
      X-WR-TIMEZONE:Europe/London
      BEGIN:VEVENT
      DTSTART;TZID=Europe/London:20261019T183000
      DTEND;TZID=Europe/London:20261019T193000
      RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20261116T235959Z;BYDAY=MO
      EXDATE;TZID=Europe/London:20261109T183000
      DTSTAMP:20261120T100000Z
      UID:0abc@google.com
      LOCATION:
      SEQUENCE:1
      STATUS:CONFIRMED
      SUMMARY:Yoga
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261027T190000Z
      DTEND:20261027T200000Z
      DTSTAMP:20261120T100000Z
      UID:0abc@google.com
      RECURRENCE-ID;TZID=Europe/London:20261026T183000
      SEQUENCE:2
      SUMMARY:Yoga (Tuesday)
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261102T183000Z
      DTEND:20261102T193000Z
      UID:0abc@google.com
      RECURRENCE-ID:20261102T183000Z
      STATUS:CANCELLED
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261105
      DTEND;VALUE=DATE:20261106
      UID:1abc@google.com
      SUMMARY:Bonfire Night
      TRANSP:TRANSPARENT
      END:VEVENT
      END:VCALENDAR
      """
    let file = try Calendars.read(text)
    #expect(file.problems.isEmpty)
    #expect(
      try Calendars.events(file, from: "2026-10-01", in: "Europe/London") == [
        "10-19T17:30/10-19T18:30 0abc@google.com#20261019T173000Z Yoga",
        "10-27T19:00/10-27T20:00 0abc@google.com#20261026T183000Z Yoga (Tuesday)",
        "11-05T00:00/11-06T00:00 1abc@google.com Bonfire Night all day",
        "11-16T18:30/11-16T19:30 0abc@google.com#20261116T183000Z Yoga",
      ])
  }

  @Test("Apple: structured places, a day without DTEND's VALUE, a series that was split with THISANDFUTURE")
  func apple() throws {
    let text = """
      BEGIN:VCALENDAR
      CALSCALE:GREGORIAN
      PRODID:-//Apple Inc.//macOS 14.0//EN
      VERSION:2.0
      X-APPLE-CALENDAR-COLOR:#1BADF8
      BEGIN:VEVENT
      CREATED:20261001T080000Z
      UID:5F1C-1
      RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20261126T225959Z
      X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
      DTEND;TZID=Europe/Berlin:20261124T083000
      SUMMARY:Walk
      LAST-MODIFIED:20261001T080000Z
      DTSTAMP:20261001T080000Z
      DTSTART;TZID=Europe/Berlin:20261124T080000
      LOCATION:Park\\nBerlin
      X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE="Park; \
      the big: one":geo:52.5,13.4
      SEQUENCE:0
      END:VEVENT
      BEGIN:VEVENT
      UID:5F1C-1
      RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261126T080000
      DTSTART;TZID=Europe/Berlin:20261126T073000
      DTEND;TZID=Europe/Berlin:20261126T080000
      SUMMARY:Early walk
      DTSTAMP:20261001T080000Z
      SEQUENCE:0
      END:VEVENT
      BEGIN:VEVENT
      UID:5F1C-2
      DTSTART;VALUE=DATE:20261128
      DTEND:20261130
      SUMMARY:Trip
      END:VEVENT
      END:VCALENDAR
      """
    let file = try Calendars.read(text)
    #expect(file.problems.isEmpty)
    #expect(
      try Calendars.events(file) == [
        "11-24T07:00/11-24T07:30 5F1C-1#20261124T070000Z Walk at Park\nBerlin",
        "11-25T07:00/11-25T07:30 5F1C-1#20261125T070000Z Walk at Park\nBerlin",
        "11-26T06:30/11-26T07:00 5F1C-1#20261126T070000Z Early walk",
        "11-27T23:00/11-29T23:00 5F1C-2 Trip all day",
      ])
  }
}

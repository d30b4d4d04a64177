import CacheSync
import CacheSyncSystem
import Testing

/// Exported calendars of what calendars have (calendars.md). The expected texts are written by hand from RFC 5545.
@Suite("Calendars: exported as they came in")
struct CalendarSourceTests {
  /// The lines of the exported components, but those of zones.
  private func lines(
    _ files: KeyValuePairs<String, String>, of feed: FeedName = "events", in zone: String = "Europe/Berlin",
    me: Set<ExactText> = []
  ) throws -> [String] {
    var lines = try Calendars.exported(files, of: feed, in: zone, me: me).split(separator: "\r\n").map(String.init)
    while let start = lines.firstIndex(of: "BEGIN:VTIMEZONE"), let end = lines.firstIndex(of: "END:VTIMEZONE") {
      lines.removeSubrange(start...end)
    }
    return Array(lines.dropFirst(7).dropLast())
  }

  /// The lines of one event between two that say what it is.
  private func event(
    _ event: String, _ others: String..., head: String = "", in zone: String = "Europe/Berlin", me: Set<ExactText> = []
  ) throws -> [String] {
    let text = Calendars.text(["UID:a\nDTSTAMP:20261101T000000Z\n" + event] + others, head: head)
    return try lines(["events/a.ics": text], in: zone, me: me).filter {
      !$0.hasPrefix("BEGIN:VEVENT") && !$0.hasPrefix("END:VEVENT") && !$0.hasPrefix("DTSTAMP") && $0 != "SUMMARY:"
    }
  }

  @Test(
    "A series keeps its UID, zone, rule, exceptions, changes, alarms and priority, and loses what is not for readers")
  func series() throws {
    let head =
      "UID:A-1@example.org\nDTSTAMP:20261101T000000Z\nDTSTART;TZID=Europe/Berlin:20261006T090000\n"
      + "DTEND;TZID=Europe/Berlin:20261006T100000\nRRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=200\n"
    let rest =
      "EXDATE;TZID=Europe/Berlin:20261008T090000,20261013T090000\nSUMMARY:Jour fixe\\, weekly\nLOCATION:Room 4\n"
      + "PRIORITY:1\nSEQUENCE:3\nTRANSP:OPAQUE\nSTATUS:CONFIRMED\nCATEGORIES:Work,Team\nDESCRIPTION:Secret\n"
      + "ORGANIZER:mailto:lee@example.org\nATTENDEE:mailto:kim@example.org\nX-SOMETHING:1\nBEGIN:VALARM\n"
      + "ACTION:DISPLAY\nTRIGGER:-PT15M\nDESCRIPTION:Soon\nX-WR-ALARMUID:1\nEND:VALARM"
    let change = "UID:A-1@example.org\nRECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T100000Z\nSUMMARY:Later\n"
    let cancelled = "UID:A-1@example.org\nRECURRENCE-ID:20261201T080000Z\nDTSTART:20261201T080000Z\nSTATUS:CANCELLED\n"
    #expect(
      try lines(["events/a.ics": Calendars.text(head + rest, change, cancelled)]) == [
        "BEGIN:VEVENT", "UID:A-1@example.org", "DTSTAMP:20261101T000000Z", "SUMMARY:Jour fixe\\, weekly",
        "LOCATION:Room 4", "DTSTART;TZID=Europe/Berlin:20261006T090000", "DTEND;TZID=Europe/Berlin:20261006T100000",
        "RRULE:FREQ=WEEKLY;COUNT=200;BYDAY=TU,TH", "EXDATE;TZID=Europe/Berlin:20261008T090000",
        "EXDATE;TZID=Europe/Berlin:20261013T090000", "EXDATE;TZID=Europe/Berlin:20261201T090000", "SEQUENCE:3",
        "TRANSP:OPAQUE", "PRIORITY:1", "STATUS:CONFIRMED", "CATEGORIES:Work,Team", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER:-PT15M", "DESCRIPTION:Soon", "END:VALARM", "END:VEVENT",
        "BEGIN:VEVENT", "UID:A-1@example.org", "DTSTAMP:20261124T100000Z", "SUMMARY:Later", "DTSTART:20261124T100000Z",
        "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000", "END:VEVENT",
      ])
    // It ended before the days that are exported.
    #expect(try lines(["events/a.ics": Calendars.text(head.replacing("200", with: "3"))]) == [])
  }

  @Test("A series whose first start clocks skip keeps its length, which its other occurrences have")
  func skippedStart() throws {
    // Clocks go from 02:00 to 03:00 on that day, so the first one ends when it starts.
    let end = "DTEND;TZID=Europe/Berlin:20260329T033000"
    let found = try event("DTSTART;TZID=Europe/Berlin:20260329T023000\n\(end)\nRRULE:FREQ=DAILY")
    #expect(found.contains(end), "\(found)")
  }

  @Test(
    "A rule ends at a moment in UTC, whatever its end was, or on a day",
    arguments: [
      ("DTSTART;TZID=Europe/Berlin:20261120T090000", "20261130T080000Z", "20261130T080000Z"),
      // To the end of that day, and a wall time.
      ("DTSTART;TZID=Europe/Berlin:20261120T090000", "20261130", "20261130T225959Z"),
      ("DTSTART;TZID=Europe/Berlin:20261120T090000", "20261130T090000", "20261130T080000Z"),
      ("DTSTART:20261120T090000", "20261130T090000", "20261130T080000Z"),
      ("DTSTART;VALUE=DATE:20261120", "20261130", "20261130"),
      ("DTSTART;VALUE=DATE:20261120", "20261130T080000Z", "20261130"),
    ])
  func until(start: String, until: String, expected: String) throws {
    let found = try event("\(start)\nRRULE:FREQ=DAILY;UNTIL=\(until)")
    #expect(found.first { $0.hasPrefix("RRULE") } == "RRULE:FREQ=DAILY;UNTIL=\(expected)")
  }

  @Test(
    "Exceptions name the occurrences that they leave out",
    arguments: [
      ("DTSTART;TZID=Europe/Berlin:20261120T090000", "EXDATE:20261121T080000Z", "TZID=Europe/Berlin:20261121T090000"),
      ("DTSTART:20261120T090000", "EXDATE:20261121T080000Z", "TZID=Europe/Berlin:20261121T090000"),
      ("DTSTART:20261120T090000Z", "EXDATE;VALUE=DATE:20261121", "20261121T090000Z"),
      ("DTSTART;VALUE=DATE:20261120", "EXDATE:20261121T000000", "VALUE=DATE:20261121"),
      // It names nothing.
      ("DTSTART:20261120T090000Z", "EXDATE:20261121T080000Z", ""),
    ])
  func exceptions(start: String, exception: String, expected: String) throws {
    let found = try event("\(start)\nRRULE:FREQ=DAILY\n\(exception)").filter { $0.hasPrefix("EXDATE") }
    let separator = expected.hasSuffix("Z") ? ":" : ";"
    #expect(found == (expected.isEmpty ? [] : ["EXDATE\(separator)\(expected)"]))
  }

  @Test(
    "Times keep the zone that counts for them",
    arguments: [
      // Of Windows, of the calendar, of the cache, of none.
      ("", "TZID=W. Europe Standard Time:20261124T090000", "DTSTART;TZID=Europe/Berlin:20261124T090000"),
      ("X-WR-TIMEZONE:Asia/Tokyo", "X=1:20261124T090000", "DTSTART;TZID=Asia/Tokyo:20261124T090000"),
      ("", "X=1:20261124T090000", "DTSTART;TZID=Europe/Berlin:20261124T090000"),
      ("", "X=1:20261124T090000Z", "DTSTART:20261124T090000Z"),
      // A zone that is UTC.
      ("", "TZID=UTC:20261124T090000", "DTSTART:20261124T090000Z"),
    ])
  func zones(head: String, start: String, expected: String) throws {
    #expect(try event("DTSTART;\(start)\nDURATION:PT1H", head: head) == ["UID:a", expected, "DURATION:PT1H"])
  }

  @Test("Two zones of one name have two, each with its rules")
  func sameNames() throws {
    func text(_ uid: String, _ offset: String) -> String {
      Calendars.text(
        "UID:\(uid)\nDTSTART;TZID=\"My, zone\":20261124T120000",
        head: "BEGIN:VTIMEZONE\nTZID:My\\, zone\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:\(offset)\n"
          + "TZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE")
    }
    let files: KeyValuePairs = ["events/a.ics": text("a", "+0300"), "events/b.ics": text("b", "-0330")]
    let exported = try Calendars.exported(files)
    #expect(
      exported.split(separator: "\r\n").filter { $0.hasPrefix("TZ") || $0.hasPrefix("DTSTART") } == [
        "TZID:My- zone", "DTSTART:20251231T030000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300",
        "TZID:My- zone (2)", "DTSTART:20251230T203000", "TZOFFSETFROM:-0330", "TZOFFSETTO:-0330",
        "DTSTART;TZID=My- zone:20261124T120000", "DTSTART;TZID=My- zone (2):20261124T120000",
      ])
    #expect(
      try Calendars.events(try Calendars.read(exported)) == [
        "11-24T09:00/11-24T09:00 a ", "11-24T15:30/11-24T15:30 b ",
      ])
  }

  @Test("A zone has its yearly rules from the first year that is needed, and its changes before that")
  func yearlyRules() throws {
    let exported = try Calendars.exported([
      "events/a.ics": Calendars.text("UID:a\nDTSTART;TZID=America/New_York:20060601T090000\nRRULE:FREQ=DAILY")
    ])
    // 2007 is the first year of today's rules.
    let lines = exported.split(separator: "\r\n").map(String.init)
    let zone = lines.drop { $0 != "TZID:America/New_York" }.prefix { $0 != "END:VTIMEZONE" }
    let expected = """
      TZID:America/New_York
      BEGIN:STANDARD DTSTART:20051230T190000 TZOFFSETFROM:-0500 TZOFFSETTO:-0500 END:STANDARD
      BEGIN:DAYLIGHT DTSTART:20070311T020000 TZOFFSETFROM:-0500 TZOFFSETTO:-0400 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
      END:DAYLIGHT
      BEGIN:STANDARD DTSTART:20071104T020000 TZOFFSETFROM:-0400 TZOFFSETTO:-0500 RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
      END:STANDARD
      BEGIN:DAYLIGHT DTSTART:20060402T020000 TZOFFSETFROM:-0500 TZOFFSETTO:-0400 END:DAYLIGHT
      BEGIN:STANDARD DTSTART:20061029T020000 TZOFFSETFROM:-0400 TZOFFSETTO:-0500 END:STANDARD
      """
    #expect(zone.joined(separator: " ") == expected.replacing("\n", with: " "))
  }

  @Test("Of two files with one UID the one that counts, of two starts under one UID the second by an id of its own")
  func uids() throws {
    func text(_ sequence: Int) -> String {
      Calendars.text("UID:a\nSEQUENCE:\(sequence)\nDTSTART:20261124T080000Z\nSUMMARY:\(sequence)")
    }
    let twice = try lines(["events/a.ics": text(2), "events/b.ics": text(1)])
    #expect(twice.filter { $0.hasPrefix("UID") || $0.hasPrefix("SUMMARY") } == ["UID:a", "SUMMARY:2"])
    let starts = try event("DTSTART:20261124T080000Z\nRRULE:FREQ=DAILY;COUNT=2", "UID:a\nDTSTART:20261125T080000Z")
    #expect(
      starts == [
        "UID:a", "DTSTART:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20261125T080000Z",
        "UID:a#20261125T080000Z@events.home.cachesync", "DTSTART:20261125T080000Z",
      ])
    // An app's event, and one without UID.
    let others = try lines([
      "events/a.ics": Calendars.text("DTSTART:20261124T080000Z\nPRIORITY:5"),
      "events/b.json": #"[{"id": "a", "title": "", "startTime": "2026-11-24T09:00:00Z"}]"#,
    ])
    #expect(
      others.filter { !$0.hasPrefix("DTSTAMP") && !$0.contains("VEVENT") } == [
        "UID:events/a.ics:0@events.home.cachesync", "SUMMARY:", "DTSTART:20261124T080000Z", "PRIORITY:5",
        "UID:a@events.home.cachesync", "SUMMARY:", "DTSTART:20261124T090000Z",
      ])
  }

  @Test("What is declined, cancelled or bad is left out; a part that is left out takes the rule with it")
  func leftOut() throws {
    let series = "DTSTART:20261124T080000Z\nRRULE:FREQ=DAILY;COUNT=4\n"
    let no = "ATTENDEE;PARTSTAT=DECLINED:mailto:kim@example.org\n"
    let change = "UID:a\nRECURRENCE-ID:20261125T080000Z\nDTSTART:20261125T090000Z\n"
    let written = ["UID:a", "DTSTART:20261124T080000Z", "RRULE:FREQ=DAILY;COUNT=4"]
    let changed = ["UID:a", "DTSTART:20261125T090000Z", "RECURRENCE-ID:20261125T080000Z"]
    let me: Set<ExactText> = ["kim@example.org"]
    #expect(try event(series, change + no) == written + changed)
    #expect(try event(series, change + no, me: me) == written + ["EXDATE:20261125T080000Z"])
    #expect(try event(series + no, me: me) == [])
    #expect(try event(series + no, change, me: me) == changed)
    #expect(
      try event(series, "UID:a\nRECURRENCE-ID:20261125T080000Z\nDTSTART:x") == written + ["EXDATE:20261125T080000Z"])
    // Without its series; and an exception does not hide a change.
    let alone = try lines(["events/a.ics": Calendars.text(change)])
    #expect(alone.filter { !$0.hasPrefix("DTSTAMP") && !$0.contains("VEVENT") && $0 != "SUMMARY:" } == changed)
    #expect(try event(series + "EXDATE:20261125T080000Z", change) == written + changed)
    // This and later ones.
    let later = change.replacing("RECURRENCE-ID", with: "RECURRENCE-ID;RANGE=THISANDFUTURE")
    #expect(
      try event(series, later)
        == written + changed.map { $0.replacing("RECURRENCE-ID", with: "RECURRENCE-ID;RANGE=THISANDFUTURE") })
    #expect(
      try event(series, later + "STATUS:CANCELLED")
        == ["UID:a#20261124T080000Z@events.home.cachesync", "DTSTART:20261124T080000Z"])
  }

  @Test("Whole days, further dates and periods")
  func dates() throws {
    #expect(
      try event("DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=YEARLY\nRDATE;VALUE=DATE:20261226") == [
        "UID:a", "DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261125", "RRULE:FREQ=YEARLY",
        "RDATE;VALUE=DATE:20261226",
      ])
    #expect(
      try event("DTSTART:20261124T080000Z\nRDATE;VALUE=PERIOD:20261126T080000Z/PT3H\nRDATE:20261128T080000Z") == [
        "UID:a#20261124T080000Z@events.home.cachesync", "DTSTART:20261124T080000Z",
        "UID:a#20261126T080000Z@events.home.cachesync", "DTSTART:20261126T080000Z", "DTEND:20261126T110000Z",
        "UID:a#20261128T080000Z@events.home.cachesync", "DTSTART:20261128T080000Z",
      ])
  }

  @Test(
    "Alarms that go off by themselves are kept, as far as they can be read",
    arguments: [
      (
        "ACTION:DISPLAY\nTRIGGER;RELATED=END:-P1DT2H\nREPEAT:2\nDURATION:PT5M",
        "ACTION:DISPLAY TRIGGER;RELATED=END:-P1DT2H DURATION:PT5M REPEAT:2 DESCRIPTION:A"
      ),
      ("ACTION:AUDIO\nTRIGGER:PT0S\nATTACH:x\nREPEAT:2", "ACTION:AUDIO TRIGGER:PT0S"),
      (
        "ACTION:AUDIO\nTRIGGER;VALUE=DATE-TIME:20261123T080000Z",
        "ACTION:AUDIO TRIGGER;VALUE=DATE-TIME:20261123T080000Z"
      ),
      ("ACTION:EMAIL\nTRIGGER:-PT5M\nATTENDEE:mailto:kim@example.org", nil), ("ACTION:DISPLAY\nTRIGGER:soon", nil),
      ("TRIGGER:-PT5M", nil),
    ])
  func alarms(alarm: String, expected: String?) throws {
    let found = try event("DTSTART:20261124T080000Z\nSUMMARY:A\nBEGIN:VALARM\n\(alarm)\nEND:VALARM").dropFirst(3)
    #expect(found.joined(separator: " ") == expected.map { "BEGIN:VALARM \($0) END:VALARM" } ?? "")
  }

  /// The lines of to-dos that say what they are.
  private func toDos(_ lines: [String], _ intents: String = "") throws -> [String] {
    let text = lines.map { "BEGIN:VTODO\n\($0)\nEND:VTODO\n" }.joined()
    let calendar = "BEGIN:VCALENDAR\n\(text)END:VCALENDAR\n"
    let found = try self.lines(
      ["tasks/a.ics": calendar, "intents/1.json": intents.isEmpty ? "[]" : intents], of: "tasks")
    return found.filter { !$0.hasPrefix("DTSTAMP") && !$0.contains("VTODO") && !$0.hasPrefix("SUMMARY") }
  }

  @Test("A to-do keeps its UID, dates, priority and alarms, and an intent completes it")
  func toDo() throws {
    let toDo =
      "UID:t\nSUMMARY:T\nDTSTAMP:20261101T000000Z\nDTSTART:20261124T080000\nDURATION:PT2H\nPRIORITY:1\nSTATUS:IN-PROCESS\n"
      + "PERCENT-COMPLETE:50\nCATEGORIES:x\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nEND:VALARM"
    let start = ["UID:t", "DTSTART;TZID=Europe/Berlin:20261124T080000", "DURATION:PT2H"]
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT5M", "DESCRIPTION:T", "END:VALARM"]
    #expect(
      try toDos([toDo]) == start + ["STATUS:IN-PROCESS", "CATEGORIES:x", "PERCENT-COMPLETE:50", "PRIORITY:1"] + alarm)
    let intent = #"{"id": "i", "type": "complete-task", "at": "2026-11-24T10:00:00Z", "taskId": "t"}"#
    #expect(
      try toDos([toDo + "\nLAST-MODIFIED:20261101T000000Z"], intent)
        == start + ["STATUS:COMPLETED", "COMPLETED:20261124T100000Z", "CATEGORIES:x", "PRIORITY:1"] + alarm)
  }

  @Test("A to-do that repeats keeps its rule and its changes, unless an intent completes one of them")
  func repeatingToDo() throws {
    let toDo = "UID:t\nLAST-MODIFIED:20261101T000000Z\nDUE;TZID=Europe/Berlin:20261123T180000\nRRULE:FREQ=DAILY"
    let done =
      "UID:t\nLAST-MODIFIED:20261101T000000Z\nRECURRENCE-ID:20261123T170000Z\nDUE:20261123T170000Z\nSTATUS:COMPLETED\n"
      + "COMPLETED:20261123T120000Z"
    let cancelled =
      "UID:t\nLAST-MODIFIED:20261101T000000Z\nRECURRENCE-ID:20261124T170000Z\nDUE:20261124T170000Z\nSTATUS:CANCELLED"
    #expect(
      try toDos([toDo, done, cancelled]) == [
        "UID:t", "DUE;TZID=Europe/Berlin:20261123T180000", "STATUS:NEEDS-ACTION", "RRULE:FREQ=DAILY",
        "EXDATE;TZID=Europe/Berlin:20261124T180000",
        "UID:t", "DUE:20261123T170000Z", "STATUS:COMPLETED", "COMPLETED:20261123T120000Z",
        "RECURRENCE-ID;TZID=Europe/Berlin:20261123T180000",
      ])
    let intent = #"{"id": "i", "type": "complete-task", "at": "2026-11-24T10:00:00Z", "taskId": "t"}"#
    #expect(
      try toDos([toDo, done, cancelled], intent) == [
        "UID:t#20261123T170000Z@tasks.home.cachesync", "DUE:20261123T170000Z", "STATUS:COMPLETED",
        "COMPLETED:20261123T120000Z", "UID:t@tasks.home.cachesync", "DUE:20261125T170000Z", "STATUS:COMPLETED",
        "COMPLETED:20261124T100000Z",
      ])
  }
}

import CacheSync
import CacheSyncSystem
import Testing

@testable import CacheSyncFeeds

/// Monday to Friday at 9 in Berlin, for an hour, from Monday, 23 November 2026: six times.
private let series = """
  DTSTART;TZID=Europe/Berlin:20261123T090000
  DTEND;TZID=Europe/Berlin:20261123T100000
  SUMMARY:Standup
  LOCATION:Room 1
  RRULE:FREQ=DAILY;COUNT=6;BYDAY=MO,TU,WE,TH,FR
  """

@Suite("Calendars: overrides")
struct CalendarOverridesTests {
  private static func file(_ events: [String]) throws -> CalendarFile {
    let all = events.reduce("") { $0 + "BEGIN:VEVENT\nUID:a\n" + $1 + "\nEND:VEVENT\n" }
    let file = try Calendars.read("BEGIN:VCALENDAR\n" + all + "END:VCALENDAR")
    #expect(file.problems.isEmpty)
    return file
  }

  /// `start/end original title`, the original without year and seconds.
  private static func events(_ events: String..., from: String = "2026-11-01", to: String = "2026-12-31") throws
    -> [String]
  {
    try Calendars.events(try file(events), from: from, to: to).map { line in
      line.replacing("a#2026", with: "").replacing("00Z", with: "").replacing(" at Room 1", with: "")
    }
  }

  @Test("a series gives each occurrence under its original start")
  func without() throws {
    #expect(
      try Self.events(series) == [
        "11-23T08:00/11-23T09:00 1123T0800 Standup", "11-24T08:00/11-24T09:00 1124T0800 Standup",
        "11-25T08:00/11-25T09:00 1125T0800 Standup", "11-26T08:00/11-26T09:00 1126T0800 Standup",
        "11-27T08:00/11-27T09:00 1127T0800 Standup", "11-30T08:00/11-30T09:00 1130T0800 Standup",
      ])
  }

  @Test(
    "an override replaces the occurrence at the same instant, wherever it moves it",
    arguments: [
      "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000", "RECURRENCE-ID:20261124T080000Z",
      "RECURRENCE-ID;TZID=America/New_York:20261124T030000", "RECURRENCE-ID:20261124T090000",
    ])
  func override(original: String) throws {
    let override = original + "\nDTSTART;TZID=Europe/London:20261215T150000\nDURATION:PT2H\nSUMMARY:Later"
    let events = try Self.events(override, series)
    #expect(
      events.map { $0.split(separator: " ")[1] } == [
        "1123T0800", "1125T0800", "1126T0800", "1127T0800", "1130T0800", "1124T0800",
      ])
    #expect(events.last == "12-15T15:00/12-15T17:00 1124T0800 Later")
    // Only what is in the window counts: one is moved out of it, one into it.
    let out = try Self.events(override, series, from: "2026-11-24", to: "2026-11-25")
    #expect(out.isEmpty)
    #expect(try Self.events(override, series, from: "2026-12-15", to: "2026-12-16").count == 1)
  }

  @Test("an override counts even if its occurrence does not exist or was excluded")
  func unknownOriginals() throws {
    let weekend = "RECURRENCE-ID:20261128T080000Z\nDTSTART:20261128T100000Z\nSUMMARY:Extra"
    #expect(try Self.events(series, weekend).contains("11-28T10:00/11-28T10:00 1128T0800 Extra"))
    let excluded = "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T100000Z\nSUMMARY:Back"
    let events = try Self.events(series + "\nEXDATE:20261124T080000Z", excluded)
    #expect(events.count == 6 && events[1] == "11-24T10:00/11-24T10:00 1124T0800 Back")
  }

  @Test(
    "RECURRENCE-ID and EXDATE without zone are in the zone of the series",
    arguments: ["", "X-WR-TIMEZONE:Asia/Tokyo\n"])
  func withoutZone(head: String) throws {
    // 8:00 in New York is 13:00 UTC. The cache is in Berlin.
    let series =
      "UID:a\nDTSTART;TZID=America/New_York:20261123T080000\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20261124T080000"
    let override = "UID:a\nRECURRENCE-ID:20261125T080000\nDTSTART:20261125T180000Z\nSUMMARY:moved"
    for events in [[series, override], [override, series]] {
      #expect(
        try Calendars.events(try Calendars.read(Calendars.text(events, head: head))) == [
          "11-23T13:00/11-23T13:00 a#20261123T130000Z ", "11-25T18:00/11-25T18:00 a#20261125T130000Z moved",
          "11-26T13:00/11-26T13:00 a#20261126T130000Z ",
        ])
    }
    // Google's series in UTC use the zone of X-WR-TIMEZONE, and so do their exceptions.
    let google = "UID:a\nDTSTART:20261123T130000Z\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20261124T080000"
    let file = try Calendars.read(Calendars.text(google, head: "X-WR-TIMEZONE:America/New_York"))
    #expect(try Calendars.ids(file) == ["a#20261123T130000Z"])
  }

  @Test("a RECURRENCE-ID that is a day replaces the occurrences of a timed series on that day, in its zone")
  func dayOfTimes() throws {
    // 20:00 in New York is 1:00 UTC on the next day.
    let series = "UID:a\nDTSTART;TZID=America/New_York:20261123T200000\nRRULE:FREQ=DAILY;COUNT=3"
    let override = "UID:a\nRECURRENCE-ID;VALUE=DATE:20261124\nDTSTART:20261124T120000Z\nSUMMARY:early"
    #expect(
      try Calendars.events(try Calendars.read(Calendars.text(series, override))) == [
        "11-24T01:00/11-24T01:00 a#20261124T010000Z ", "11-24T12:00/11-24T12:00 a#20261125T010000Z early",
        "11-26T01:00/11-26T01:00 a#20261126T010000Z ",
      ])
  }

  @Test(
    "an invalid override leaves out the occurrence that it names, and the series stays",
    arguments: [
      "RECURRENCE-ID:20261124T080000Z\nDTSTART:soon", "DTSTART:soon\nRECURRENCE-ID:20261124T080000Z",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000", "RECURRENCE-ID:20261124T090000\nDTSTART:20261124\nRRULE:x",
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20261124T080000Z\nDTSTART:20261124T080000Z\nUID:b",
    ])
  func bad(override: String) throws {
    let ids = [
      "a#20261123T080000Z", "a#20261125T080000Z", "a#20261126T080000Z", "a#20261127T080000Z", "a#20261130T080000Z",
    ]
    let file = try Calendars.read(Calendars.text("UID:a\n" + series, "UID:a\n" + override))
    #expect(try Calendars.ids(file) == ids)
    #expect(file.problems.count == 1 && file.problems[0].pointer.hasPrefix("/VEVENT/1/"))
  }

  @Test("an override that names no occurrence is an event of its own")
  func badName() throws {
    let file = try Calendars.read(
      Calendars.text("UID:a\n" + series, "UID:a\nRECURRENCE-ID:?\nDTSTART:20261124T080000Z"))
    #expect(try Calendars.ids(file).count == 7)
    #expect(file.problems.map(\.pointer) == ["/VEVENT/1/RECURRENCE-ID"])
  }

  @Test("a cancelled override removes its occurrence")
  func cancelled() throws {
    let events = try Self.events(series, "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T080000Z\nSTATUS:CANCELLED")
    #expect(events.count == 5 && !events.contains { $0.contains("1124") })
  }

  @Test("of two overrides of one occurrence, the newer wins: by SEQUENCE, DTSTAMP, then place in the file")
  func versions() throws {
    func title(_ first: String, _ second: String) throws -> String? {
      let head = "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T080000Z\n"
      let events = try Self.events(series, head + "SUMMARY:1\n" + first, head + "SUMMARY:2\n" + second)
      #expect(events.count == 6)
      return events[1].split(separator: " ").last.map(String.init)
    }
    #expect(try title("SEQUENCE:2", "SEQUENCE:1\nDTSTAMP:20260101T000000Z") == "1")
    #expect(try title("SEQUENCE:1\nDTSTAMP:20260102T000000Z", "SEQUENCE:1\nDTSTAMP:20260101T000000Z") == "1")
    #expect(try title("DTSTAMP:20260101T000000Z", "SEQUENCE:0") == "1")
    #expect(try title("SEQUENCE:1", "SEQUENCE:1") == "2")
  }

  @Test("overrides without their series are separate events, with the id of their occurrence")
  func orphans() throws {
    #expect(
      try Self.events(
        "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T100000Z\nSUMMARY:One",
        "RECURRENCE-ID;VALUE=DATE:20261125\nDTSTART:20261125\nSUMMARY:Day",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261126T080000Z\nDTSTART:20261126T100000Z\nSUMMARY:Two") == [
          "11-24T10:00/11-24T10:00 1124T0800 One", "11-24T23:00/11-25T23:00 1125 Day all day",
          "11-26T10:00/11-26T10:00 1126T0800 Two",
        ])
  }

  @Test("an override of an event that does not repeat replaces it")
  func single() throws {
    let event = "DTSTART:20261124T080000Z"
    #expect(
      try Self.events(event, "RECURRENCE-ID:20261124T080000Z\nDTSTART:20261124T100000Z").map { $0.prefix(33) } == [
        "11-24T10:00/11-24T10:00 1124T0800"
      ])
    #expect(
      try Self.events(event, "RECURRENCE-ID:20261125T080000Z\nDTSTART:20261124T100000Z").map { $0.prefix(26) } == [
        "11-24T08:00/11-24T08:00 a ", "11-24T10:00/11-24T10:00 11",
      ])
  }

  @Test("an override with THISANDFUTURE also moves and changes the later occurrences")
  func range() throws {
    let range =
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20261126T080000Z\nDTSTART;TZID=Europe/Berlin:20261127T110000\nDURATION:PT30M\nSUMMARY:Late"
    let events = [
      "11-23T08:00/11-23T09:00 1123T0800 Standup", "11-24T08:00/11-24T09:00 1124T0800 Standup",
      "11-25T08:00/11-25T09:00 1125T0800 Standup", "11-27T10:00/11-27T10:30 1126T0800 Late",
      "11-28T10:00/11-28T10:30 1127T0800 Late", "12-01T10:00/12-01T10:30 1130T0800 Late",
    ]
    #expect(try Self.events(series, range) == events)
    // A query of one day finds what was moved into it, and not what was moved out.
    #expect(try Self.events(series, range, from: "2026-12-01", to: "2026-12-02") == [events[5]])
    #expect(try Self.events(series, range, from: "2026-11-30", to: "2026-12-01").isEmpty)
    // A single override wins, and a later range replaces an earlier one. Each counts from the original starts.
    let one = "RECURRENCE-ID:20261127T080000Z\nDTSTART:20261127T080000Z\nSUMMARY:One"
    let second = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261130T080000Z\nDTSTART:20261130T060000Z\nSUMMARY:Early"
    #expect(
      try Self.events(second, one, series, range) == events[..<3] + [
        "11-27T08:00/11-27T08:00 1127T0800 One", events[3], "11-30T06:00/11-30T06:00 1130T0800 Early",
      ])
  }

  @Test("a range moves wall times, also across a change of clocks")
  func rangeOverChange() throws {
    let weekly = "DTSTART;TZID=Europe/Berlin:20261005T090000\nRRULE:FREQ=WEEKLY;COUNT=5"
    let range =
      "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=thisandfuture:20261012T090000\nDTSTART;TZID=Europe/Berlin:20261013T083000"
    #expect(
      try Self.events(weekly, range, from: "2026-10-01").map { $0.prefix(11) } == [
        "10-05T07:00", "10-13T06:30", "10-20T06:30", "10-27T07:30", "11-03T07:30",
      ])
  }

  @Test("a range may change timed occurrences to days, and days to timed ones")
  func rangeOfDays() throws {
    let days = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261127T080000Z\nDTSTART:20261128\nDTEND:20261130\nSUMMARY:Days"
    #expect(
      try Self.events(series, days).suffix(2) == [
        "11-27T23:00/11-29T23:00 1127T0800 Days all day", "11-30T23:00/12-02T23:00 1130T0800 Days all day",
      ])
    let times =
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20261124\nDTSTART;TZID=America/New_York:20261124T200000\nSUMMARY:Times"
    #expect(
      try Self.events("DTSTART:20261123\nRRULE:FREQ=DAILY;COUNT=3", times) == [
        "11-22T23:00/11-23T23:00 1123  all day", "11-25T01:00/11-25T01:00 1124 Times",
        "11-26T01:00/11-26T01:00 1125 Times",
      ])
  }

  @Test("cancelling a range ends the series, but single overrides after it count")
  func cancelledRange() throws {
    let cancelled = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261125T080000Z\nDTSTART:20261125T080000Z\nSTATUS:CANCELLED"
    let one = "RECURRENCE-ID:20261127T080000Z\nDTSTART:20261127T110000Z\nSUMMARY:One"
    let later = "RECURRENCE-ID;RANGE=THISANDFUTURE:20261126T080000Z\nDTSTART:20261126T100000Z\nSUMMARY:Later"
    #expect(try Self.events(series, cancelled).map { $0.split(separator: " ")[1] } == ["1123T0800", "1124T0800"])
    #expect(
      try Self.events(series, cancelled, one, later).map { $0.split(separator: " ")[1] }
        == ["1123T0800", "1124T0800", "1126T0800", "1127T0800"])
  }

  // MARK: Several files

  private static func union(_ files: [(path: String, text: String)]) throws -> CalendarUnion {
    var union = CalendarUnion()
    for (path, text) in files { union.put(try Calendars.read(Calendars.text(text), path: path), from: CachePath(path)) }
    return union
  }

  private static func titles(_ union: CalendarUnion) throws -> [String] {
    let calendar = try Calendars.calendar()
    let window = calendar.start(of: .first)..<calendar.start(of: .last)
    let events = union.counting.joined().flatMap {
      $0.occurrences(overlappingOrStartingIn: window, calendar: calendar).events
    }
    return events.map(\.title).sorted()
  }

  @Test(
    "if several files have a UID, all of it comes from one: by SEQUENCE, then DTSTAMP, then path",
    arguments: [
      ("SEQUENCE:2", "SEQUENCE:10", "b"), ("SEQUENCE:2", "", "a"),
      ("DTSTAMP:20261101T000000Z", "DTSTAMP:20261102T000000Z", "b"),
      ("DTSTAMP:20261103T000000Z", "DTSTAMP:20261102T000000Z", "a"),
      ("SEQUENCE:1\nDTSTAMP:20261101T000000Z", "DTSTAMP:20261102T000000Z", "a"), ("", "", "b"),
    ])
  func files(first: String, second: String, winner: String) throws {
    func text(_ title: String, _ lines: String) -> String { "UID:x\nDTSTART:20261123\nSUMMARY:\(title)\n\(lines)" }
    let a = (path: "events/a.ics", text: text("a", first))
    let b = (path: "events/b.ics", text: text("b", second))
    for files in [[a, b], [b, a], [a, b, a], [b, a, b]] {
      var union = try Self.union(files)
      #expect(try Self.titles(union) == [winner])
      // When the winning file is removed, the other counts, and then nothing.
      let loser = winner == "a" ? "b" : "a"
      #expect(union.remove(CachePath("events/\(winner).ics")) == true)
      #expect(try Self.titles(union) == [loser])
      #expect(union.remove(CachePath("events/\(winner).ics")) == false)
      #expect(try Self.titles(union) == [loser])
      #expect(union.remove(CachePath("events/\(loser).ics")) == true)
      #expect(union.isEmpty)
    }
  }

  @Test("a new version of a file replaces all its events, and overrides of another file are not mixed in")
  func replaced() throws {
    var union = try Self.union([
      ("events/a.ics", "UID:x\nDTSTART:20261123\nSUMMARY:x\nRRULE:FREQ=DAILY;COUNT=2"),
      ("events/b.ics", "UID:x\nRECURRENCE-ID:20261124\nDTSTART:20261125\nSUMMARY:override\nSEQUENCE:1"),
    ])
    #expect(try Self.titles(union) == ["override"])
    let same = "UID:x\nDTSTART:20261123\nSUMMARY:override\nRRULE:FREQ=DAILY;COUNT=2"
    for (number, series) in ["UID:x\nDTSTART:20261123\nSUMMARY:x\nRRULE:FREQ=DAILY;COUNT=2", same].enumerated() {
      var warned = union
      warned.put(try Calendars.read(Calendars.text(series), path: "events/a.ics"), from: CachePath("events/a.ics"))
      let problems = warned.merged.problems
      #expect(problems.map { $0.path?.description } == ["events/a.ics"], "\(number)")
      let message = "1 UID is also in events/b.ics, with changed occurrences alone: only those count"
      #expect(problems.map(\.message) == [message], "\(number)")
    }
    let file = try Calendars.read(Calendars.text("UID:y\nDTSTART:20261123\nSUMMARY:y"), path: "events/b.ics")
    union.put(file, from: CachePath("events/b.ics"))
    #expect(try Self.titles(union) == ["x", "x", "y"])
  }
}

import CacheSyncSystem
import Testing
import TestSupport

@testable import CacheSyncFeeds

@Suite("Calendars: many files together")
struct CalendarEventsTests {
  private static let month = Instant(seconds: 1_795_000_000)..<Instant(seconds: 1_797_400_000)
  /// A tenth of the default limits. A debug build reaches them in a tenth of the time.
  private static let tenth: CalendarLimits = {
    var limits = CalendarLimits()
    limits.steps /= 10
    limits.stepsOfFile /= 10
    limits.stepsOfCalendars /= 10
    return limits
  }()
  private static let slow = "DTSTART:20200101T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=11,12;BYSETPOS=9"

  @Test("a series beyond the limits is left out, and counts again once it is repaired")
  func excess() throws {
    let events = CalendarEvents()
    let calendar = try Calendars.calendar()
    let path = CachePath("events/a.ics")
    func look() -> [String] { events.problems(in: Self.month, calendar).map(\.message) }

    events.put(try Calendars.read(Calendars.text("UID:a\n\(Self.slow)")), from: path)
    let other = try Calendars.read(Calendars.text("UID:b\nDTSTART:20261123T080000Z"), path: "events/b.ics")
    events.put(other, from: CachePath("events/b.ics"))
    #expect(look() == ["the series takes more than 100000 steps: the event is left out"])
    #expect(events.starting(in: Self.month, calendar).map(\.id.text) == ["b"])

    events.put(try Calendars.read(Calendars.text("UID:a\nDTSTART:20261124T080000Z")), from: path)
    #expect(look().isEmpty)
    #expect(events.starting(in: Self.month, calendar).map(\.id.text) == ["b", "a"])
  }

  @Test("each file has a limit of rule steps per week; what exceeds it is left out, and other files are unaffected")
  func manySlowRules() throws {
    #expect(CalendarLimits().stepsOfFile == 1_000_000)
    let events = CalendarEvents(limits: Self.tenth)
    let calendar = try Calendars.calendar()
    let slow = (0..<100).map { "UID:s\($0)\n\(Self.slow)" } + ["UID:after\nDTSTART:20261123T080000Z"]
    events.put(try Calendars.read(Calendars.text(slow)), from: CachePath("events/a.ics"))
    let other = try Calendars.read(Calendars.text("UID:b\nDTSTART:20261123T080000Z"), path: "events/b.ics")
    events.put(other, from: CachePath("events/b.ics"))
    let problems = events.problems(in: Self.month, calendar)
    #expect(problems.count == 12, "eleven that were followed, and the one from which on they are left out")
    #expect(
      problems.contains {
        $0.message.contains("this event and those after it are left out") && $0.pointer.hasPrefix("/VEVENT/11")
      })
    #expect(events.starting(in: Self.month, calendar).map(\.id.text) == ["b"])
  }

  @Test("10,000 daily events of a file all count; with a tenth of the steps, a tenth of them do")
  func manyDailyEvents() throws {
    let events = CalendarEvents(limits: Self.tenth)
    let calendar = try Calendars.calendar()
    let daily = (0..<1_000).map { "UID:d\($0)\nDTSTART:20200101T080000Z\nRRULE:FREQ=DAILY" }
    events.put(try Calendars.read(Calendars.text(daily)), from: CachePath("events/a.ics"))
    let week = Instant(seconds: 1_795_000_000)..<Instant(seconds: 1_795_604_800)
    #expect(events.starting(in: week, calendar).count == 7_000)
    #expect(events.problems(in: week, calendar).isEmpty)
  }

  @Test("events of a day beyond the limit are counted and reported once, and other days keep theirs")
  func fullDay() throws {
    var limits = CalendarLimits()
    limits.eventsOfDay = 3
    let calendar = try Calendars.calendar()
    let events = CalendarEvents(limits: limits)
    let large = (0..<5).map { "UID:l\($0)\nDTSTART:20261124T0\($0)0000Z" } + ["UID:other\nDTSTART:20261125T080000Z"]
    events.put(try Calendars.read(Calendars.text(large)), from: CachePath("events/a.ics"))
    let small = try Calendars.read(Calendars.text("UID:s\nDTSTART:20261124T120000Z"), path: "events/b.ics")
    events.put(small, from: CachePath("events/b.ics"))
    let days = Instant(seconds: 1_795_474_800)..<Instant(seconds: 1_795_474_800 + 2 * 86_400)  // 24 and 25 November
    // The file with fewer events is first.
    #expect(events.starting(in: days, calendar).map(\.id.text) == ["l0", "l1", "s", "other"])
    #expect(events.leftOut(on: try #require(LocalDay("2026-11-24")), calendar) == 3)
    #expect(events.leftOut(on: try #require(LocalDay("2026-11-25")), calendar) == 0)
    #expect(
      events.problems(in: days, calendar).map { "\($0.pointer) \($0.message)" } == [
        "/VEVENT/2 more than 3 events on one day: the others are left out"
      ])
  }

  @Test("many calendars share the steps of a week, and a small one gets its share")
  func sharedSteps() throws {
    #expect(CalendarLimits().stepsOfCalendars == 2_000_000)
    let events = CalendarEvents(limits: Self.tenth)
    let calendar = try Calendars.calendar()
    for number in 0..<3 {
      let slow = (0..<20).map { "UID:\(number)s\($0)\n\(Self.slow)" }
      let path = "events/a\(number).ics"
      events.put(try Calendars.read(Calendars.text(slow), path: path), from: CachePath(path))
    }
    let other = try Calendars.read(Calendars.text("UID:b\nDTSTART:20261123T080000Z"), path: "events/z.ics")
    events.put(other, from: CachePath("events/z.ics"))
    // From Thursday, 19 November. Weeks are counted from 1 January 1970, a Thursday.
    let week = Instant(seconds: 1_795_046_400)..<Instant(seconds: 1_795_046_400 + 7 * 86_400)
    #expect(events.starting(in: week, calendar).map(\.id.text) == ["b"])
    #expect(events.steps <= 230_000, "a tenth of two million, and the last series of each file may pass its part")
    #expect(
      events.problems(in: week, calendar).filter { $0.message.hasPrefix("the rules of the calendars take") }.count == 3)
  }

  @Test("events that start in a range or overlap it are the same as when every event is checked")
  func ranges() throws {
    var random = SeededGenerator(state: 7)
    let calendar = try Calendars.calendar()
    // From 18 November to 8 December 2026, within four weeks of UTC.
    let entries = (0..<300).map { number in
      let day = Int.random(in: 0..<21, using: &random)
      let date = day < 13 ? "202611\(day + 18)" : "2026120\(day - 12)"
      let hours = Int.random(in: 0..<24, using: &random)
      guard Int.random(in: 0..<3, using: &random) == 0 else {
        return "UID:e\(number)\nDTSTART:\(date)T\(hours < 10 ? "0" : "")\(hours)0000Z\nDURATION:PT\(hours * day)H"
      }
      return "UID:e\(number)\nDTSTART;VALUE=DATE:\(date)\nDURATION:P\(1 + day % 9)D"
    }
    let events = CalendarEvents()
    events.put(try Calendars.read(Calendars.text(entries)), from: CachePath("events/a.ics"))
    let all = events.starting(in: Instant(seconds: 1_790_000_000)..<Instant(seconds: 1_800_000_000), calendar)
    #expect(all.count == 300 && all == all.sorted())
    for _ in 0..<300 {
      let hour = Int64.random(in: 0..<(26 * 24), using: &random)
      let start = Instant(seconds: 1_794_787_200 + 3600 * hour)  // from 16 November on
      let range = start..<(start + .seconds(3600 * Int.random(in: 0..<400, using: &random)))
      let starting = all.filter { range.contains($0.start) }
      #expect(events.starting(in: range, calendar).map(\.id.text) == starting.map(\.id.text))
      let (count, first) = events.starting(in: range, first: 5, calendar)
      #expect(count == starting.count && first.map(\.id.text) == starting.prefix(5).map(\.id.text))
      let overlapping = all.filter {
        !range.isEmpty && $0.start < range.upperBound && ($0.end > range.lowerBound || range.contains($0.start))
      }
      #expect(events.overlapping(range, calendar).map(\.id.text) == overlapping.map(\.id.text))
      #expect(
        events.overlapping(range, wholeDays: true, calendar).map(\.id.text)
          == overlapping.filter(\.isAllDay).map(\.id.text))
    }
  }
}

import CacheSyncSystem
import Testing

import CacheSync

/// "Dates that mean none" and "stamps from the future" (contract.md section 2), in calendars.
@Suite("Dates of calendars that mean none, and stamps from the future")
struct CalendarMissingDatesTests {
  private static let now = "2026-11-24T10:00:00Z"

  private static func calendar(_ component: String, uid: String = "u", _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "BEGIN:\(component)", "UID:\(uid)", "SUMMARY:S"] + lines + [
      "END:\(component)", "END:VCALENDAR", "",
    ])
    .joined(separator: "\n")
  }

  /// - Parameter written: when the file was written and arrived; nil: its stamps count as they are.
  private static func warnings(_ text: String, written: String? = nil) throws -> [String] {
    let feed = try #require(FeedRegistry.builtIn.feed(named: "tasks"))
    let times = written.flatMap { Instant($0) }.map { FileTimes(modified: $0, arrived: $0) }
    return Array(text.utf8).withUnsafeBytes { bytes in
      let path = CachePath("tasks/a.ics")
      return feed.decode(bytes, at: path, times: times).problems(at: path, in: bytes).map { $0.line() }
    }
  }

  @Test(
    "A due date that means none is absent, with one warning",
    arguments: [
      ":00010101T000000Z", ";VALUE=DATE:19000101", ";VALUE=DATE:29000101", ":99991231T235959Z", ":19700101T000000Z",
      ";TZID=Europe/Berlin:00010101T000000", ";TZID=Europe/Berlin:19700101T010000", ";VALUE=DATE:19700101",
      ";TZID=America/New_York:19691231T190000",
    ])
  func due(_ value: String) throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    let text = Self.calendar("VTODO", "DUE\(value)")
    try harness.put("tasks/a.ics", text)
    let content = try harness.content("todays-tasks", at: Self.now)
    #expect(content["count"]?.int == 1 && content["overdueCount"]?.int == 0)
    #expect(
      try Self.warnings(text) == [#"tasks/a.ics:5:1: warning: this date means that there is none [/VTODO/0/DUE]"#])
  }

  @Test("A completion that means none is absent")
  func completed() throws {
    let harness = try FeedHarness()
    try harness.put("tasks/a.ics", Self.calendar("VTODO", "COMPLETED:99991231T000000Z"))
    #expect(try harness.content("task-count", at: Self.now)["count"]?.int == 1)
  }

  @Test("An event whose start means none is left out, unless it repeats; an end that never comes stays")
  func starts() throws {
    let harness = try FeedHarness()
    let none = Self.calendar("VEVENT", "DTSTART:00010101T000000Z")
    try harness.put("events/none.ics", none)
    #expect(try harness.content("calendar", at: Self.now)["events"]?.array == [])
    #expect(
      try Self.warnings(none) == [
        #"tasks/a.ics:2:1: warning: "S": DTSTART means that there is no date: this event is left out [/VEVENT/0/DTSTART]"#
      ])
    try harness.put(
      "events/birthday.ics", Self.calendar("VEVENT", uid: "b", "DTSTART;VALUE=DATE:16041125", "RRULE:FREQ=YEARLY"))
    try harness.put(
      "events/open.ics", Self.calendar("VEVENT", uid: "o", "DTSTART:20261126T080000Z", "DTEND:99991231T000000Z"))
    let events = try harness.content("calendar", at: Self.now)["events"]?.array ?? []
    #expect(events.map { $0["endTime"]?.string } == ["2026-11-26T00:00:00Z", "9999-12-31T00:00:00Z"])
  }

  @Test("LAST-MODIFIED more than a day after the arrival counts as the file's time")
  func stamps() throws {
    let text = Self.calendar("VTODO", "LAST-MODIFIED:20271123T100000Z")
    #expect(
      try Self.warnings(text, written: Self.now) == [
        #"tasks/a.ics:5:1: warning: "S": LAST-MODIFIED is 364 days in the future: is the device's clock right? "#
          + "[/VTODO/0/LAST-MODIFIED]"
      ])
    #expect(try Self.warnings(text, written: "2027-11-22T10:00:00Z") == [])
    #expect(try Self.warnings(text) == [])
  }
}

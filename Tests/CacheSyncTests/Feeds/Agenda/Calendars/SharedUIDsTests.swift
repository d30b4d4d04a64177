import CacheSync
import CacheSyncSystem
import Testing

/// One UID in several calendars (definitions.md section 6). The expected warnings are worked out by hand.
@Suite("Calendars: one UID in several files")
struct SharedUIDsTests {
  private static let now = "2026-11-23T12:00:00Z"

  private static func text(_ name: String, _ components: [[String]]) -> String {
    "BEGIN:VCALENDAR\n"
      + components.map { "BEGIN:\(name)\n" + $0.map { $0 + "\n" }.joined() + "END:\(name)\n" }.joined()
      + "END:VCALENDAR\n"
  }

  private static func problems(_ harness: FeedHarness) throws -> [String] {
    let moment = try harness.moment(now)
    return harness.feeds.all.flatMap { $0.currentProblems(at: moment, feeds: harness.feeds) }
      .map { "\($0.path?.description ?? "")\($0.severity == .warning ? "" : "!"):\($0.line): \($0.message)" }
  }

  /// (the lines of the UID in two files, whether these may be one thing)
  private static let pairs: [(a: [String], b: [String], agree: Bool)] = [
    (["SUMMARY:A", "DTSTART:20261124T080000Z"], ["SUMMARY:B", "DTSTART:20261125T080000Z"], false),
    (
      ["SUMMARY:A", "DTSTART:20261124T080000Z", "CREATED:20261101T080000Z"],
      ["SUMMARY:B", "DTSTART:20261125T080000Z", "CREATED:20261102T080000Z"], false
    ),
    (
      ["SUMMARY:A", "DTSTART:20261124T080000Z", "CREATED:00010101T000000Z"],
      ["SUMMARY:B", "DTSTART:20261125T080000Z", "CREATED:00010101T000000Z"], false
    ),
    (["SUMMARY:A", "DTSTART:20261124T080000Z"], ["SUMMARY:A", "DTSTART:20261125T080000Z"], true),
    (["SUMMARY:A", "DTSTART:20261124T080000Z"], ["SUMMARY:B", "DTSTART;TZID=Europe/Berlin:20261124T090000"], true),
    (
      ["SUMMARY:A", "DTSTART:20261124T080000Z", "CREATED:20261101T080000Z"],
      ["SUMMARY:B", "DTSTART:20261125T080000Z", "CREATED:20261101T080000Z"], true
    ),
  ]

  @Test(
    "Unless title, start or creation agree, each file whose things do not show has a warning",
    arguments: ["VEVENT", "VTODO"])
  func warnings(name: String) throws {
    let (noun, property) = name == "VEVENT" ? ("event", "DTSTAMP") : ("to-do", "LAST-MODIFIED")
    for (a, b, agree) in Self.pairs {
      let harness = try FeedHarness()
      try harness.put("tasks/a.ics", Self.text(name, [["UID:x", "\(property):20261103T000000Z"] + a]))
      #expect(try Self.problems(harness).isEmpty)
      try harness.put("tasks/b.ics", Self.text(name, [["UID:x", "\(property):20261102T000000Z"] + b]))
      let warning = "tasks/b.ics:2: 1 UID is also in tasks/a.ics, for another \(noun): only that one counts"
      #expect(try Self.problems(harness) == (agree ? [] : [warning]), "\(a) \(b)")
      // The other way round.
      try harness.put("tasks/a.ics", Self.text(name, [["UID:x", "\(property):20261101T000000Z"] + a]))
      let other = "tasks/a.ics:2: 1 UID is also in tasks/b.ics, for another \(noun): only that one counts"
      #expect(try Self.problems(harness) == (agree ? [] : [other]))
      harness.remove("tasks/b.ics")
      #expect(try Self.problems(harness).isEmpty)
    }
  }

  @Test("Two lists that number from 1 have one warning, at the first")
  func numbered() throws {
    let harness = try FeedHarness()
    for (path, day) in [("a", 1), ("b", 2)] {
      try harness.put(
        "events/\(path).ics",
        Self.text(
          "VEVENT", (1...30).map { ["UID:\($0)", "SUMMARY:\(path)\($0)", "DTSTART:2026120\(day)T08\($0 + 10)00Z"] }))
    }
    #expect(
      try Self.problems(harness)
        == ["events/a.ics:2: 30 UIDs are also in events/b.ics, for other events: only those count"])
  }

  @Test("An event of a calendar is never a version of an app's event with its id: both show, each with its file")
  func besideJSON() throws {
    for path in ["events/a.json", "events/z.json"] {
      let harness = try FeedHarness()
      let single = "UID:1\nDTSTART:20261124T080000Z\nSUMMARY:calendar"
      try harness.put("events/m.ics", Calendars.text("UID:0\nDTSTART:20261124T070000Z", single))
      let app =
        #""title": "app", "startTime": "2026-11-25T08:00:00Z", "endTime": "2026-11-25T09:00:00Z", "location": null"#
      try harness.put(path, #"[{"id": "1", \#(app)}]"#)
      func shown() throws -> [String] {
        (try harness.content("calendar", at: Self.now)["events"]?.array ?? []).map {
          "\($0["title"]?.string ?? "") \($0["file"]?.string ?? "")"
        }.filter { !$0.hasPrefix(" ") }
      }
      #expect(try shown() == ["calendar events/m.ics", "app \(path)"])
      let warnings = [
        "\(path):1: 1 id is also in events/m.ics, for other events: both are shown",
        "events/m.ics:7: 1 id is also in \(path), for other events: both are shown",
      ]
      #expect(try Self.problems(harness) == warnings.sorted())
      // The occurrences of a series have ids of their own.
      try harness.put("events/m.ics", Calendars.text(single + "\nRRULE:FREQ=YEARLY"))
      #expect(try shown() == ["calendar ", "app "])
      #expect(try Self.problems(harness) == [])
      try harness.put("events/m.ics", Calendars.text(single))
      harness.remove(path)
      #expect(try Self.problems(harness) == [])
      #expect(try shown() == ["calendar "])
    }
  }
}

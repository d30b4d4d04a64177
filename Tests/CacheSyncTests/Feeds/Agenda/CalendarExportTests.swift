import CacheSync
import CacheSyncSystem
import Testing
import TestSupport

@testable import CacheSyncFeeds

/// Exported calendars (calendars.md). The expected texts are written by hand from RFC 5545.
@Suite("Exported calendars")
struct CalendarExportTests {
  private static let now = "2026-11-24T12:00:00Z"

  /// The lines of each component without BEGIN and END.
  private func components(
    _ feed: FeedName, _ harness: FeedHarness, at moment: String = now, locale: CacheLocale = .english
  ) throws -> [[String]] {
    let calendar = try #require(harness.feeds.registry.feed(named: feed)?.calendar)
    let moment = Moment(
      try #require(Instant(moment)), calendar: harness.calendar, firstWeekday: nil, locale: locale)
    let bytes = CalendarDocument.text(of: calendar(harness.feeds, moment), named: "Name", space: "\(feed).home")
    let text = String(decoding: bytes, as: UTF8.self)
    let head = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//CacheSync//cachesyncd//EN", "NAME:Name", "X-WR-CALNAME:Name",
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
    ]
    #expect(text.split(separator: "\r\n").prefix(head.count).elementsEqual(head.map { Substring($0) }))
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    var found: [[String]] = []
    for line in text.replacing("\r\n ", with: "").split(separator: "\r\n").dropFirst(head.count).dropLast() {
      if line.hasPrefix("BEGIN:") {
        found.append([])
      } else if !line.hasPrefix("END:") {
        found[found.count - 1].append(String(line))
      }
    }
    return found
  }

  @Test("Open tasks are to-dos, and those completed in the last week, ordered by their due dates")
  func tasks() throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put(
      "tasks/a.json",
      #"""
      { "tasks": [
        { "id": 1, "title": "Milk; eggs, bread", "completed": false, "createdAt": "2026-11-20T08:00:00Z",
          "labels": [{ "id": 1, "name": "a,b" }, { "id": 2, "name": "c" }] },
        { "id": 2, "title": "Bins", "completed": false, "dueDate": "2026-11-25", "createdAt": "2026-11-20T08:00:00Z" },
        { "id": 3, "title": "Call", "completed": true, "dueDate": "2026-11-24T17:00:00Z",
          "createdAt": "2026-11-20T08:00:00Z", "completedAt": "2026-11-24T09:00:00Z" },
        { "id": 4, "title": "Old", "completed": true, "createdAt": "2026-11-01T08:00:00Z",
          "completedAt": "2026-11-16T22:59:59Z" },
        { "id": 5, "title": "A week ago", "completed": true, "createdAt": "2026-11-01T08:00:00Z",
          "completedAt": "2026-11-16T23:00:00Z" }
      ], "lastUpdate": "2026-11-24T09:30:00Z" }
      """#)
    try harness.put(
      "intents/1.json", #"{"id": "n", "type": "add-task", "at": "2026-11-24T10:00:00Z", "title": "New"}"#)
    #expect(
      try components("tasks", harness) == [
        [
          "UID:3@tasks.home.cachesync", "DTSTAMP:20261124T090000Z", "SUMMARY:Call", "DUE:20261124T170000Z",
          "STATUS:COMPLETED", "COMPLETED:20261124T090000Z",
        ],
        [
          "UID:2@tasks.home.cachesync", "DTSTAMP:20261120T080000Z", "SUMMARY:Bins", "DUE;VALUE=DATE:20261125",
          "STATUS:NEEDS-ACTION",
        ],
        [
          "UID:1@tasks.home.cachesync", "DTSTAMP:20261120T080000Z", "SUMMARY:Milk\\; eggs\\, bread",
          "STATUS:NEEDS-ACTION", "CATEGORIES:a\\,b,c",
        ],
        [
          "UID:5@tasks.home.cachesync", "DTSTAMP:20261116T230000Z", "SUMMARY:A week ago", "STATUS:COMPLETED",
          "COMPLETED:20261116T230000Z",
        ],
        ["UID:intent:n@tasks.home.cachesync", "DTSTAMP:20261124T100000Z", "SUMMARY:New", "STATUS:NEEDS-ACTION"],
      ])
  }

  @Test("A description is exported, which the agent does not keep")
  func description() throws {
    let harness = try FeedHarness()
    let descriptor = try #require(harness.feeds.registry.feed(named: "tasks"))
    for (path, text) in [
      (
        "tasks/a.json",
        #"[{"id": "a", "title": "A", "description": "Two\nlines", "completed": false, "createdAt": "2026-11-20T08:00:00Z"}]"#
      ),
      ("tasks/b.ics", "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:b\nDESCRIPTION:Two\\nlines\nEND:VTODO\nEND:VCALENDAR\n"),
    ] {
      for (wanted, count) in [(JSONReader.Wanted.needed, 0), (.exported, 1)] {
        let file = SessionFile(path: CachePath(path), modified: .referenceDate)
        let decoded = Array(text.utf8).withUnsafeBytes { descriptor.decode($0, at: file.path, wanting: wanted) }
        harness.feeds.ingest(decoded, of: "tasks", from: file, in: harness.calendar)
        let lines = try components("tasks", harness).joined().filter { $0 == "DESCRIPTION:Two\\nlines" }
        #expect(lines.count == count, "\(path)")
        harness.remove(path)
      }
    }
  }

  @Test("A to-do of a calendar has the date at which its client wrote it, never the file's")
  func stamps() throws {
    let harness = try FeedHarness()
    func toDo(_ lines: String) throws -> String? {
      try harness.put("tasks/a.ics", "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\n\(lines)END:VTODO\nEND:VCALENDAR\n")
      return try components("tasks", harness).first?.first { $0.hasPrefix("DTSTAMP") }
    }
    #expect(try toDo("LAST-MODIFIED:20261103T000000Z\nDTSTAMP:20261102T000000Z\n") == "DTSTAMP:20261103T000000Z")
    #expect(try toDo("CREATED:20261101T000000Z\nDTSTAMP:20261102T000000Z\n") == "DTSTAMP:20261102T000000Z")
    #expect(try toDo("DUE:20261105T000000Z\n") == "DTSTAMP:20261105T000000Z")
    #expect(try toDo("") == "DTSTAMP:20010101T000000Z")
  }

  @Test("An event of a calendar has the date at which its client wrote it: LAST-MODIFIED, else DTSTAMP, else its start")
  func stampsOfEvents() throws {
    let harness = try FeedHarness()
    func stamps(_ lines: String, _ change: String = "") throws -> [String] {
      let series = "BEGIN:VEVENT\nUID:a\nDTSTART:20261124T080000Z\n\(lines)END:VEVENT\n"
      try harness.put("events/a.ics", "BEGIN:VCALENDAR\n\(series)\(change)END:VCALENDAR\n")
      return try components("events", harness).compactMap { $0.first { $0.hasPrefix("DTSTAMP") } }
    }
    let stamp = "DTSTAMP:20261102T000000Z\n"
    #expect(try stamps("LAST-MODIFIED:20261103T000000Z\n" + stamp) == ["DTSTAMP:20261103T000000Z"])
    // Also if it is older, or a program forgets the Z.
    #expect(try stamps("LAST-MODIFIED:20261101T000000\n" + stamp) == ["DTSTAMP:20261101T000000Z"])
    #expect(try stamps("LAST-MODIFIED:x\n" + stamp) == ["DTSTAMP:20261102T000000Z"])
    #expect(try stamps("LAST-MODIFIED:00010101T000000Z\nDTSTAMP:00010101T000000Z\n") == ["DTSTAMP:20261124T080000Z"])
    #expect(try stamps(stamp) == ["DTSTAMP:20261102T000000Z"])
    #expect(try stamps("") == ["DTSTAMP:20261124T080000Z"])
    // A changed occurrence has its own.
    let change =
      "BEGIN:VEVENT\nUID:a\nRECURRENCE-ID:20261125T080000Z\nDTSTART:20261125T080000Z\nLAST-MODIFIED:20261104T000000Z\nEND:VEVENT\n"
    #expect(
      try stamps("RRULE:FREQ=DAILY;COUNT=2\n" + stamp, change)
        == ["DTSTAMP:20261102T000000Z", "DTSTAMP:20261104T000000Z"])
  }

  @Test("Events are events, those of whole days with dates, and one without length without an end")
  func events() throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put(
      "events/a.json",
      #"""
      [{ "id": "e", "title": "Dentist", "startTime": "2026-11-24T14:00:00+01:00", "endTime": "2026-11-24T15:00:00+01:00",
         "location": "High Street 1, 2nd floor" },
       { "id": "z", "title": "Now", "startTime": "2026-11-24T12:00:00Z", "endTime": "2026-11-24T12:00:00Z", "location": null },
       { "id": "past", "title": "", "startTime": "2026-10-01T12:00:00Z", "endTime": "2026-10-23T22:00:00Z", "location": null }]
      """#)
    try harness.put(
      "events/b.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:trip\nDTSTAMP:20261101T000000Z\nDTSTART;VALUE=DATE:20261201\n"
        + "DTEND;VALUE=DATE:20261203\nSUMMARY:Trip\nEND:VEVENT\nBEGIN:VEVENT\nUID:gym\nDTSTART:20261124T180000Z\n"
        + "RRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\nEND:VCALENDAR\n")
    // 31 days before 24 November is 24 October, which begins in Berlin at 22:00 the day before.
    #expect(
      try components("events", harness) == [
        [
          "UID:z@events.home.cachesync", "DTSTAMP:20261124T120000Z", "SUMMARY:Now", "DTSTART:20261124T120000Z",
        ],
        [
          "UID:e@events.home.cachesync", "DTSTAMP:20261124T130000Z", "SUMMARY:Dentist",
          "LOCATION:High Street 1\\, 2nd floor", "DTSTART:20261124T130000Z", "DTEND:20261124T140000Z",
        ],
        [
          "UID:gym#20261124T180000Z@events.home.cachesync", "DTSTAMP:20261124T180000Z", "SUMMARY:",
          "DTSTART:20261124T180000Z",
        ],
        [
          "UID:gym#20261125T180000Z@events.home.cachesync", "DTSTAMP:20261125T180000Z", "SUMMARY:",
          "DTSTART:20261125T180000Z",
        ],
        [
          "UID:trip@events.home.cachesync", "DTSTAMP:20261101T000000Z", "SUMMARY:Trip", "DTSTART;VALUE=DATE:20261201",
          "DTEND;VALUE=DATE:20261203",
        ],
      ])
  }

  @Test("Of more than 5,000 events the nearest to today remain")
  func nearest() throws {
    let harness = try FeedHarness()
    let events = (0..<6_000).map { number in
      // One every hour from the day on.
      #"{"id": \#(number), "title": "", "startTime": \#(number * 3_600 + 817_300_800), "endTime": \#(number * 3_600 + 817_300_800), "location": null}"#
    }
    try harness.put("events/a.json", "[\(events.joined(separator: ","))]")
    let found = try components("events", harness, at: "2026-11-25T12:00:00Z")
    #expect(found.count == 5_000)
    #expect(found.first?.first == "UID:0@events.home.cachesync")
    #expect(found.last?.first == "UID:4999@events.home.cachesync")
  }

  @Test("Meals are events of whole days from 7 days before to 28 after, in the cache's language")
  func meals() throws {
    let harness = try FeedHarness()
    try harness.put(
      "meal-plan/a.json",
      #"""
      { "id": "s", "plan": [
        { "day_index": 1, "meal_track": "family", "meal_type": "dinner", "meal_id": "m", "meal_name": "Soup" },
        { "day_index": 1, "meal_track": "family", "meal_type": "dinner", "meal_id": "n", "meal_name": "Oven Chips" },
        { "day_index": 1, "meal_track": "adult", "meal_type": "dinner", "meal_id": "n", "meal_name": " " },
        { "day_index": 1, "meal_track": "adult", "meal_type": "lunch", "meal_id": null, "meal_name": null }
      ], "is_finalized": true, "created_at": "2026-11-15T08:00:00Z", "updated_at": "2026-11-15T09:30:00Z" }
      """#)
    let german = try #require(CacheLocale(publishedIn: .object(["locale": .string("de")])))
    let found = try components("meal-plan", harness, locale: german)
    // The Tuesdays: 17 and 24 November, 1, 8, 15 and 22 December.
    #expect(found.count == 6)
    #expect(
      found[0] == [
        "UID:2026-11-17-family-dinner@meal-plan.home.cachesync", "DTSTAMP:20261115T093000Z",
        "SUMMARY:Abendessen: Soup\\, Oven Chips",
        "DTSTART;VALUE=DATE:20261117", "DTEND;VALUE=DATE:20261118", "CATEGORIES:family",
      ])
  }

  @Test("Lines have at most 75 bytes, and are folded between characters")
  func folding() throws {
    let title = String(repeating: "ä", count: 100) + "\\\u{7}\n\t🧀"
    let component = ExportedComponent(
      form: .event, id: "a", order: nil, stamp: .referenceDate, properties: [.escaped("SUMMARY", title)])
    let bytes = CalendarDocument.text(of: [component], named: "N", space: "f.c")
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.dropLast() }
    #expect(lines.allSatisfy { $0.count <= 75 && String(validating: $0, as: UTF8.self) != nil })
    #expect(lines.contains { $0.count == 75 })
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
    #expect(text.contains("SUMMARY:\(String(repeating: "ä", count: 100))\\\\\\n\t🧀\r\n"))
  }

  @Test("What a calendar exports reads back as the same tasks")
  func roundTrip() throws {
    let harness = try FeedHarness()
    try harness.put(
      "tasks/a.ics",
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:A\\, b\\; c\\nd\nDUE;VALUE=DATE:20261125\nCATEGORIES:x\\,y,z\nEND:VTODO\nEND:VCALENDAR\n"
    )
    let calendar = try #require(harness.feeds.registry.feed(named: "tasks")?.calendar)
    let bytes = CalendarDocument.text(
      of: calendar(harness.feeds, try harness.moment(Self.now)), named: "N", space: "tasks.home")
    let file = try bytes.withUnsafeBufferPointer {
      try CalendarFile.read($0, path: CachePath("tasks/b.ics"), zones: CalendarZones(FeedRegistry.builtInZones))
    }
    #expect(file.problems.isEmpty)
    #expect(file.toDos.map(\.title) == ["A, b; c\nd"])
    #expect(file.toDos.map(\.labels) == [["x,y", "z"]])
  }
}

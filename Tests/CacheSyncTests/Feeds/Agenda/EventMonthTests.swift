import CacheSync
import CacheSyncSystem
import Testing

@Suite("The month of the calendar")
struct EventMonthTests {
  private func weeks(_ harness: FeedHarness, at moment: String) throws -> (first: String?, counts: [[Int]]) {
    let weeks = try harness.content("calendar", at: moment)["weeks"]
    let counts = (weeks?["counts"]?.array ?? []).map { ($0.array ?? []).compactMap(\.int) }
    return (weeks?["first"]?.string, counts)
  }

  /// How many events a day has.
  private func count(_ day: String, _ harness: FeedHarness, at moment: String) throws -> Int? {
    let (first, counts) = try weeks(harness, at: moment)
    let place = try #require(first.flatMap { LocalDay($0) }).distance(to: try #require(LocalDay(day)))
    return counts.indices.contains(place / 7) ? counts[place / 7][place % 7] : nil
  }

  /// The first day and the number of rows are those of Python's `calendar.Calendar(firstweekday).monthdatescalendar`.
  @Test(
    "The grid covers the month in whole weeks, from any first weekday",
    arguments: [
      ("2026-11-15", .monday, "2026-10-26", 6),
      ("2026-11-15", .sunday, "2026-11-01", 5),
      ("2026-11-15", .saturday, "2026-10-31", 5),
      ("2026-11-15", .wednesday, "2026-10-28", 5),
      ("2026-02-15", .monday, "2026-01-26", 5),
      ("2026-02-15", .sunday, "2026-02-01", 4),
      ("2026-02-15", .saturday, "2026-01-31", 5),
      ("2026-02-15", .wednesday, "2026-01-28", 5),
      ("2024-02-15", .monday, "2024-01-29", 5),
      ("2024-02-15", .sunday, "2024-01-28", 5),
      ("2024-02-15", .saturday, "2024-01-27", 5),
      ("2024-02-15", .wednesday, "2024-01-31", 5),
      ("2021-02-15", .monday, "2021-02-01", 4),
      ("2021-02-15", .sunday, "2021-01-31", 5),
      ("2021-02-15", .saturday, "2021-01-30", 5),
      ("2021-02-15", .wednesday, "2021-01-27", 5),
      ("2100-02-15", .monday, "2100-02-01", 4),
      ("2100-02-15", .sunday, "2100-01-31", 5),
      ("2100-02-15", .saturday, "2100-01-30", 5),
      ("2100-02-15", .wednesday, "2100-01-27", 5),
      ("2026-05-15", .monday, "2026-04-27", 5),
      ("2026-05-15", .sunday, "2026-04-26", 6),
      ("2026-05-15", .saturday, "2026-04-25", 6),
      ("2026-05-15", .wednesday, "2026-04-29", 5),
      ("2023-10-15", .monday, "2023-09-25", 6),
      ("2023-10-15", .sunday, "2023-10-01", 5),
      ("2023-10-15", .saturday, "2023-09-30", 5),
      ("2023-10-15", .wednesday, "2023-09-27", 5),
    ] as [(String, Weekday, String, Int)])
  func grid(day: String, firstWeekday: Weekday, first: String, rows: Int) throws {
    var harness = try FeedHarness()
    harness.firstWeekday = firstWeekday
    let (found, counts) = try weeks(harness, at: day + "T12:00:00Z")
    #expect(found == first && counts.count == rows && counts.allSatisfy { $0 == Array(repeating: 0, count: 7) })
    let names = try harness.content("calendar", at: day + "T12:00:00Z")["weekdays"]?.array?.compactMap(\.string) ?? []
    #expect(names.count == 7 && names[0].lowercased() == "\(firstWeekday)".prefix(3).lowercased())
    try harness.expectConsistent("calendar", at: day + "T12:00:00Z")
  }

  @Test("The content has the day, its weekday and its month")
  func day() throws {
    let content = try FeedHarness(zone: "Asia/Tokyo").content("calendar", at: "2026-11-23T15:00:00Z")
    #expect(content["day"]?.int == 24 && content["weekday"]?.string == "Tuesday")
    #expect(content["month"]?.string == "November 2026")
    #expect(content["weekdays"] == .array(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map(JSONValue.string)))
  }

  @Test("An event counts on every local day that it overlaps, in lists and in calendars")
  func counts() throws {
    // Berlin is UTC+1 in November.
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put(
      "events/a.json",
      "["
        + [
          // 23:00 to 02:00: the 10th and 11th
          eventJSON("1", "Evening", "2026-11-10T22:00:00Z", "2026-11-11T01:00:00Z"),
          eventJSON("2", "To midnight", "2026-11-10T20:00:00Z", "2026-11-10T23:00:00Z"),  // until 24:00: the 10th
          eventJSON("3", "Moment", "2026-11-11T12:00:00Z"),  // no length: the 11th
          // The grid begins on 26 October
          eventJSON("4", "From October", "2026-10-01T08:00:00Z", "2026-11-02T08:00:00Z"),
          eventJSON("5", "Into December", "2026-12-05T08:00:00Z", "2027-01-02T08:00:00Z"),  // it ends on 6 December
        ].joined(separator: ",") + "]")
    try harness.put(
      "events/b.ics",
      Calendars.text(
        "UID:w\nDTSTART:20261113\nDTEND:20261115\nSUMMARY:Weekend",
        "UID:r\nDTSTART:20261102T090000Z\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Daily"))
    let noon = "2026-11-21T12:00:00Z"
    let expected = [
      ("2026-10-26", 1), ("2026-11-01", 1), ("2026-11-02", 2), ("2026-11-03", 1), ("2026-11-04", 1), ("2026-11-05", 0),
      ("2026-11-09", 0), ("2026-11-10", 2), ("2026-11-11", 2), ("2026-11-12", 0), ("2026-11-13", 1), ("2026-11-14", 1),
      ("2026-11-15", 0), ("2026-12-04", 0), ("2026-12-05", 1), ("2026-12-06", 1),
    ]
    for (day, number) in expected { #expect(try count(day, harness, at: noon) == number, "\(day)") }
    try harness.expectConsistent("calendar", at: noon)
    try harness.expectConsistent("calendar", at: "2026-11-28T12:00:00Z")
  }

  @Test("A day that the zone skipped is in the grid, with 0")
  func skipped() throws {
    let harness = try FeedHarness(zone: "Pacific/Apia")
    // From the 29th, 20:00 local time (UTC-10), to the 31st, 10:00 local time (UTC+14).
    try harness.put("events/a.json", "[\(eventJSON("1", "Over", "2011-12-30T06:00:00Z", "2011-12-30T20:00:00Z"))]")
    let counts = try ["2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31"].map {
      try count($0, harness, at: "2011-12-20T12:00:00Z")
    }
    #expect(counts == [0, 1, 0, 1])
  }

  @Test("The first two current events are shown, timed ones first, and the end of one is a boundary")
  func now() throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put(
      "events/a.json",
      "["
        + [
          eventJSON("1", "Long", "2026-11-20T08:00:00Z", "2026-11-22T08:00:00Z"),
          eventJSON("2", "Stand-up", "2026-11-21T09:00:00Z", "2026-11-21T09:30:00Z"),
          eventJSON("3", "Call", "2026-11-21T09:15:00Z", "2026-11-21T10:30:00Z"),
        ].joined(separator: ",") + "]")
    try harness.put("events/b.ics", Calendars.text("UID:w\nDTSTART:20261121\nSUMMARY:Day"))
    func now(_ moment: String) throws -> [String] {
      (try harness.content("calendar", at: moment)["now"]?.array ?? []).compactMap { $0["title"]?.string }
    }
    #expect(try now("2026-11-21T08:59:59Z") == ["Long", "Day"])
    #expect(try now("2026-11-21T09:00:00Z") == ["Long", "Stand-up"])
    #expect(try now("2026-11-21T09:29:59.999Z") == ["Long", "Stand-up"])
    #expect(try now("2026-11-21T09:30:00Z") == ["Long", "Call"])
    #expect(try now("2026-11-21T22:59:59Z") == ["Long", "Day"])
    #expect(try now("2026-11-21T23:00:00Z") == ["Long"])
    #expect(try now("2026-11-22T08:00:00Z") == [])
    let dates = try harness.timeline("calendar", at: "2026-11-21T08:00:00Z").entries.map(\.date.description)
    for end in ["2026-11-21T09:30:00Z", "2026-11-21T10:30:00Z", "2026-11-22T08:00:00Z"] {
      #expect(dates.contains(end), "\(end)")
    }
    // The current all-day event is in both lists.
    let events = try harness.content("calendar", at: "2026-11-21T22:00:00Z")["events"]?.array ?? []
    #expect(events.compactMap { $0["title"]?.string } == ["Day"])
    for moment in ["2026-11-21T08:00:00Z", "2026-11-20T23:30:00Z"] {
      try harness.expectConsistent("calendar", at: moment)
      try harness.expectConsistent("next-event", at: moment)
    }
  }

  @Test("If no timed event follows, the next event is a current one")
  func text() throws {
    let harness = try FeedHarness(zone: "Europe/Berlin")
    try harness.put("events/a.json", "[\(eventJSON("2", "Stand-up", "2026-11-21T09:00:00Z", "2026-11-21T10:30:00Z"))]")
    func next(_ moment: String) throws -> (text: String?, now: String?) {
      let content = try harness.content("next-event", at: moment)
      return (content["text"]?.string, content["now"]?["title"]?.string)
    }
    #expect(try next("2026-11-21T08:00:00Z") == ("Stand-up", nil))
    #expect(try next("2026-11-21T09:00:00Z") == ("Stand-up, until 11:30", "Stand-up"))
    #expect(try next("2026-11-21T10:30:00Z") == ("No upcoming events", nil))
    try harness.put("events/b.ics", Calendars.text("UID:w\nDTSTART:20261123\nSUMMARY:Day"))
    #expect(try next("2026-11-21T09:00:00Z") == ("Stand-up, until 11:30", "Stand-up"))
    #expect(try next("2026-11-21T10:30:00Z") == ("Day", nil))
    try harness.put("events/c.json", "[\(eventJSON("3", "Later", "2026-11-22T09:00:00Z"))]")
    #expect(try next("2026-11-21T09:00:00Z") == ("Later", "Stand-up"))
    let late = try FeedHarness(zone: "Europe/Berlin")
    try late.put("events/a.json", "[\(eventJSON("1", "Trip", "2026-11-20T09:00:00Z", "2026-11-24T10:30:00Z"))]")
    #expect(
      try late.content("next-event", at: "2026-11-21T09:00:00Z")["text"]?.string == "Trip, until Tue 24 Nov 11:30")
  }
}

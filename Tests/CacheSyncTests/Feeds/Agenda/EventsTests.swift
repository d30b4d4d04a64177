import CacheSync
import CacheSyncSystem
import Testing

/// An event as an app writes it.
func eventJSON(_ id: String, _ title: String = "E", _ start: String, _ end: String? = nil, location: String? = nil)
  -> String
{
  let location = location.map { #","location":"\#($0)""# } ?? ""
  return #"{"id":\#(id),"title":"\#(title)","startTime":"\#(start)","endTime":"\#(end ?? start)"\#(location)}"#
}

private let noon = "2026-11-21T12:00:00Z"

@Suite("Events")
struct EventsTests {
  @Test("The calendar shows the next five events")
  func calendar() throws {
    let harness = try FeedHarness(zone: "America/New_York")
    try harness.put(
      "events/a.json",
      "["
        + [
          eventJSON("1", "Now", noon, "2026-11-21T13:00:00Z"),  // has started
          eventJSON("2", "Next", "2026-11-21T12:00:00.001Z", "2026-11-21T13:00:00Z", location: "Bar"),
          eventJSON("3", "Edge", "2026-11-28T12:00:00Z"),
          eventJSON("4", "Beyond", "2026-11-28T12:00:00.001Z"),
          eventJSON("\"a:b c\"", "B", "2026-11-22T00:00:00Z", "2026-11-22T02:00:00Z"),
          eventJSON("6", "C", "2026-11-22T00:00:00Z", "2026-11-22T01:00:00Z"),
          eventJSON("8", "A", "2026-11-22T00:00:00Z", "2026-11-22T02:00:00Z"),
          eventJSON("7", "A", "2026-11-22T00:00:00Z", "2026-11-22T02:00:00Z"),
        ].joined(separator: ",") + "]")
    let content = try harness.content("calendar", at: noon)
    #expect(content["month"]?.string == "November 2026" && content["date"]?.string == "2026-11-21")
    #expect(content["events"]?.array?.map { $0["title"]?.string } == ["Next", "C", "A", "A", "B"])
    #expect(
      content["events"]?.array?.map { $0["id"] } == [
        .integer(2), .integer(6), .integer(7), .integer(8), .string("a:b c"),
      ])
    #expect(content["more"]?.int == 1)
    #expect(
      content["events"]?[0]
        == .object([
          "id": .integer(2), "title": .string("Next"), "startTime": .string("2026-11-21T12:00:00Z"),
          "endTime": .string("2026-11-21T13:00:00Z"), "location": .string("Bar"),
          "deepLink": .string("cafe://event/2"),
        ]))
    #expect(content["events"]?[4]?["location"] == .null)
    #expect(content["events"]?[4]?["deepLink"]?.string == "cafe://event/a:b%20c")
    let next = try harness.content("next-event", at: noon)
    #expect(next["text"]?.string == "Next" && next["event"] == content["events"]?[0])
  }

  @Test("The next event is a timed one; all-day events are shown if no timed one follows within seven days")
  func nextIsTimed() throws {
    let harness = try FeedHarness()
    let calendar = Calendars.text(
      "UID:h\nDTSTART:20261121\nDTEND:20261206\nSUMMARY:Holidays", "UID:n\nDTSTART:20261124\nSUMMARY:Name day",
      "UID:d\nDTSTART:20261124T130000Z\nSUMMARY:Dentist")
    #expect(try harness.put("events/a.ics", calendar).isEmpty)
    func next(_ date: String) throws -> String? { try harness.content("next-event", at: date)["text"]?.string }
    #expect(try next("2026-11-24T07:00:00Z") == "Dentist")
    // The window begins at the same wall time seven days before.
    #expect(try next("2026-11-17T13:00:00Z") == "Dentist")
    #expect(try next("2026-11-17T12:59:59Z") == "Holidays")
    #expect(try next("2026-11-24T13:00:00Z") == "Holidays")
    try harness.expectConsistent("next-event", at: "2026-11-20T07:00:00Z")
    try harness.put("events/b.json", "[\(eventJSON("1", "Own", "2026-11-25T09:00:00Z"))]")
    #expect(try next("2026-11-24T13:00:00Z") == "Own")
    #expect(try harness.content("calendar", at: "2026-11-24T07:00:00Z")["events"]?[0]?["title"]?.string == "Holidays")
  }

  @Test("The day index lists 1,000 ids a day, and how many more there are")
  func manyOfDay() throws {
    let harness = try FeedHarness()
    let list = (0..<1_001).map { eventJSON("\($0)", "E", "2026-11-22T09:00:00Z") }
    try harness.put("events/a.json", "[\(list.joined(separator: ","))]")
    let day = try harness.day("events", "2026-11-22", now: noon)
    #expect(day?["ids"]?.array?.count == 1_000 && day?["more"]?.int == 1)
    try harness.put("events/a.json", "[\(list.dropLast().joined(separator: ","))]")
    #expect(try harness.day("events", "2026-11-22", now: noon)?["more"] == nil)
  }

  @Test("The next five events come from lists and calendars together, and include current all-day events")
  func listsAndCalendars() throws {
    let harness = try FeedHarness()
    let list = [
      eventJSON("1", "Now", "2026-11-21T11:00:00Z", "2026-11-21T13:00:00Z"),
      eventJSON("2", "Own", "2026-11-22T09:00:00Z"), eventJSON("3", "Late", "2026-11-27T18:00:00Z"),
    ]
    try harness.put("events/a.json", "[\(list.joined(separator: ","))]")
    let calendar = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:trip
      DTSTART;VALUE=DATE:20261121
      DURATION:P2D
      SUMMARY:Trip
      END:VEVENT
      BEGIN:VEVENT
      UID:daily
      DTSTART:20261101T130000Z
      RRULE:FREQ=DAILY
      SUMMARY:Daily
      END:VEVENT
      END:VCALENDAR
      """
    #expect(try harness.put("events/b.ics", calendar).isEmpty)
    let content = try harness.content("calendar", at: noon)
    // By hand: the trip, Daily at 13:00 from the 21st to the 27th, Own and Late make ten.
    let shown = content["events"]?.array ?? []
    #expect(shown.map { $0["title"]?.string } == ["Trip", "Daily", "Own", "Daily", "Daily"])
    #expect(shown.last?["startTime"]?.string == "2026-11-23T13:00:00Z")
    #expect(content["more"]?.int == 5)
    #expect(try harness.content("next-event", at: noon)["text"]?.string == "Daily")
  }

  @Test("There is an entry where an event starts or enters the next 7 days, and at each midnight")
  func boundaries() throws {
    let harness = try FeedHarness()
    try harness.put(
      "events/a.json",
      "[\(eventJSON("1", "One", "2026-11-22T09:00:00Z")),\(eventJSON("2", "Two", "2026-12-01T10:00:00Z"))]")
    let calendar = try harness.timeline("calendar", at: noon)
    let shown = try calendar.entries.map {
      "\($0.date) \(try harness.value($0.content)["events"]?.array?.compactMap { $0["id"]?.int } ?? [])"
    }
    #expect(
      shown == [
        "2026-11-21T00:00:00Z [1]", "2026-11-22T00:00:00Z [1]", "2026-11-22T09:00:00Z []", "2026-11-23T00:00:00Z []",
        "2026-11-24T00:00:00Z []", "2026-11-24T10:00:00Z [2]", "2026-11-25T00:00:00Z [2]", "2026-11-26T00:00:00Z [2]",
        "2026-11-27T00:00:00Z [2]",
      ])
    #expect(calendar.reloadAfter?.description == "2026-11-28T00:00:00Z")
    // It is dated by the boundary at which the event came into view, not by the moment of the query.
    #expect(
      try harness.timeline("calendar", at: "2026-11-24T15:00:00Z").entries[0].date.description == "2026-11-24T10:00:00Z"
    )
    let next = try harness.timeline("next-event", at: noon)
    #expect(next.entries.map(\.date) == calendar.entries.map(\.date))
    #expect(try harness.value(next.entries[2].content)["text"]?.string == "No upcoming events")
    try harness.expectConsistent("calendar", at: noon)
    try harness.expectConsistent("next-event", at: noon)
  }

  @Test("There are at most 48 entries, and the snapshot reloads at the first that is left out")
  func capped() throws {
    let harness = try FeedHarness()
    let events = (0..<60).map { eventJSON("\($0)", "e\($0)", "2026-11-21T\(13 + $0 / 30):\(10 + $0 % 30):00Z") }
    try harness.put("events/a.json", "[\(events.joined(separator: ","))]")
    for kind in ["calendar", "next-event"] as [KindName] {
      // The entry of midnight has no event, because none is more than a week away. The others are one for each start:
      // all events came within 7 days before today.
      let timeline = try harness.timeline(kind, at: noon)
      #expect(timeline.entries.count == 48)
      #expect(timeline.entries[47].date.description == "2026-11-21T14:26:00Z")
      #expect(timeline.reloadAfter?.description == "2026-11-21T14:27:00Z")
      try harness.expectConsistent(kind, at: noon)
    }
  }

  /// Computed by Tests/Reference/agenda_windows.py: when an event begins and ends to be shown.
  @Test(
    "7 days are measured on the wall clock, also across changes of clocks",
    arguments: [
      ("UTC", "2026-11-27T09:30:00Z", "2026-11-18T00:00:00Z", ["2026-11-20T09:30:00Z", "2026-11-27T09:30:00Z"]),
      (
        "America/New_York", "2026-11-08T06:30:00Z", "2026-10-31T04:00:00Z",
        ["2026-11-01T05:30:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:30:00Z", "2026-11-08T06:30:00Z"]
      ),
      (
        "America/New_York", "2026-11-05T20:00:00Z", "2026-10-28T04:00:00Z",
        ["2026-10-29T19:00:00Z", "2026-11-05T20:00:00Z"]
      ),
      (
        "America/New_York", "2026-11-01T06:30:00Z", "2026-10-24T04:00:00Z",
        ["2026-10-25T06:00:00Z", "2026-11-01T06:30:00Z"]
      ),
      (
        "America/New_York", "2026-11-01T05:30:00Z", "2026-10-24T04:00:00Z",
        ["2026-10-25T05:30:00Z", "2026-11-01T05:30:00Z"]
      ),
      (
        "America/New_York", "2026-03-08T07:00:00Z", "2026-02-28T05:00:00Z",
        ["2026-03-01T07:00:00Z", "2026-03-08T07:00:00Z"]
      ),
      (
        "America/New_York", "2026-03-08T07:10:00Z", "2026-02-28T05:00:00Z",
        ["2026-03-01T08:10:00Z", "2026-03-08T07:10:00Z"]
      ),
      (
        "America/New_York", "2026-03-15T06:30:00Z", "2026-03-07T05:00:00Z",
        ["2026-03-08T07:00:00Z", "2026-03-15T06:30:00Z"]
      ),
      (
        "Australia/Lord_Howe", "2026-04-11T15:15:00Z", "2026-04-03T00:00:00Z",
        ["2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:15:00Z", "2026-04-11T15:15:00Z"]
      ),
      (
        "Australia/Lord_Howe", "2026-10-10T15:00:00Z", "2026-10-02T00:00:00Z",
        ["2026-10-03T15:30:00Z", "2026-10-10T15:00:00Z"]
      ),
    ])
  func windows(zone: String, start: String, from: String, expected: [String]) throws {
    let harness = try FeedHarness(zone: zone)
    try harness.put("events/a.json", "[\(eventJSON("1", "E", start))]")
    for name in ["calendar", "next-event"] as [KindName] {
      let kind = try #require(FeedRegistry.builtIn.kind(named: name))
      let projector = TimelineProjector(feeds: harness.feeds, moment: try harness.moment(from))
      var changes: [String] = []
      var wasShown = false
      for entry in projector.timeline(of: kind, search: .init(days: 12)).entries {
        let isShown = !String(decoding: entry.content, as: UTF8.self).contains(
          name == "calendar" ? #""events":[]"# : "No upcoming events")
        if isShown != wasShown { changes.append(entry.date.description) }
        wasShown = isShown
      }
      #expect(changes == expected)
      try harness.expectConsistent(name, at: from)
      try harness.expectConsistent(name, at: expected[0])
    }
  }

  @Test("The day index lists the events that overlap the day, by start, then id")
  func dayIndex() throws {
    let harness = try FeedHarness(zone: "America/New_York")  // days begin at 05:00Z
    try harness.put(
      "events/a.json",
      "["
        + [
          eventJSON("1", "Z", "2026-11-20T23:00:00Z", "2026-11-21T05:00:00Z"),  // ends at midnight
          eventJSON("2", "Y", "2026-11-21T05:00:00Z", "2026-11-21T05:00:00Z"),  // no length, at midnight
          eventJSON("\"b\"", "A", "2026-11-21T05:00:00Z", "2026-11-22T05:00:00.001Z"),
          eventJSON("10", "A", "2026-11-21T05:00:00Z", "2026-11-21T06:00:00Z"),
          eventJSON("5", "Years", "1990-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
          eventJSON("6", "Week", "2026-11-14T05:00:00Z", "2026-11-21T05:00:00.5Z"),
        ].joined(separator: ",") + "]")
    func ids(_ day: String) throws -> [JSONValue]? { try harness.day("events", day, now: noon)?["ids"]?.array }
    #expect(try ids("2026-11-20") == [.integer(5), .integer(6), .integer(1)])
    #expect(
      try ids("2026-11-21") == [.integer(5), .integer(6), .integer(2), .integer(10), .string("b")])
    #expect(try ids("2026-11-22") == [.integer(5), .string("b")])
    #expect(try ids("2026-11-23") == [.integer(5)])
    try harness.put("events/a.json", "[]")
    #expect(try ids("2026-11-21") == nil)
  }

  @Test(
    "A missing or mistyped field is a problem: an error if no event is left, and a warning if it may be missing",
    arguments: [
      (#""title":"E","startTime":0,"endTime":0"#, "/events/0/id", "missing field 'id'"),
      (#""id":1,"startTime":0,"endTime":0"#, "/events/0/title", "missing field 'title'"),
      (#""id":1,"title":"E","endTime":0"#, "/events/0/startTime", "missing field 'startTime'"),
      (#""id":[],"title":"E","startTime":0,"endTime":0"#, "/events/0/id", "a string"),
      (#""id":1,"title":2,"startTime":0,"endTime":0"#, "/events/0/title", "a string"),
      (#""id":1,"title":"E","startTime":"2026-11-21","endTime":0"#, "/events/0/startTime", "a date"),
      (#""id":1,"title":"E","startTime":0,"endTime":0,"location":5"#, "/events/0/location", "a string"),
      (#""endTime":-0.001,"id":1,"title":"E","startTime":0"#, "/events/0/endTime", "before it starts"),
      (
        #""id":1,"title":"E","startTime":"2026-11-21T10:00:00+01:00","endTime":"2026-11-21T08:59:59Z""#,
        "/events/0/endTime", "before"
      ),
    ])
  func defects(members: String, pointer: String, message: String) throws {
    let harness = try FeedHarness()
    let text = #"{"events":[{\#(members)}]}"#
    let isWarning = pointer.contains(/endTime|location/)
    try harness.put("events/a.json", text)
    let feed = try #require(FeedRegistry.builtIn.feed(named: "events"))
    let problems = Array(text.utf8).withUnsafeBytes { feed.problems(of: $0, at: CachePath("events/a.json")) }
    #expect(problems.map(\.pointer) == [pointer] && problems.map(\.severity) == [isWarning ? .warning : .error])
    #expect(problems[0].message.contains(message), "\(problems[0].message)")
    #expect(try harness.state("calendar", at: noon) == (isWarning ? "current" : "empty"))
  }

  @Test("Both forms of a file, numbers as dates, and unknown fields are accepted")
  func forms() throws {
    let harness = try FeedHarness()
    #expect(try harness.put("events/a.json", #"{"lastUpdate":1,"x":[],"events":[]}"#).isEmpty)
    #expect(try harness.put("events/b.json", #"{"lastUpdate":[],"events":[]}"#).isEmpty)
    #expect(try harness.put("events/b.json", "{}").first?.message.contains("'events'") == true)
    #expect(try harness.put("events/b.json", "true").first?.message.contains("an array of events") == true)
    // 817032600 s after 2001 is 2026-11-22T09:30:00Z.
    let text =
      #"[{"id":"e","title":"E","location":null,"attendees":["x"],"startTime":817032600,"endTime":817032600.25}]"#
    #expect(try harness.put("cachedEvents.json", text).isEmpty)
    #expect(try harness.content("next-event", at: noon)["event"]?["startTime"]?.string == "2026-11-22T09:30:00Z")
  }

  @Test("The state is empty without a file, and stale if a file is unusable or old; several files are joined")
  func states() throws {
    let harness = try FeedHarness(staleAfter: .seconds(24 * 3600))
    try harness.put(
      "events/a.json", "[\(eventJSON("1", "E", "2026-11-22T09:00:00Z"))]", modified: "2026-11-01T00:00:00Z")
    #expect(try harness.state("calendar", at: noon) == "current")
    try harness.put(
      "events/b.json",
      #"{"lastUpdate":"2026-11-20T20:00:00Z","events":[\#(eventJSON("\"1\"", "E", "2026-11-23T09:00:00Z"))]}"#)
    func start() throws -> String? { try harness.content("next-event", at: noon)["event"]?["startTime"]?.string }
    #expect(try start() == "2026-11-23T09:00:00Z")
    let timeline = try harness.timeline("next-event", at: noon)
    #expect(timeline.sources.named == [CachePath("events/a.json"), CachePath("events/b.json")])
    #expect(timeline.entries[1].date.description == "2026-11-21T20:00:00Z" && timeline.entries[1].state == .stale)
    harness.remove("events/b.json")
    #expect(try start() == "2026-11-22T09:00:00Z")
    harness.feeds["events"]?.mark(CachePath("events/a.json"), unusable: true)
    #expect(try harness.state("next-event", at: noon) == "stale")
    harness.remove("events/a.json")
    let empty: [(KindName, String)] = [
      (
        "calendar",
        #"{"date":"2026-11-21","day":21,"events":[],"month":"November 2026","more":0,"now":[],"weekday":"Saturday","#
          + #""weekdays":["Mon","Tue","Wed","Thu","Fri","Sat","Sun"],"weeks":{"counts":["#
          + Array(repeating: "[0,0,0,0,0,0,0]", count: 6).joined(separator: ",") + #"],"first":"2026-10-26"}}"#
      ),
      ("next-event", #"{"event":null,"now":null,"text":"No upcoming events"}"#),
    ]
    for (kind, content) in empty {
      let timeline = try harness.timeline(kind, at: noon)
      #expect(String(decoding: timeline.entries[0].content, as: UTF8.self) == content)
      #expect(timeline.entries.count == 7 && timeline.entries.allSatisfy { $0.state == .empty })
      #expect(timeline.sources.count == 0)
    }
  }
}

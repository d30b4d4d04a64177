import CacheSync
import Testing

@Suite("Calendars: JSCalendar")
struct JSCalendarTests {
  private static func read(_ text: String, limits: CalendarLimits = .init()) -> JSONReader.Document<CalendarFile> {
    Array(text.utf8).withUnsafeBytes { bytes in
      JSONReader.read(bytes) { json in
        JSCalendarFile.isNext(&json)
          ? JSCalendarFile.decode(&json, path: CachePath("events/a.json"), zones: Calendars.zones, limits: limits) : nil
      }
    }
  }

  private static func events(_ text: String, from: String = "2026-11-01", to: String = "2026-12-01") throws -> [String]
  {
    let document = read(text)
    #expect(document.defects.isEmpty)
    return try Calendars.events(try #require(document.value), from: from, to: to)
  }

  @Test("an event has its uid, title, start, duration, zone and first place with a name")
  func event() throws {
    let event = """
      {"@type":"Event","uid":"a","updated":"2026-01-01T00:00:00Z","title":"Standup","start":"2026-11-23T09:00:00",
       "timeZone":"America/New_York","duration":"PT1H","locations":{"1":{"@type":"Location"},"2":{"name":"Room"}},"x":[1]}
      """
    #expect(try Self.events(event) == ["11-23T14:00/11-23T15:00 a Standup at Room"])
    #expect(try Self.events(event.replacing("\"America/New_York\"", with: "null")).first?.prefix(11) == "11-23T08:00")
    #expect(try Self.events(event.replacing("\"duration\"", with: "\"status\":\"cancelled\",\"duration\"")).isEmpty)
  }

  @Test("an event without time lasts whole days of the cache's zone")
  func days() throws {
    let event =
      #"{"@type":"Event","uid":"a","start":"2026-11-23T00:00:00","timeZone":"Asia/Tokyo","duration":"P2D","showWithoutTime":true}"#
    #expect(try Self.events(event) == ["11-22T23:00/11-24T23:00 a  all day"])
  }

  @Test("rules, and overrides that move, add and exclude")
  func series() throws {
    let event = """
      {"@type":"Event","uid":"a","title":"s","start":"2026-11-23T09:00:00","timeZone":"Europe/Berlin","duration":"PT1H",
       "recurrenceRules":[{"@type":"RecurrenceRule","frequency":"weekly","byDay":[{"day":"mo"},{"day":"we"}],
         "until":"2026-12-02T09:00:00"}],
       "recurrenceOverrides":{"2026-11-25T09:00:00":{"excluded":true},"2026-11-30T09:00:00":{"start":"2026-11-30T10:00:00",
         "title":"late","duration":"PT30M"},"2026-11-28T12:00:00":{}}}
      """
    #expect(
      try Self.events(event, to: "2026-12-31") == [
        "11-23T08:00/11-23T09:00 a#20261123T080000Z s", "11-28T11:00/11-28T12:00 a#20261128T110000Z s",
        "11-30T09:00/11-30T09:30 a#20261130T080000Z late", "12-02T08:00/12-02T09:00 a#20261202T080000Z s",
      ])
  }

  @Test(
    "a patch takes away with null, and reaches into places; what it may not change stays",
    arguments: [
      (#""title":null"#, " at Hall"), (#""title":"b""#, "b at Hall"), (#""locations":null"#, "s"),
      (#""locations":{"9":{"name":"Garden"}}"#, "s at Garden"), (#""locations/1/name":"Garden""#, "s at Garden"),
      (#""locations/1/name":null"#, "s at Attic"), (#""locations/1":null"#, "s at Attic"),
      (#""locations/1":{"name":"Garden"}"#, "s at Garden"), (#""locations/a~1b~0/name":"Loft""#, "s at Hall"),
      (#""locations/1":null,"locations/a~1b~0/name":"Loft""#, "s at Loft"),
      (#""locations/3":{"name":"Third"},"locations/1":null,"locations/a~1b~0":null"#, "s at Third"),
      (#""locations/8/name":"Nowhere","locations/1/x/y":1,"alerts/1/action":[],"x":1"#, "s at Hall"),
      (#""uid":7,"recurrenceRules":8,"recurrenceOverrides":9,"start":null,"excluded":null"#, "s at Hall"),
    ])
  func patches(patch: String, expected: String) throws {
    let event = """
      {"@type":"Event","recurrenceOverrides":{"2026-11-24T09:00:00":{\(patch)}},"uid":"a","title":"s",
       "start":"2026-11-23T09:00:00","timeZone":"Europe/Berlin","duration":"PT1H","excluded":true,
       "locations":{"1":{"name":"Hall"},"a/b~":{"name":"Attic"}},"recurrenceRules":[{"frequency":"daily","count":3}]}
      """
    #expect(
      try Self.events(event) == [
        "11-23T08:00/11-23T09:00 a#20261123T080000Z s at Hall",
        "11-24T08:00/11-24T09:00 a#20261124T080000Z \(expected)",
        "11-25T08:00/11-25T09:00 a#20261125T080000Z s at Hall",
      ])
  }

  @Test("a patch's times: no duration, another zone, no zone, a day")
  func patchedTimes() throws {
    func event(_ patch: String) -> String {
      """
      {"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","timeZone":"America/New_York","duration":"PT1H",
       "recurrenceOverrides":{"2026-11-23T09:00:00":{\(patch)}}}
      """
    }
    // Berlin is the cache's zone: 9 o'clock is 8 in UTC there, 14 in New York and 0 in Tokyo.
    for (patch, times) in [
      (#""duration":null"#, "11-23T14:00/11-23T14:00"), (#""timeZone":"Asia/Tokyo""#, "11-23T00:00/11-23T01:00"),
      (#""timeZone":null"#, "11-23T08:00/11-23T09:00"),
      (#""showWithoutTime":true,"duration":"P1D""#, "11-22T23:00/11-23T23:00"),
    ] {
      let found = try Self.events(event(patch))
      #expect(found.count == 1 && found[0].hasPrefix(times + " a#20261123T140000Z"), "\(patch): \(found)")
    }
  }

  @Test("an event with a recurrenceId replaces that occurrence of its series, and stands alone without it")
  func singleOccurrence() throws {
    let series = """
      {"@type":"Event","uid":"a","title":"s","start":"2026-11-23T09:00:00","timeZone":"Europe/Berlin",
       "recurrenceRules":[{"frequency":"daily","count":2}]}
      """
    let single = """
      {"@type":"Event","uid":"a","title":"moved","start":"2026-11-24T12:00:00","timeZone":"Europe/Berlin",
       "recurrenceId":"2026-11-24T17:00:00","recurrenceIdTimeZone":"Asia/Tokyo"}
      """
    let moved = "11-24T11:00/11-24T11:00 a#20261124T080000Z moved"
    let first = "11-23T08:00/11-23T08:00 a#20261123T080000Z s"
    for entries in ["\(series),\(single)", "\(single),\(series)"] {
      #expect(try Self.events(#"{"@type":"Group","entries":[\#(entries)]}"#) == [first, moved])
    }
    #expect(try Self.events(single) == [moved])
    #expect(
      try Self.events(single.replacing(#","recurrenceIdTimeZone":"Asia/Tokyo""#, with: "")) == [
        "11-24T11:00/11-24T11:00 a#20261124T160000Z moved"
      ])
  }

  @Test("a group gives its events; what is no calendar is not read as one")
  func group() throws {
    let event = #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00"}"#
    let other = #"{"@type":"Event","start":"2026-11-24T09:00:00"}"#
    #expect(
      try Self.events(#"{"title":"g","entries":[\#(event),{"@type":"Task","start":1},\#(other)],"@type":"Group"}"#) == [
        "11-23T08:00/11-23T08:00 a ", "11-24T08:00/11-24T08:00 events/a.json:2 ",
      ])
    for text in ["[]", "{}", #"{"@type":"Task"}"#, #"{"@type":1}"#, #"{"events":[]}"#] {
      #expect(Self.read(text).value == nil, "\(text)")
    }
  }

  @Test("an event of a group without uid has its place among the entries for one")
  func withoutUID() throws {
    let event = #"{"@type":"Event","start":"2026-11-23T09:00:00"}"#
    #expect(
      try Self.events(#"{"entries":[{"@type":"Task"},\#(event),7],"@type":"Group"}"#) == [
        "11-23T08:00/11-23T08:00 events/a.json:1 "
      ])
    #expect(try Self.events(event) == ["11-23T08:00/11-23T08:00 events/a.json:0 "])
  }

  @Test("dates that only overrides give are occurrences, and so is the start then")
  func overridesWithoutRules() throws {
    let event = """
      {"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","recurrenceOverrides":{"2026-11-28T12:00:00":{"title":"b"}}}
      """
    #expect(
      try Self.events(event) == [
        "11-23T08:00/11-23T08:00 a#20261123T080000Z ", "11-28T11:00/11-28T11:00 a#20261128T110000Z b",
      ])
  }

  @Test(
    "a bad event is left out with all of its uid, and is a problem at its place; the others count",
    arguments: [
      (#"{"@type":"Event","uid":"a"}"#, "missing field 'start'", "/start", 1),
      (
        #"{"@type":"Event","start":"2026-11-23","uid":"a"}"#,
        "expected a local date and time such as 2026-11-23T08:00:00, found \"2026-11-23\"", "/start", 26
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","timeZone":"Mars"}"#, "unknown time zone \"Mars\"",
        "/timeZone", 69
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","duration":"-PT1H","status":[]}"#,
        "expected a duration such as PT1H, found \"-PT1H\"", "/duration", 69
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","recurrenceRules":[{"frequency":"often"}]}"#,
        "no frequency \"often\"; use one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY",
        "/recurrenceRules/0", 77
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","recurrenceOverrides":{"soon":{}}}"#,
        "\"soon\" is no local date and time such as 2026-11-23T08:00:00", "/recurrenceOverrides/soon", 88
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","uid":"c"}"#, "duplicate key 'uid'", "/uid", 64
      ),
      (
        #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","recurrenceOverrides":{"2026-11-24T09:00:00":"#
          + #"{"title":"b","title":"c"}}}"#,
        "duplicate key \"title\"", "/recurrenceOverrides/2026-11-24T09:00:00/title", 124
      ),
    ])
  func defects(event: String, message: String, pointer: String, column: Int) throws {
    let single = Self.read(event)
    #expect(single.defects.isEmpty)
    #expect(single.value?.series.isEmpty == true)
    #expect(
      single.value?.problems == [CalendarDefect(line: 1, column: column, pointer: pointer, message)])

    let good = #"{"@type":"Event","uid":"b","start":"2026-11-24T09:00:00"}"#
    let same = #"{"@type":"Event","uid":"a","start":"2026-11-25T09:00:00"}"#
    let group = Self.read(#"{"@type":"Group","entries":[\#(same),\#("\n")\#(event),\#(good),\#(same)]}"#)
    let file = try #require(group.value)
    #expect(group.defects.isEmpty)
    #expect(try Calendars.ids(file) == ["b"])
    #expect(
      file.problems == [CalendarDefect(line: 2, column: column, pointer: "/entries/1" + pointer, message)])
  }

  @Test(
    "what is no JSON, or a group without its entries, is unusable",
    arguments: [
      #"{"@type":"Group","entries":[{"@type":"Event","uid":"b","start":"2026-11-24T09:00:00"}"#,
      #"{"@type":"Group","entries":[{"@type":"Event","uid":"b","start":"2026-11-24T09:00:00",}]}"#,
      #"{"@type":"Group","entries":[{"@type":"Event","title":"\ud800","start":"2026-11-24T09:00:00"}]}"#,
      #"{"@type":"Event","uid":"b","start":"2026-11-24T09:00:00""#, #"{"@type":"Group"}"#,
      #"{"@type":"Group","entries":{}}"#,
    ])
  func unusable(text: String) {
    let document = Self.read(text)
    #expect(document.value == nil && document.defects.count == 1)
  }

  @Test("events beyond the limit are left out, with one problem")
  func tooMany() throws {
    let events = (0..<5).map { #"{"@type":"Event","uid":"\#($0 % 4)","start":"2026-11-2\#($0)T09:00:00"}"# }
    let text = #"{"@type":"Group","entries":[\#(events.joined(separator: ","))]}"#
    var limits = CalendarLimits()
    limits.events = 3
    let file = try #require(Self.read(text, limits: limits).value)
    #expect(try Calendars.ids(file) == ["1", "2"])
    #expect(
      file.problems.map { "\($0.column) \($0.pointer) \($0.message)" } == [
        "203 /entries/3 more than 3 events: this one and those after it are left out, with all of their UIDs"
      ])
  }

  @Test("a series beyond the limits is a problem where its rules stand")
  func excess() throws {
    let event = """
      {"@type":"Event","uid":"a","start":"2026-01-01T09:00:00",
       "recurrenceRules":[{"frequency":"minutely"}]}
      """
    for (text, place) in [
      (event, "2:20 /recurrenceRules"),
      (#"{"@type":"Group","entries":[0,"# + event + "]}", "2:20 /entries/1/recurrenceRules"),
    ] {
      let file = try #require(Self.read(text).value)
      let day = try Calendars.calendar().start(of: #require(LocalDay("2026-11-23")))
      let excess = file.series[0].occurrences(
        overlappingOrStartingIn: day..<Instant(seconds: day.seconds + 86_400), calendar: try Calendars.calendar()
      ).excess
      #expect(excess.map { "\($0.line):\($0.column) \($0.pointer)" } == place)
    }
  }

  @Test("a bad event with a recurrenceId takes out that occurrence alone")
  func badOverride() throws {
    let series =
      #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","recurrenceRules":[{"frequency":"daily","count":3}]}"#
    let bad = #"{"@type":"Event","uid":"a","start":"soon","recurrenceId":"2026-11-24T09:00:00"}"#
    let file = try #require(Self.read(#"{"@type":"Group","entries":[\#(series),\#(bad)]}"#).value)
    #expect(try Calendars.ids(file) == ["a#20261123T080000Z", "a#20261125T080000Z"])
    #expect(file.problems.map(\.pointer) == ["/entries/1/start"])
  }

  @Test("what is ignored, too many rules, and a uid of two starts are problems at their places")
  func warnings() throws {
    let event =
      #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00","excludedRecurrenceRules":[{"frequency":"daily"}]}"#
    let other = #"{"@type":"Event","uid":"a","start":"2026-11-24T09:00:00"}"#
    let rules = Array(repeating: #"{"frequency":"daily"}"#, count: 9).joined(separator: ",")
    let many = #"{"@type":"Event","uid":"b","start":"2026-11-24T09:00:00","recurrenceRules":[\#(rules)]}"#
    let file = try #require(Self.read(#"{"@type":"Group","entries":[\#(event),\#(other),\#(many)]}"#).value)
    #expect(try Calendars.ids(file) == ["a", "a#20261124T090000"])
    #expect(
      file.problems.map { "\($0.pointer) \($0.message)" } == [
        "/entries/0/excludedRecurrenceRules excludedRecurrenceRules is ignored: take the dates out with recurrenceOverrides",
        "/entries/1 another start under the UID of an earlier event: it counts as an event of its own",
        "/entries/2/recurrenceRules more than 8 rules in one event: write one, and other dates as RDATE",
      ])
  }
}

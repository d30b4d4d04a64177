import CacheSync
import Testing

@Suite("Calendars: JSCalendar")
struct JSCalendarTests {
  private static func read(_ text: String) -> JSONReader.Document<CalendarFile> {
    Array(text.utf8).withUnsafeBytes { bytes in
      JSONReader.read(bytes) { json in
        JSCalendarFile.isNext(&json)
          ? JSCalendarFile.decode(&json, path: CachePath("events/a.json"), zones: Calendars.zones) : nil
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

  @Test("a group gives its events; what is no calendar is not read as one")
  func group() throws {
    let event = #"{"@type":"Event","uid":"a","start":"2026-11-23T09:00:00"}"#
    let other = #"{"@type":"Event","start":"2026-11-24T09:00:00"}"#
    #expect(
      try Self.events(#"{"title":"g","entries":[\#(event),{"@type":"Task","start":1},\#(other)],"@type":"Group"}"#) == [
        "11-23T08:00/11-23T08:00 a ", "11-24T08:00/11-24T08:00 events/a.json:1 ",
      ])
    for text in ["[]", "{}", #"{"@type":"Task"}"#, #"{"@type":1}"#, #"{"events":[]}"#] {
      #expect(Self.read(text).value == nil, "\(text)")
    }
  }

  @Test(
    "a defect rejects the document at its place",
    arguments: [
      (#"{"@type":"Event","uid":"a"}"#, "missing field 'start'"),
      (
        #"{"@type":"Event","start":"2026-11-23"}"#,
        "expected a local date and time such as 2026-11-23T08:00:00, found \"2026-11-23\""
      ),
      (#"{"@type":"Event","start":"2026-11-23T09:00:00","timeZone":"Mars"}"#, "unknown time zone \"Mars\""),
      (
        #"{"@type":"Event","start":"2026-11-23T09:00:00","duration":"-PT1H"}"#,
        "expected a duration such as PT1H, found \"-PT1H\""
      ),
      (#"{"@type":"Event","start":"2026-11-23T09:00:00","recurrenceRules":[{"frequency":"sometimes"}]}"#, nil),
      (
        #"{"@type":"Event","start":"2026-11-23T09:00:00","recurrenceOverrides":{"soon":{}}}"#,
        "\"soon\" is no local date and time such as 2026-11-23T08:00:00"
      ),
    ] as [(String, String?)])
  func defects(text: String, message: String?) {
    let document = Self.read(text)
    #expect(document.value == nil && document.defects.count == 1)
    if let message { #expect(document.defects.first?.message == message) }
  }
}

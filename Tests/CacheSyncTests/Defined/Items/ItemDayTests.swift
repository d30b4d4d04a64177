import CacheSyncSystem
import Testing

import CacheSync

/// Items of a sample as readers would see them, in a cache's zone.
struct FoundItems {
  let items: [FoundItem]
  let sample: SampleSession

  init(_ rules: String, _ json: String, in zone: String = "Europe/Berlin", rest: String = "") throws {
    let definition = try SampleSession.definition(
      #"{"version":1,"# + rest + #""items":"# + rules + #","kinds":{"sample":{"show":"all","items":{"title":"x"}}}}"#)
    sample = SampleSession(definition, json)
    let found = DefinedItems(definition)
    if let session = sample.session {
      let calendar = CivilCalendar(try SampleSession.zones.rules(named: zone))
      found.put(
        session, path: CachePath("sample/a.json"), modified: Instant(seconds: 0), isUnusable: false, in: calendar)
    }
    items = found.found
  }

  /// Start and end of each item, "2026-11-23T23:00:00Z 2026-11-24T23:00:00Z".
  var times: [String] { items.map { $0.times.map { "\($0.lowerBound) \($0.upperBound)" } ?? "-" } }

  var warnings: [String] { sample.warnings.map(\.message) }
}

/// Whole days that are written as moments, and what programs write where there is no date. Expected times were worked
/// out by hand from each zone's offset in November: Berlin +1, London 0, New York -5, Melbourne +11.
@Suite("Days of items")
struct ItemDayTests {
  @Test(
    "A day is the first midnight that the moment is, as a day of the cache's zone",
    arguments: [
      // The item, the cache's zone, and its day there
      (#"{"s":"2026-11-23T23:00:00.000+0000","z":"Europe/Berlin"}"#, "Europe/Berlin", "2026-11-24"),
      (#"{"s":"2026-11-23T23:00:00.000+0000","z":"Europe/Berlin"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-24T00:00:00Z","z":"Europe/Berlin"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-24T00:00:00+09:00"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-24T00:00:00.0000000","z":"UTC"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-24T15:30:00","z":"Asia/Tokyo"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-24","z":"Asia/Tokyo"}"#, "America/New_York", "2026-11-24"),
      (#"{"s":"2026-11-23T13:00:00Z"}"#, "Australia/Melbourne", "2026-11-24"),
      (#"{"s":"2026-11-24T12:59:59Z"}"#, "Australia/Melbourne", "2026-11-24"),
      (#"{"s":"2026-11-24T23:59:59Z"}"#, "Europe/Berlin", "2026-11-24"),
      (#"{"s":"2026-11-23T23:30:00Z"}"#, "Europe/Berlin", "2026-11-24"),
      (#"{"s":"2026-11-23T23:30:00Z","z":"America/New_York"}"#, "Europe/Berlin", "2026-11-23"),
      // Seconds since 2001 of 2026-11-24T00:00:00Z: `date -u -d 2026-11-24 +%s` minus that of 2001-01-01.
      (#"{"s":817171200}"#, "America/New_York", "2026-11-24"),
    ])
  func days(item: String, zone: String, day: String) throws {
    let calendar = CivilCalendar(try SampleSession.zones.rules(named: zone))
    let interval = calendar.interval(of: try #require(LocalDay(day)))
    for rule in [
      #"{"day":"@.s","timeZone":"@.z"}"#, #"{"at":"@.s","allDay":true,"timeZone":"@.z"}"#,
      #"{"at":"@.s","allDay":"@.s","timeZone":"@.z"}"#, #"{"day":"@.s","time":"12:00","allDay":true,"timeZone":"@.z"}"#,
    ] {
      let found = try FoundItems(#"{"each":"$[*]","start":\#(rule)}"#, "[\(item)]", in: zone)
      #expect(found.times == ["\(interval.lowerBound) \(interval.upperBound)"], "\(rule)")
      #expect(found.warnings == [])
    }
  }

  @Test("The definition's zone counts where the item names none, before the cache's")
  func definitionZone() throws {
    let sample = #"[{"s":"2026-11-23T23:00:00Z"},{"s":"2026-11-24T04:30:00Z"},{"s":"2026-11-24T05:00:00Z"}]"#
    let found = try FoundItems(
      #"{"each":"$[*]","start":{"at":"@.s","allDay":true}}"#, sample, in: "America/New_York",
      rest: #""timeZone":"Europe/Berlin","#)
    // Midnight in Berlin; midnight nowhere, on the 24th in Berlin; midnight in New York.
    #expect(found.times == Array(repeating: "2026-11-24T05:00:00Z 2026-11-25T05:00:00Z", count: 3))
    // A midnight of the cache's zone is a day of that zone, also with `day`.
    let melbourne = try FoundItems(
      #"{"each":"$[*]","start":{"day":"@.s"}}"#, #"[{"s":"2026-11-23T13:00:00Z"}]"#, in: "Australia/Melbourne",
      rest: #""timeZone":"America/New_York","#)
    #expect(melbourne.times == ["2026-11-23T13:00:00Z 2026-11-24T13:00:00Z"])
  }

  @Test("A time of day is on the day that the moment means, in the item's zone")
  func timeOfDay() throws {
    let found = try FoundItems(
      #"{"each":"$[*]","start":{"day":"@.s","time":"10:00","plus":"P1D","timeZone":"@.z"}}"#,
      #"[{"s":"2026-11-23T23:00:00Z"},{"s":"2026-11-23T23:00:00Z","z":"America/New_York"},{"s":"2026-11-24T00:00:00Z"}]"#
    )
    #expect(
      found.times == ["2026-11-25T09:00:00Z", "2026-11-25T15:00:00Z", "2026-11-25T09:00:00Z"].map { "\($0) \($0)" })
  }

  @Test(
    "An end that is a midnight is exclusive, one at 23:59 includes its day, and a whole day stays one",
    arguments: [
      // The end, and the last day in Berlin
      (#""2026-11-26""#, "2026-11-25", "2026-11-26"), (#""2026-11-26T00:00:00""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-26T00:00:00Z""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-25T23:00:00Z""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-25T22:59:59Z""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-25T23:59:59.999Z""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-25T23:59:59""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-25T12:00:00Z""#, "2026-11-25", "2026-11-25"),
      (#""2026-11-24T00:00:00Z""#, "2026-11-24", "2026-11-24"),
      (#""2026-11-23T23:00:00Z""#, "2026-11-24", "2026-11-24"), (#""2026-11-24""#, "2026-11-24", "2026-11-24"),
    ])
  func ends(end: String, ofAllDay: String, ofDay: String) throws {
    let calendar = CivilCalendar(try SampleSession.zones.rules(named: "Europe/Berlin"))
    for (start, ends, last) in [
      (#"{"at":"@.s","allDay":true}"#, #"{"at":"@.e"}"#, ofAllDay), (#"{"day":"@.s"}"#, #"{"day":"@.e"}"#, ofDay),
      (#"{"at":"@.s","allDay":true}"#, #"{"day":"@.e"}"#, ofAllDay),
    ] {
      for first in [#""2026-11-23T23:00:00Z""#, #""2026-11-24T00:00:00Z""#, #""2026-11-24""#] {
        let found = try FoundItems(
          #"{"each":"$[*]","start":\#(start),"end":\#(ends)}"#, #"[{"s":\#(first),"e":\#(end)}]"#)
        let upper = calendar.interval(of: try #require(LocalDay(last))).upperBound
        #expect(found.times == ["2026-11-23T23:00:00Z \(upper)"], "\(start) \(first)")
        #expect(found.warnings == [])
      }
    }
  }

  @Test(
    "Of items with one id in a file the later counts, with a warning at the others",
    arguments: ["{n}", "{n}-{start:HH:mm}", "{n}-{index}"])
  func replaced(id: String) throws {
    let found = try FoundItems(
      #"{"each":"$[*]","id":"\#(id)","fields":{"n":"@.id","title":"@.t"},"start":"@.s"}"#,
      """
      [{"id":1,"t":"A","s":"2026-11-24T08:00:00Z"},{"id":2,"t":"B","s":"2026-11-24T08:00:00"},
       {"id":1,"t":"C","s":"2026-11-24T08:00:00Z"},{"t":"D","s":"2026-11-24T08:00:00Z","id":3}]
      """, rest: #""use":"newest","#)
    if id == "{n}-{index}" {
      #expect(found.items.count == 4 && found.warnings == [])
    } else {
      #expect(found.items.count == 3)
      // 08:00 in UTC, which only the message uses.
      let name = id == "{n}" ? "1" : "1-08:00"
      #expect(found.warnings == [#""A": a later item has the same id "\#(name)": this item is left out"#])
    }
  }

  @Test("A list of times has a notation for each, and the first that finds a date counts")
  func lists() throws {
    let found = try FoundItems(
      #"""
      {"each":"$[*]","start":[{"day":"@.day"},{"at":"@.ms","as":"unix-ms"},"@.at",{"at":"@.day","as":"unix"}],
       "end":["@.e",{"day":"@.until"}]}
      """#,
      #"""
      [{"day":"2026-11-24","ms":1795528800000},{"ms":1795528800000},{"day":null,"at":"2026-11-24T08:00:00Z"},
       {"day":"","ms":0,"at":"0001-01-01T00:00:00Z","e":"","until":"x"},{"day":"0000-00-00","at":"2026-11-24T08:00:00Z",
        "e":"soon","until":"2026-11-25"},{"day":1795507200},{"day":"someday"},{}]
      """#)
    #expect(
      found.times == [
        "2026-11-23T23:00:00Z 2026-11-24T23:00:00Z", "2026-11-24T14:00:00Z 2026-11-24T14:00:00Z",
        "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z", "1970-01-01T00:00:00Z 1970-01-01T00:00:00Z",
        "2026-11-24T08:00:00Z 2026-11-25T23:00:00Z", "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z",
      ])
    #expect(
      found.warnings.sorted() == [
        "3 dates mean none, the first one here",
        #"expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found "soon": the next one counts"#,
        #"expected a day such as 2026-11-21, or a date, found "someday": this item is left out"#,
        #"expected a day such as 2026-11-21, or a date, found "x": this end is ignored"#,
        #"missing field "day", expected the item's start: this item is left out"#,
      ])
  }

  @Test(
    "A text or a date that means none is none",
    arguments: [
      (#""""#, nil), (#"" ""#, nil), (#""0000-00-00""#, nil), (#""0000-00-00 00:00:00""#, nil),
      (#""0000-00-00T00:00:00Z""#, nil), (#""0001-01-01T00:00:00Z""#, nil), (#""0001-01-01""#, nil),
      (#""1899-12-30T00:00:00""#, nil), (#""1900-01-01""#, nil), (#""1900-01-02""#, "1900-01-02"),
      (#""2899-12-31""#, "2899-12-31"), (#""2900-01-01""#, nil), (#""9999-12-31""#, nil),
      (#""9999-12-31T23:59:59.9999999Z""#, nil), ("-63113904000", nil), (#""1970-01-01""#, "1970-01-01"),
    ] as [(String, String?)])
  func noDates(json: String, day: String?) throws {
    // The second item is there so that the file can be used.
    let found = try FoundItems(
      #"{"each":"$[*]","fields":{"title":"@.t"},"start":{"at":"@.s"},"id":"{title}"}"#,
      #"[{"t":"Rake","s":\#(json)},{"t":"Form","s":"2026-11-24"}]"#, in: "UTC")
    #expect(found.items.map(\.id) == (day == nil ? ["Form"] : ["Rake", "Form"]))
    #expect(found.items.first?.times?.lowerBound.description == "\(day ?? "2026-11-24")T00:00:00Z")
    guard day == nil else { return #expect(found.warnings == []) }
    #expect(found.warnings.contains("this date means none"))
    #expect(found.warnings.contains { $0.hasPrefix(#""Rake": expected the item's start, found "#) })
    #expect(found.warnings.count == 2)
  }

  @Test("An open end stays, and what repeats may start before there are dates")
  func exceptions() throws {
    let found = try FoundItems(
      #"{"each":"$[*]","fields":{"r":"@.r"},"start":"@.s","end":"@.e","lasts":"PT1H","repeats":"{r}"}"#,
      #"""
      [{"s":"2026-11-24","e":"9999-12-31"},{"s":"1871-05-01","r":"FREQ=YEARLY"},
       {"s":"2026-11-24T08:00:00Z","e":"0001-01-01T00:00:00Z"}]
      """#, in: "UTC")
    #expect(
      found.times == [
        "2026-11-24T00:00:00Z 9999-12-31T23:59:59Z", "1871-05-01T00:00:00Z 1871-05-01T01:00:00Z",
        "2026-11-24T08:00:00Z 2026-11-24T09:00:00Z",
      ])
    #expect(found.warnings == ["this date means none"])
  }

  @Test(
    "An end that is not one is ignored with a warning, and its item stays",
    arguments: [
      (#"{"t":"Flight","s":"2026-11-24T09:00","e":"2026-11-24T07:00"}"#, "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z"),
      (#"{"t":"Flight","s":"2026-11-24T09:00","e":"later"}"#, "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z"),
      (#"{"t":"Flight","s":"2026-11-24","e":"2026-11-22"}"#, "2026-11-23T23:00:00Z 2026-11-24T23:00:00Z"),
      (#"{"t":"Flight","s":"2026-11-24T09:00","l":"-PT1H"}"#, "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z"),
      (#"{"t":"Flight","s":"2026-11-24","l":"-P1D"}"#, "2026-11-23T23:00:00Z 2026-11-24T23:00:00Z"),
      (#"{"t":"Flight","s":"2026-11-24T09:00","l":"an hour"}"#, "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z"),
    ])
  func endsIgnored(item: String, times: String) throws {
    let found = try FoundItems(
      #"{"each":"$[*]","fields":{"title":"@.t","l":"@.l"},"start":"@.s","end":"@.e","lasts":"{l}"}"#, "[\(item)]")
    #expect(found.times == [times])
    #expect(found.warnings.count == 1)
    #expect(found.warnings.allSatisfy { $0.hasPrefix(#""Flight": "#) && $0.hasSuffix(" ignored") })
  }

  @Test("Where the cache's zone decides that an end is before the start, a whole day stays one")
  func endsBeforeStartsInTheCache() throws {
    let found = try FoundItems(
      #"{"each":"$[*]","start":"@.s","end":"@.e"}"#,
      #"[{"s":"2026-11-24","e":"2026-11-23T20:00:00Z"},{"s":"2026-11-24T09:00","e":"2026-11-24T07:00:00Z"}]"#)
    #expect(
      found.times == [
        "2026-11-23T23:00:00Z 2026-11-24T23:00:00Z", "2026-11-24T08:00:00Z 2026-11-24T08:00:00Z",
      ])
  }

  @Test(
    "A zone that is none is ignored with a warning that names it",
    arguments: [
      (
        #"{"s":"2026-11-24T16:00:00Z","z":"GMT -7:00"}"#, "2026-11-24T16:00:00Z",
        #""GMT -7:00" is not a time zone: it is ignored"#
      ),
      (
        #"{"s":"2026-11-24T16:00:00","z":"Local"}"#, "2026-11-24T15:00:00Z",
        #""Local" is not a time zone: the cache's counts"#
      ),
      (#"{"s":"2026-11-24T16:00:00","z":3}"#, "2026-11-24T15:00:00Z", "3 is not a time zone: the cache's counts"),
      (#"{"s":"2026-11-24T16:00:00","z":""}"#, "2026-11-24T15:00:00Z", nil),
      (#"{"s":"2026-11-24T16:00:00","z":null}"#, "2026-11-24T15:00:00Z", nil),
      (#"{"s":"2026-11-24T16:00:00"}"#, "2026-11-24T15:00:00Z", nil),
    ] as [(String, String, String?)])
  func zones(item: String, start: String, warning: String?) throws {
    let found = try FoundItems(#"{"each":"$[*]","start":{"at":"@.s","timeZone":"@.z"}}"#, "[\(item)]")
    #expect(found.times == ["\(start) \(start)"])
    #expect(found.warnings == (warning.map { [$0] } ?? []))
  }

  @Test(
    "An exception of a whole day means the day that the start would mean, in every zone of the cache",
    arguments: [
      // Local midnight of the item's zone, of the definition's, noon, the end of the day, and the day itself.
      (#""z":"Europe/Berlin","s":"2026-11-23T23:00:00Z","x":["2026-11-24T23:00:00Z"]"#, ""),
      (#""s":"2026-11-23T23:00:00Z","x":["2026-11-24T23:00:00Z"]"#, #","timeZone":"Europe/Berlin""#),
      (#""z":"Europe/Berlin","s":"2026-11-23T23:00:00Z","x":["2026-11-25T10:30:00Z"]"#, ""),
      (#""z":"Europe/Berlin","s":"2026-11-24T00:00:00Z","x":["2026-11-25T23:59:59Z"]"#, ""),
      (#""s":"2026-11-24","x":["2026-11-25"]"#, ""),
    ], ["Europe/Berlin", "America/New_York", "Pacific/Auckland"])
  func exceptionsOfDays(item: (members: String, definition: String), zone: String) throws {
    let calendar = CivilCalendar(try SampleSession.zones.rules(named: zone))
    let moment = Moment(try #require(Instant("2026-11-20T12:00:00Z")), calendar: calendar, firstWeekday: .monday)
    for start in [#"{"at":"@.s","allDay":true,"timeZone":"@.z"}"#, #"{"day":"@.s","timeZone":"@.z"}"#] {
      let definition = try SampleSession.definition(
        #"{"version":1\#(item.definition),"items":{"each":"$[*]","start":\#(start),"repeats":"FREQ=DAILY;COUNT=3","#
          + #""except":"@.x[*]"},"kinds":{"sample":{"show":"coming","within":30,"items":{"title":"x"}}}}"#)
      let trial = DefinitionTrial(definition, zones: SampleSession.zones, calendar: calendar)
      let file = SessionFile(path: trial.path(ofFile: Array("a.json".utf8)), modified: moment.instant)
      #expect(trial.read(Array("[{\(item.members)}]".utf8), from: file) == [])
      let document = try #require(trial.snapshots(at: moment).first?.document)
      let content = JSONValue(document.bytes(generation: 0, publishedAt: moment.instant))?["entries"]?[0]?["content"]
      let starts = content?["items"]?.array?.compactMap { $0["start"]?.string.flatMap { Instant($0) } } ?? []
      // The first and the third of three days, each of 24 hours.
      #expect(starts.count == 2 && starts[1] == starts[0] + .seconds(48 * 3_600), "\(start): \(starts)")
    }
  }

  @Test("Items that share a list of exceptions share it also where the cache's zone decides which days they mean")
  func sharedExceptions() throws {
    let definition = try SampleSession.definition(
      #"{"version":1,"items":{"each":"$.i[*]","start":{"at":"@.s","allDay":true},"except":"$.x[*]"},"#
        + #""kinds":{"sample":{"show":"all","items":{"title":"x"}}}}"#)
    let item = #"{"s":"2026-11-24T11:00:00Z"}"#
    let sample = SampleSession(
      definition, #"{"i":[\#(item),\#(item),\#(item)],"x":["2026-11-24T11:00:00Z","2026-11-26T02:00:00Z"]}"#)
    let session = try #require(sample.session)
    #expect(session.isOpen)
    for (zone, days) in [("UTC", ["2026-11-24", "2026-11-26"]), ("America/New_York", ["2026-11-24", "2026-11-25"])] {
      let calendar = CivilCalendar(try SampleSession.zones.rules(named: zone))
      let items = definition.settled(session, in: calendar).items
      #expect(items.allSatisfy { $0.except.map(\.words) == days }, "\(items.map { $0.except.map(\.words) })")
      let buffers = Set(items.map { $0.except.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } })
      #expect(buffers.count == 1)
    }
  }

  @Test("An exception that cannot be read is ignored alone")
  func except() throws {
    let found = try FoundItems(
      #"{"each":"$[*]","start":{"day":"2026-11-24"},"repeats":"FREQ=DAILY","except":"@.x[*]"}"#,
      #"[{"x":["2026-11-25","Christmas"]}]"#)
    #expect(found.sample.items.map { $0.except.map(\.words) } == [["2026-11-25"]])
    #expect(
      found.warnings == [
        "expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found \"Christmas\": this exception is ignored"
      ])
  }

  @Test("Of many warnings the first twenty are listed")
  func manyWarnings() throws {
    let items = (1...30).map { #"{"t":"Item \#($0)","s":"2026-11-24T09:00","e":"x"}"# }.joined(separator: ",")
    let found = try FoundItems(#"{"each":"$[*]","fields":{"title":"@.t"},"start":"@.s","end":"@.e"}"#, "[\(items)]")
    #expect(found.items.count == 30)
    #expect(found.warnings.count == 21)
    #expect(found.warnings.first?.hasPrefix(#""Item 1": expected"#) == true)
    #expect(found.warnings.last == "10 more warnings")
  }
}

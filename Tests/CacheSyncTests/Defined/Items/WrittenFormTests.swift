import CacheSyncSystem
import Testing

@testable import CacheSyncValues

/// The notations of dates: patterns with words, RFC 822, zones and all-day items. The expected instants were computed
/// with Python's datetime and zoneinfo.
@Suite struct WrittenFormTests {
  @Test(
    "Patterns with words, 12-hour clocks and offsets are read",
    arguments: [
      ("d MMM yyyy", "24 Nov 2026", "2026-11-24"), ("yyyy-MM-dd", "1924-11-24", "1924-11-24"),
      ("d MMM yyyy", "4 SEPT 2026", "2026-09-04"),
      ("d MMMM yyyy", "24 november 2026", "2026-11-24"), ("MMM d, yyyy", "Nov. 24, 2026", "2026-11-24"),
      ("EEEE do MMMM yyyy", "Tuesday 24th November 2026", "2026-11-24"),
      ("EEE, do MMM yyyy", "Sun, 1st Mar 2026", "2026-03-01"),
      ("EEE do MMM yyyy", "thurs 3rd dec 2026", "2026-12-03"),
      ("yyyy-MM-dd h:mm:ss a", "2026-11-24 4:24:40 PM", "2026-11-24 16:24:40"),
      ("yyyy-MM-dd hh:mm a", "2026-11-24 12:05 a.m.", "2026-11-24 00:05:00"),
      ("yyyy-MM-dd h:mma", "2026-11-24 12:05pm", "2026-11-24 12:05:00"),
      ("dd/MMM/yyyy:HH:mm:ss Z", "24/Nov/2026:09:00:00 +0100", "2026-11-24T08:00:00Z"),
      ("yyyy-MM-dd HH:mmXXX", "2026-11-24 09:00-03:30", "2026-11-24T12:30:00Z"),
      ("yyyy-MM-dd HH:mmXXX", "2026-11-24 09:00Z", "2026-11-24T09:00:00Z"),
      ("yyyy-MM-dd HH:mm Z", "2026-11-24 23:30 EST", "2026-11-25T04:30:00Z"),
    ])
  func patterns(pattern: String, text: String, expected: String) throws {
    let sample = try SampleSession(#"{"each":"$[*]","start":{"at":"@","as":"\#(pattern)"}}"#, #"["\#(text)"]"#)
    #expect(sample.places == [])
    #expect(sample.starts == [expected])
  }

  @Test(
    "Texts that do not match their pattern are defects",
    arguments: [
      ("d MMM yyyy", "31 Nov 2026"), ("d MMM yyyy", "24 Nox 2026"), ("do MMM yyyy", "24 Nov 2026"),
      ("yyyy-MM-dd h:mm a", "2026-11-24 13:00 PM"), ("yyyy-MM-dd h:mm a", "2026-11-24 0:30 AM"),
      ("yyyy-MM-dd HH:mm Z", "2026-11-24 09:00"), ("yyyy-MM-dd HH:mm Z", "2026-11-24 09:00 +0160"),
    ])
  func misfits(pattern: String, text: String) throws {
    let sample = try SampleSession(#"{"each":"$[*]","start":{"at":"@","as":"\#(pattern)"}}"#, #"["\#(text)"]"#)
    #expect(sample.defects.count == 1)
  }

  @Test(
    "Dates of mail and RSS are read",
    arguments: [
      ("Tue, 24 Nov 2026 09:00:00 +0100", "2026-11-24T08:00:00Z"), ("24 Nov 2026 09:00 GMT", "2026-11-24T09:00:00Z"),
      ("Tue, 24 Nov 26 09:00:00 EDT", "2026-11-24T13:00:00Z"),
      ("Tue,  4 Nov 2026  09:00:00 -0000 (some zone)", "2026-11-04T09:00:00Z"),
      ("24 Nov 2026 09:00:00", "2026-11-24 09:00:00"),
    ])
  func rfc822(text: String, expected: String) throws {
    let sample = try SampleSession(#"{"each":"$[*]","start":{"at":"@","as":"rfc822"}}"#, #"["\#(text)"]"#)
    #expect(sample.places == [])
    #expect(sample.starts == [expected])
  }

  @Test(
    "A number of seconds since 1970 rejects the file, with a message that says what to write",
    arguments: [
      ("1795507200", "1795507200 is in the year 2057, counted from 2001; ", "unix"),
      ("1795507200000", "1795507200000, counted from 2001; ", "unix-ms"),
    ])
  func epoch(number: String, finding: String, form: String) throws {
    let advice = #"if it counts from 1970, write "as": "\#(form)" in the definition"#
    let items = #"{"each":"$[*]","start":"@.t"}"#
    let sample = try SampleSession(items, #"[{"t":\#(number)},{"t":"2026-11-24"}]"#)
    #expect(sample.places.first?.hasSuffix("\(advice) [/0/t]") == true, "\(sample.places)")
    let right = try SampleSession(
      #"{"each":"$[*]","start":{"at":"@.t","as":"\#(form)"}}"#, #"[{"t":\#(number)}]"#)
    #expect(right.starts == ["2026-11-24T08:00:00Z"])
  }

  @Test("An item with an unreadable start is left out with a warning, and an unreadable end is ignored with one")
  func leftOut() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"title":"@.t"},"start":"@.s","end":"@.e"}"#,
      #"""
      [{"t":"a","s":"2026-11-24"},{"t":"b"},{"t":"c","s":null},{"t":"d","s":"soon"},
       {"t":"e","s":"2026-11-24","e":"2026-11-23"},{"t":"f","s":"2026-11-24","e":"late"}]
      """#)
    #expect(sample.places == [])
    #expect(sample.values().map(\.plainText) == ["a", "e", "f"])
    #expect(sample.warnings.count { $0.message.hasSuffix(": this item is left out") } == 3)
    #expect(sample.warnings.count { $0.message.hasSuffix(" ignored") } == 2)
  }

  private func resolved(_ items: String, _ json: String, in zone: String, rest: String = "") throws -> [String] {
    let found = try FoundItems(items, json, in: zone, rest: rest)
    #expect(found.sample.places == [])
    return found.times
  }

  @Test(
    "An item may name its zone by its IANA or Windows name; otherwise the file's zone applies",
    arguments: [
      ("\"America/New_York\"", "2026-11-24T14:00:00Z"), ("\"europe/berlin\"", "2026-11-24T08:00:00Z"),
      ("\"W. Europe Standard Time\"", "2026-11-24T08:00:00Z"), ("\"UTC\"", "2026-11-24T09:00:00Z"),
      ("null", "2026-11-24T00:00:00Z"), ("\"\"", "2026-11-24T00:00:00Z"),
    ])
  func zones(zone: String, expected: String) throws {
    let items = #"{"each":"$[*]","start":{"at":"@.t","timeZone":"@.z"}}"#
    let json = #"[{"t":"2026-11-24T09:00","z":\#(zone)}]"#
    let found = try resolved(items, json, in: "UTC", rest: #""timeZone":"Asia/Tokyo","#)
    #expect(found == ["\(expected) \(expected)"])
  }

  @Test("An unknown zone is ignored with a warning")
  func unknownZone() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","start":{"at":"@.t","timeZone":"@.z"}}"#,
      #"[{"t":"2026-11-24T09:00","z":"Mars/Base"},{"t":"2026-11-24T09:00"}]"#)
    #expect(sample.starts == ["2026-11-24 09:00:00", "2026-11-24 09:00:00"])
    #expect(sample.warnings.map(\.message) == [#""Mars/Base" is not a time zone: the cache's counts"#])
  }

  @Test("A rule repeats on the wall clock of its item's zone")
  func repeatsInItsZone() throws {
    // Clocks go forward in New York on 2026-03-08 and in Berlin on 2026-03-29.
    let items =
      #"{"each":"$[*]","start":{"at":"@.t","timeZone":"@.z"},"lasts":"PT1H","repeats":"FREQ=WEEKLY"}"#
    let sample = try SampleSession(items, #"[{"t":"2026-03-03T09:00","z":"America/New_York"}]"#)
    let calendar = CivilCalendar(try TimeZoneDatabase().rules(named: "Europe/Berlin"))
    let session = try #require(sample.session)
    let item = try #require(ResolvedItem.all(of: session, path: CachePath("x.json"), in: calendar).first)
    let window = try moment("2026-03-01T00:00:00Z")..<(try moment("2026-03-20T00:00:00Z"))
    guard case .occurrences(let found) = item.occurrences(overlapping: window) else {
      Issue.record("no occurrences")
      return
    }
    #expect(
      found.map { "\($0.lowerBound)" } == [
        "2026-03-03T14:00:00Z", "2026-03-10T13:00:00Z", "2026-03-17T13:00:00Z",
      ])
  }

  @Test(
    "All-day items have the written days in the cache's zone, and an end at midnight is exclusive",
    arguments: [
      // In Microsoft's notation.
      (#"{"s":"2026-11-24T00:00:00.0000000","e":"2026-11-25T00:00:00.0000000","d":true}"#, "24", "25"),
      (#"{"s":"2026-11-24T00:00:00Z","e":"2026-11-26T00:00:00Z","d":true}"#, "24", "26"),
      // In Google's notation, with the day itself as the flag.
      (#"{"s":"2026-11-24","e":"2026-11-25","d":"2026-11-24"}"#, "24", "25"),
      (#"{"s":"2026-11-24T00:00:00-08:00","e":"2026-11-24T23:59:59-08:00","d":1}"#, "24", "25"),
      (#"{"s":"2026-11-24","e":"2026-11-24","d":"yes"}"#, "24", "25"), (#"{"s":"2026-11-24","d":true}"#, "24", "25"),
    ])
  func allDay(json: String, first: String, end: String) throws {
    let items = #"{"each":"$[*]","start":{"at":"@.s","allDay":"@.d"},"end":"@.e"}"#
    // In summer time, midnight in Auckland is 11:00 UTC of the day before.
    let before = try #require(Int(first)) - 1
    let last = try #require(Int(end)) - 1
    let expected = ["2026-11-\(before)T11:00:00Z 2026-11-\(last)T11:00:00Z"]
    #expect(try resolved(items, "[\(json)]", in: "Pacific/Auckland", rest: #""timeZone":"UTC","#) == expected)
  }

  @Test(
    "Without the flag, an item keeps its times",
    arguments: ["false", "null", "0", "\"no\"", "\"False\"", "\"\""])
  func notAllDay(flag: String) throws {
    let items = #"{"each":"$[*]","start":{"at":"@.s","allDay":"@.d"},"end":"@.e"}"#
    let json = #"[{"s":"2026-11-24T00:00:00Z","e":"2026-11-25T00:00:00Z","d":\#(flag)}]"#
    #expect(try resolved(items, json, in: "Asia/Tokyo") == ["2026-11-24T00:00:00Z 2026-11-25T00:00:00Z"])
    let conditional =
      #"{"each":"$[*]","fields":{"k":"@.k"},"start":{"at":"@.s","allDay":{"field":"k","is":"day"}}}"#
    let both = #"[{"s":"2026-11-24T01:00:00Z","k":"day"},{"s":"2026-11-24T01:00:00Z","k":"hour"}]"#
    #expect(
      try resolved(conditional, both, in: "UTC") == [
        "2026-11-24T00:00:00Z 2026-11-25T00:00:00Z", "2026-11-24T01:00:00Z 2026-11-24T01:00:00Z",
      ])
  }

  @Test(
    "Paths find the keys of the arrays and objects around an item, and objects further out",
    arguments: [
      ("$.menu[*][*]", "^key", #"{"menu":{"mon":["a","b"],"tue":["c"]}}"#, "mon, mon, tue"),
      ("$.menu[*][*]", "^^key", #"{"menu":{"mon":["a"]}}"#, "menu"), ("$[*][*]", "^key", #"[["a"]]"#, ""),
      ("$.a.b.c[*]", "^^.n", #"{"n":1,"a":{"n":2,"b":{"n":3,"c":["x"]}}}"#, "2"),
      ("$.a.b.c[*]", "^^^.n", #"{"n":1,"a":{"n":2,"b":{"n":3,"c":["x"]}}}"#, "1"),
      ("$.a.b.c[*]", "^^^^.n", #"{"n":1,"a":{"n":2,"b":{"n":3,"c":["x"]}}}"#, ""),
      ("$.days[*].x[*].y[*]", "^^^.d", #"{"days":[{"d":"mon","x":[{"y":[{}]}]}],"d":"no"}"#, "no"),
      ("$.days[*].x[*].y[*]", "^^.d", #"{"days":[{"d":"mon","x":[{"y":[{}]}]}]}"#, "mon"),
    ])
  func surroundings(each: String, path: String, json: String, expected: String) throws {
    let sample = try SampleSession(#"{"each":"\#(each)","fields":{"v":"\#(path)"}}"#, json)
    #expect(sample.places == [])
    #expect(ItemValue.list(sample.values()).plainText == expected)
  }

  @Test("With columns, the key around a row is the key of the object of columns")
  func columnKeys() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","columns":true,"fields":{"v":"@.x","k":"^key"}}"#, #"{"a":{"x":[1]},"b":{"x":[2]}}"#)
    #expect(sample.places == [])
    #expect(sample.values(1).map(\.plainText) == ["a", "b"])
  }
}

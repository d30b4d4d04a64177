import CacheSync
import CacheSyncSystem
import Testing

@Suite struct UnfoundPathsTests {
  /// The warnings of a definition with these parts of `items` on files.
  private func warnings(_ items: String, _ files: String...) throws -> [String] {
    let document =
      #"{"version":1,"items":{"each":"$.boxes[*].things[*]",\#(items)},"kinds":{"sample":{"show":"all","items":{"title":"x"}}}}"#
    var unfound = UnfoundPaths(try SampleSession.definition(document))
    for file in files {
      Array(file.utf8).withUnsafeBytes { unfound.look(in: $0, zones: SampleSession.zones) }
    }
    return unfound.problems(in: Array(document.utf8), at: CachePath("feeds/sample.json")).map {
      "\($0.severity) \($0.pointer): \($0.message)"
    }
  }

  private static let boxes =
    #"{"house":"h","boxes":[{"container":"c","things":[{"name":"a"},{"name":"b","day":null}]}]}"#

  @Test(
    "A path that finds nothing in any item has a warning with the nearest path",
    arguments: [
      (
        #""fields":{"a":"@.containr"}"#,
        "/items/fields/a: @.containr is found in none of 2 items; did you mean ^.container?"
      ),
      (#""fields":{"a":"@.nam"}"#, "/items/fields/a: @.nam is found in none of 2 items; did you mean @.name?"),
      (#""fields":{"a":"@.house"}"#, "/items/fields/a: @.house is found in none of 2 items; did you mean ^^.house?"),
      (
        #""fields":{"a":"^.contaner"}"#,
        "/items/fields/a: ^.contaner is found in none of 2 items; did you mean ^.container?"
      ),
      (
        #""fields":{"a":"$.box[0].container"}"#,
        "/items/fields/a: $.box[0].container is found in none of 2 items; did you mean $.boxes[0].container?"
      ),
      (
        #""fields":{"a":{"from":"@.name","per":"@.wholly"}}"#,
        "/items/fields/a/per: @.wholly is found in none of 2 items"
      ),
      (#""fields":{"a":["@.b","@['c d']"]}"#, "/items/fields/a/0: @.b and @['c d'] are found in none of 2 items"),
      (##""fields":{"a":"#key"}"##, "/items/fields/a: #key is found in none of 2 items"),
      (
        #""fields":{},"start":{"day":"2026-12-01","time":"@.tim"}"#,
        "/items/start/time: @.tim is found in none of 2 items"
      ),
      (#""fields":{},"start":"@.day","end":"@.until""#, "/items/end: @.until is found in none of 2 items"),
    ])
  func unfound(items: String, warning: String) throws {
    #expect(try warnings(items, Self.boxes) == ["warning \(warning)"])
  }

  @Test(
    "Not one that is found in one item or file, as null too, nor with an alternative, with else, or a flag",
    arguments: [
      #""fields":{"a":"@.name","b":"@.day","c":"^.container"}"#, #""fields":{"a":["@.nam","@.name"]}"#,
      #""fields":{"a":{"from":"@.x","else":0}}"#, #""fields":{"a":"@.later"}"#,
      #""fields":{},"start":[{"day":"@.x","time":"@.y"},{"at":"@.day"}]"#,
      #""fields":{},"start":{"at":"@.day","allDay":"@.flag"},"except":"@.not[*]""#,
    ])
  func found(items: String) throws {
    let other = #"{"boxes":[{"things":[{"later":1}]}]}"#
    #expect(try warnings(items, Self.boxes, other) == [])
  }

  @Test("Without an item there is no warning")
  func noItems() throws {
    #expect(try warnings(#""fields":{"a":"@.x"}"#, #"{"boxes":[]}"#, "{", "[]") == [])
    #expect(try warnings(#""fields":{"a":"@.x"}"#) == [])
  }

  @Test("An expectation names the member or the place, and a computed text its value and what is missing in it")
  func expectations() throws {
    func places(_ items: String, _ json: String) throws -> (defects: [String], warnings: [String]) {
      let sample = try SampleSession(items, json)
      return (sample.places, sample.warningPlaces)
    }
    #expect(
      try places(#"{"each":"$.collections[*]"}"#, "[{}]").defects == [
        #"1:1: expected an object with "collections", found an array []"#
      ])
    #expect(
      try places(#"{"each":"$[0].a[2][*]"}"#, #"[{"a":[1]}]"#).defects == [
        "1:7: expected an array with [2], found an array of 1 [/0/a]"
      ])
    let times = #""start":"@.at","fields":{"days":"@.days"}"#
    let rule = try places(
      #"{"each":"$[*]",\#(times),"repeats":"FREQ=DAILY;INTERVAL=x{days}"}"#, #"[{"at":"2026-12-01"}]"#)
    #expect(
      rule.defects.first?.contains(#"the rule "FREQ=DAILY;INTERVAL=x", in which {days} is missing"#) == true, "\(rule)")
    let length = try places(#"{"each":"$[*]",\#(times),"lasts":"P{days}D"}"#, #"[{"at":"2026-12-01"}]"#)
    #expect(
      length.warnings.first?.contains(#"found "PD", in which {days} is missing: it is ignored"#) == true, "\(length)")
  }
}

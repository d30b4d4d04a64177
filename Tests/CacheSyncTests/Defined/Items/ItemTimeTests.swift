import Testing

import CacheSync

/// When items are current.
@Suite struct ItemTimeTests {
  @Test(
    "Every form of a time is read",
    arguments: [
      (#""@""#, #""2026-11-24""#, "2026-11-24"),
      (#""@""#, #""2026-11-24T09:30""#, "2026-11-24 09:30:00"),
      (#""@""#, #""2026-11-24t09:30:15""#, "2026-11-24 09:30:15"),
      (#""@""#, #""2026-11-24T09:30:15.987""#, "2026-11-24 09:30:15"),
      (#""@""#, #""2026-11-24T09:30:15.9+01:00""#, "2026-11-24T08:30:15Z"),
      (#""@""#, #""2026-11-24T09:30:15Z""#, "2026-11-24T09:30:15Z"),
      (#""@""#, "0", "2001-01-01T00:00:00Z"),
      (#""@""#, "-0.5", "2000-12-31T23:59:59Z"),
      (#"["@.x","@.y"]"#, #"{"x":null,"y":"2026-11-24"}"#, "2026-11-24"),
      (#"{"at":"@","as":"apple"}"#, "86400.9", "2001-01-02T00:00:00Z"),
      (#"{"at":"@","as":"unix"}"#, "1795381200", "2026-11-22T21:00:00Z"),
      (#"{"at":"@","as":"unix"}"#, "1795381200.999", "2026-11-22T21:00:00Z"),
      (#"{"at":"@","as":"unix"}"#, #""1795381200""#, "2026-11-22T21:00:00Z"),
      (#"{"at":"@","as":"unix"}"#, "-1", "1969-12-31T23:59:59Z"),
      (#"{"at":"@","as":"unix-ms"}"#, "1795381200123", "2026-11-22T21:00:00Z"),
      (#"{"at":"@","as":"unix-ms"}"#, #""1795381200123""#, "2026-11-22T21:00:00Z"),
      (#"{"at":"@","as":"dd/MM/yyyy"}"#, #""24/11/2026""#, "2026-11-24"),
      (#"{"at":"@","as":"d.M.yyyy HH:mm"}"#, #""4.1.2026 09:05""#, "2026-01-04 09:05:00"),
      (#"{"at":"@","as":"d.M.yyyy HH:mm"}"#, #""24.11.2026 09:05""#, "2026-11-24 09:05:00"),
      (#"{"at":"@","as":"yyyy-MM-dd'T'HH:mm:ss'Uhr'"}"#, #""2026-11-24T09:05:07Uhr""#, "2026-11-24 09:05:07"),
      (#"{"at":"@","as":"yyyyMMdd"}"#, "20261124", "2026-11-24"),
      (#"{"at":"@","as":"yyyyMMddHmm"}"#, "20261124930", "2026-11-24 09:30:00"),
      (#"{"at":"@","as":"ddMMyyyy"}"#, "4112026", "2026-11-04"),
      (#"{"day":"@"}"#, #""2026-11-24""#, "2026-11-24"),
      (#"{"day":"@"}"#, #""2026-11-24T23:30""#, "2026-11-24"),
      (#"{"day":"@","time":"23:45:10"}"#, #""2026-11-24""#, "2026-11-24 23:45:10"),
      (#"{"day":"@","as":"yyyyMMdd","time":"07:00"}"#, "20261124", "2026-11-24 07:00:00"),
      (#"{"day":"2026-11-24","time":"@"}"#, #""09:30""#, "2026-11-24 09:30:00"),
      (#"{"day":"2026-11-24","time":"@"}"#, #""09:30:15""#, "2026-11-24 09:30:15"),
      (#"{"day":"2026-11-24","time":"@.t"}"#, #"{"t":null}"#, "2026-11-24"),
      (#"{"day":"2026-11-24","time":"@.t"}"#, "{}", "2026-11-24"),
      (#"{"day":"2026-11-24","time":"@","timeAs":"Hmm"}"#, "1530", "2026-11-24 15:30:00"),
      (#"{"day":"2026-11-24","time":"@","timeAs":"Hmm"}"#, "830", "2026-11-24 08:30:00"),
      (#"{"day":"2026-11-24","time":"@","timeAs":"Hmm"}"#, "5", "2026-11-24 00:05:00"),
      (#"{"day":"2026-11-24","time":"@","timeAs":"HHmm"}"#, "830", "2026-11-24 08:30:00"),
      (#"{"day":"2026-11-24","time":"@","timeAs":"H'h'"}"#, #""8h""#, "2026-11-24 08:00:00"),
      (#"{"day":"2026-12-30","plus":"P1W2D"}"#, "0", "2027-01-08"),
      (#"{"day":"2026-12-30","plus":"P{index}W"}"#, "0", "2026-12-30"),
      (#"{"day":"2026-12-30","plus":"-P1D","time":"10:00"}"#, "0", "2026-12-29 10:00:00"),
      (#"{"day":"9999-12-30","plus":"P9W"}"#, "0", "9999-12-31"),
      (#"{"day":"@","as":"unix","time":"10:00","plus":"P1D"}"#, "1795381200", "day of 2026-11-22T21:00:00Z +1 36000"),
      (#"{"day":"@"}"#, #""2026-11-24T23:30:00Z""#, "day of 2026-11-24T23:30:00Z +0"),
    ])
  func forms(rule: String, json: String, expected: String) throws {
    let sample = try SampleSession(#"{"each":"$[*]","start":\#(rule)}"#, "[\(json)]")
    #expect(sample.places == [])
    #expect(sample.starts == [expected])
  }

  @Test("A rule without occurrences is a warning at its item, once for each text")
  func rulesWithoutDays() throws {
    let sample = #"["FREQ=DAILY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30","FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]"#
    func read(_ rule: String, _ fields: String) throws -> (isGood: Bool, warnings: [JSONDefect]) {
      let definition = try SampleSession.definition(
        #"{"version":1,"items":{"each":"$[*]",\#(fields)"start":{"day":"2026-11-24"},"repeats":"\#(rule)"},"#
          + #""kinds":{"sample":{"show":"all","content":{"text":"x"}}}}"#)
      let read = Array(sample.utf8).withUnsafeBytes { definition.session(in: $0, zones: SampleSession.zones) }
      return (read.session?.items.count == 3, read.warnings)
    }
    let (isGood, warnings) = try read("{r}", #""fields":{"r":"@"},"#)
    let message =
      #"the rule "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" never gives a day, so nothing shows; check its BY parts"#
    #expect(isGood && warnings == [JSONDefect(offset: 15, message: message, place: .value)])
    // A rule that the definition states itself has its warning there.
    let fixed = try read("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "")
    #expect(fixed.isGood && fixed.warnings.isEmpty)
  }

  @Test("A rule of another calendar in a file is a warning at its item, which comes once")
  func rulesOfOtherCalendars() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"r":"@"},"start":{"day":"2026-11-24"},"repeats":"{r}"}"#,
      #"["RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L","FREQ=DAILY"]"#)
    #expect(try #require(sample.session).items.map { $0.rule?.frequency } == [nil, .daily])
    #expect(
      sample.warnings.map(\.message) == [
        #"the rule "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L" is ignored, "#
          + #"so the item comes once: RSCALE is "HEBREW", and only GREGORIAN is known"#
      ])
  }

  @Test("Items whose rules have the same text share one rule")
  func rulesAreShared() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"r":"@"},"start":{"day":"2026-11-24"},"repeats":"{r}"}"#,
      #"["FREQ=DAILY","FREQ=WEEKLY","FREQ=DAILY"]"#)
    let rules = try #require(sample.session).items.map(\.repetition)
    #expect(rules.map { $0?.rule.frequency } == [.daily, .weekly, .daily])
    #expect(rules[0] === rules[2])
  }

  @Test("24:00 in a file is the end of its day, and not a time of a definition's own notation")
  func endOfDay() throws {
    let sample = try SampleSession(
      #"{"each":"$.*","start":{"day":"@.d","time":"@.t"}}"#,
      #"{"a":{"d":"2026-12-31","t":"24:00"},"b":{"d":"2026-11-24","t":"24:00:00"},"c":{"d":"2026-11-24","t":"24:01"}}"#)
    #expect(sample.items.map { $0.start?.words } == ["2027-01-01 00:00:00", "2026-11-25 00:00:00"])
    #expect(sample.warnings.count == 1)
  }

  @Test func aKeyCanBeTheDay() throws {
    let sample = try SampleSession(##"{"each":"$.*","start":{"day":"#key"}}"##, #"{"2026-11-24":1,"x":2}"#)
    #expect(sample.places == [])
    #expect(sample.items.map { $0.start?.words } == ["2026-11-24"])
    #expect(
      sample.warnings.map(\.message) == [
        #"expected a day such as 2026-11-21, or a date, found "x": this item is left out"#
      ])
  }

  @Test(
    "An invalid value rejects the file, and is reported at the value",
    arguments: [
      (
        #""@.at""#, #"{"at":"2026-11-31"}"#,
        #"1:8: expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found "2026-11-31" [/0/at]"#
      ),
      (
        #""@.at""#, #"{"at":"2026-11-24 09:30"}"#,
        #"1:8: expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found "2026-11-24 09:30" [/0/at]"#
      ),
      (
        #""@.at""#, #"{"at":"2026-11-24T24:00"}"#,
        #"1:8: expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found "2026-11-24T24:00" [/0/at]"#
      ),
      (
        #""@.at""#, #"{"at":true}"#,
        "1:8: expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found true [/0/at]"
      ),
      (#""@.at""#, #"{"at":null}"#, "1:8: expected the item's start, found null [/0/at]"),
      (#""@.at""#, "{}", #"1:2: missing field "at", expected the item's start [/0/at]"#),
      (#"["@.at","@.to"]"#, #"{"to":null}"#, "1:8: expected the item's start, found null [/0/to]"),
      (#""@.at.x""#, #"{"at":3}"#, #"1:8: expected an object with "x", found 3 [/0/at]"#),
      (
        #"{"at":"@.at","as":"unix"}"#, #"{"at":1795381200000}"#,
        "1:8: expected seconds since 1970, found 1795381200000 [/0/at]"
      ),
      (
        #"{"at":"@.at","as":"unix"}"#, #"{"at":253402300800}"#,
        "1:8: expected seconds since 1970, found 253402300800 [/0/at]"
      ),
      (#"{"at":"@.at","as":"unix"}"#, #"{"at":"2026"}"#, nil),
      (#"{"at":"@.at","as":"unix"}"#, #"{"at":"-5"}"#, #"1:8: expected seconds since 1970, found "-5" [/0/at]"#),
      (#"{"at":"@.at","as":"unix"}"#, #"{"at":1e999}"#, "1:8: expected seconds since 1970, found 1e999 [/0/at]"),
      (#"{"at":"@.at","as":"apple"}"#, #"{"at":"5"}"#, #"1:8: expected seconds since 2001, found "5" [/0/at]"#),
      (
        #"{"at":"@.at","as":"dd/MM/yyyy"}"#, #"{"at":"31/11/2026"}"#,
        #"1:8: expected a time written as "dd/MM/yyyy", found "31/11/2026" [/0/at]"#
      ),
      (
        #"{"at":"@.at","as":"dd/MM/yyyy"}"#, #"{"at":"4/11/2026"}"#,
        #"1:8: expected a time written as "dd/MM/yyyy", found "4/11/2026" [/0/at]"#
      ),
      (
        #"{"at":"@.at","as":"dd/MM/yyyy"}"#, #"{"at":"24/11/2026 "}"#,
        #"1:8: expected a time written as "dd/MM/yyyy", found "24/11/2026 " [/0/at]"#
      ),
      (
        #"{"at":"@.at","as":"yyyyMMdd"}"#, #"{"at":20261124.0}"#,
        #"1:8: expected a time written as "yyyyMMdd", found 20261124.0 [/0/at]"#
      ),
      (
        #"{"day":"@.at","as":"yyyyMMdd"}"#, #"{"at":20261324}"#,
        #"1:8: expected a time written as "yyyyMMdd", found 20261324 [/0/at]"#
      ),
      (
        #"{"day":"2026-11-24","time":"@.at"}"#, #"{"at":"9:30"}"#,
        #"1:8: expected a time of day such as 09:30, found "9:30" [/0/at]"#
      ),
      (
        #"{"day":"2026-11-24","time":"@.at"}"#, #"{"at":930}"#,
        "1:8: expected a time of day such as 09:30, found 930 [/0/at]"
      ),
      (
        #"{"day":"2026-11-24","time":"@.at","timeAs":"HHmm"}"#, #"{"at":2460}"#,
        #"1:8: expected a time written as "HHmm", found 2460 [/0/at]"#
      ),
      (
        #"{"day":"2026-11-24","plus":"{n}"}"#, #"{"n":"PT1H"}"#,
        #"1:7: expected weeks and days to add, such as P1W, found "PT1H" [/0/n]"#
      ),
      (
        #"{"day":"2026-11-24","plus":"P{n}W"}"#, #"{"n":"x"}"#,
        #"1:7: expected weeks and days to add, such as P1W, found "PxW" [/0/n]"#
      ),
    ])
  func wrong(rule: String, json: String, expected: String?) throws {
    let sample = try SampleSession(#"{"each":"$[*]","fields":{"n":"@.n"},"start":\#(rule)}"#, "[\(json)]")
    #expect(sample.places == (expected.map { [$0] } ?? []))
  }

  @Test(
    "Ends, and the values that replace missing ones",
    arguments: [
      (#""end":"@.e""#, #"{"e":"2026-11-24T10:00"}"#, "2026-11-24 10:00:00"),
      (#""end":"@.e""#, #"{"e":"2026-11-24"}"#, "2026-11-24"),
      (#""end":"@.e","lasts":"PT1H""#, #"{"e":"2026-11-25"}"#, "2026-11-25"),
      (#""end":"@.e","lasts":"PT1H""#, #"{"e":null}"#, "0 d 3600 s"),
      (#""end":"@.e""#, "{}", "-"),
      (#""end":"next","lasts":"PT1H""#, "{}", "next"),
      (#""lasts":"P1W2DT90M""#, "{}", "9 d 5400 s"),
      (#""lasts":"PT{n}M""#, #"{"n":45}"#, "0 d 2700 s"),
      (#""lasts":"{n}""#, #"{"n":null}"#, "-"),
      (#""end":{"day":"@.e","time":"@.t"}"#, #"{"e":"2026-11-24","t":null}"#, "2026-11-24"),
    ])
  func ends(rules: String, json: String, expected: String) throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"n":"@.n"},"start":{"day":"2026-11-24","time":"09:00"},\#(rules)}"#, "[\(json)]")
    #expect(sample.places == [])
    #expect(sample.ends == [expected])
  }

  @Test(
    "An end before its start is ignored with a warning, at the end's value",
    arguments: [
      (#"{"s":"2026-11-24T09:00","e":"2026-11-24T08:59"}"#, true),
      (#"{"s":"2026-11-24T09:00","e":"2026-11-24T09:00"}"#, false),
      (#"{"s":"2026-11-24T09:00","e":"2026-11-24"}"#, false), (#"{"s":"2026-11-24T09:00","e":"2026-11-23"}"#, true),
      (#"{"s":"2026-11-24","e":"2026-11-24"}"#, false), (#"{"s":"2026-11-24","e":"2026-11-23T23:00"}"#, true),
      (#"{"s":"2026-11-24T09:00:00Z","e":"2026-11-24T09:59:59+01:00"}"#, true),
      (#"{"s":"2026-11-24T09:00:00.9Z","e":"2026-11-24T09:00:00.1Z"}"#, false),
      // The cache's zone decides which is first, so the file alone does not show it.
      (#"{"s":"2026-11-24T09:00:00Z","e":"2026-11-24T09:00"}"#, false),
    ])
  func endsBeforeStarts(json: String, isIgnored: Bool) throws {
    let sample = try SampleSession(#"{"each":"$[*]","start":"@.s","end":"@.e"}"#, "[\(json)]")
    #expect(sample.places == [])
    #expect(sample.warningPlaces.map { String($0.dropFirst(6)) } == (isIgnored ? [Self.earlyEnd + " [/0/e]"] : []))
    #expect(isIgnored == (sample.ends == ["-"]))
  }

  private static let earlyEnd = "the end is before the start: it is ignored"

  @Test(
    "In the file's zone, local times and moments are compared",
    arguments: [
      (#"{"s":"2026-11-24T09:00:00Z","e":"2026-11-24T09:30"}"#, true),
      (#"{"s":"2026-11-24T09:00:00Z","e":"2026-11-24T10:30"}"#, false),
      (#"{"s":"2026-11-24T23:30:00Z","e":"2026-11-24"}"#, true),
      (#"{"s":"2026-11-24T22:30:00Z","e":"2026-11-24"}"#, false),
      // The clock goes back from 3:00 to 2:00, so 2:10 is before 2:50 and one hour before the second 2:10.
      (#"{"s":"2026-10-25T02:50","e":"2026-10-25T02:10"}"#, true),
      (#"{"s":"2026-10-25T00:50:00Z","e":"2026-10-25T03:00"}"#, false),
    ])
  func endsInTheFilesZone(json: String, isIgnored: Bool) throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","start":"@.s","end":"@.e"}"#, "[\(json)]", rest: #""timeZone":"Europe/Berlin","#)
    #expect(sample.warnings.map(\.message) == (isIgnored ? [Self.earlyEnd] : []))
  }

  @Test("An end that is too early only by its time is reported at the time")
  func endsByTime() throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","start":{"day":"@.d","time":"@.f"},"end":{"day":"@.d","time":"@.t"}}"#,
      #"[{"d":"2026-11-24","f":"10:00","t":"09:00"}]"#)
    #expect(sample.warningPlaces == ["1:36: \(Self.earlyEnd) [/0/t]"])
  }

  @Test(
    "The file's zone is read",
    arguments: [
      (#"{"z":"Europe/Berlin"}"#, nil),
      (
        #"{"z":"Mars/Olympus"}"#,
        #"1:6: "Mars/Olympus" is not a time zone: the cache's counts [/z]"#
      ),
      (
        #"{"z":"Asia/Tokio"}"#,
        #"1:6: "Asia/Tokio" is not a time zone (did you mean Asia/Tokyo?): the cache's counts [/z]"#
      ),
      (#"{"z":3}"#, "1:6: 3 is not a time zone: the cache's counts [/z]"),
      (#"{"z":null}"#, nil), (#"{"z":""}"#, nil),
      ("{}", #"1:1: missing field "z", expected a time zone: the cache's counts [/z]"#),
    ])
  func zones(json: String, expected: String?) throws {
    let sample = try SampleSession(#"{"each":"$.*"}"#, json, rest: #""timeZone":"$.z","#)
    #expect(sample.places == [])
    #expect(sample.warningPlaces == (expected.map { [$0] } ?? []))
    #expect(sample.session?.zone?.name == (json.contains("Berlin") ? "Europe/Berlin" : nil))
  }

  @Test(
    "`updated` is optional, and ignored with a warning if it cannot be read",
    arguments: [
      (#"{"u":"2026-11-24T10:00:00.25Z"}"#, "2026-11-24T10:00:00.25Z", nil), (#"{"u":null}"#, nil, nil),
      ("{}", nil, nil), (#"{"u":"0001-01-01T00:00:00Z"}"#, nil, "1:6: this date means none [/u]"),
      (#"{"u":-63114076800}"#, nil, "1:6: this date means none [/u]"),
      (
        #"{"u":"x"}"#, nil,
        #"1:6: expected a date or a day, such as 2026-11-21T09:30 or 2026-11-21, found "x": it is ignored [/u]"#
      ),
    ])
  func updated(json: String, expected: String?, warning: String?) throws {
    let sample = try SampleSession(#"{"each":"$.*"}"#, json, rest: #""updated":"$.u","#)
    #expect(sample.places == [])
    #expect(sample.warningPlaces == (warning.map { [$0] } ?? []))
    #expect(sample.session?.updated?.words == expected)
  }

  @Test(
    "`repeats` and `except` are read",
    arguments: [
      (#"{"r":"FREQ=DAILY"}"#, true, []),
      (
        #"{"r":null,"x":["2026-12-24",null,"2026-12-25T10:00:00Z"]}"#, false,
        ["2026-12-24", "day of 2026-12-25T10:00:00Z +0"]
      ),
      (#"{"x":[]}"#, false, []), (#"{"x":"2026-12-24"}"#, false, []),
    ])
  func recurrences(json: String, isRepeating: Bool, except: [String]) throws {
    let sample = try SampleSession(
      #"{"each":"$[*]","fields":{"r":"@.r"},"start":{"day":"2026-11-24"},"repeats":"{r}","except":"@.x[*]"}"#,
      "[\(json)]")
    #expect(sample.places == [])
    #expect(sample.items.map { $0.rule != nil } == [isRepeating])
    #expect(sample.items.first?.except.map(\.words) == except)
  }

  @Test("Empty entries of a rule in the file are left out, with a warning for each item that has one")
  func emptyEntries() throws {
    let found = try FoundItems(
      #"{"each":"$[*]","fields":{"r":"@.r"},"id":"{r}{index}","start":{"day":"2026-11-24"},"repeats":"{r}"}"#,
      """
      [{"r":"FREQ=WEEKLY;BYDAY=MO,,TU;INTERVAL="},{"r":"FREQ=WEEKLY;BYDAY=MO,TU"},
       {"r":"FREQ=WEEKLY;BYDAY=MO,,TU;INTERVAL="}]
      """)
    let rules = found.sample.items.map(\.rule)
    #expect(rules.count == 3 && rules[0] != nil && rules.allSatisfy { $0 == rules[1] })
    let warning =
      #""FREQ=WEEKLY;BYDAY=MO,,TU;INTERVAL=": BYDAY, INTERVAL of the rule has an empty entry, which is ignored"#
    #expect(found.warnings == [warning, warning])
  }

  @Test func wrongRecurrences() throws {
    let rule = try SampleSession(
      #"{"each":"$[*]","fields":{"r":"@.r"},"start":{"day":"2026-11-24"},"repeats":"FREQ={r}"}"#, #"[{"r":"DALY"}]"#)
    #expect(rule.places.count == 1)
    #expect(rule.places.first?.hasPrefix(#"1:7: the rule "FREQ=DALY", byte 6: "#) == true)
  }

  @Test("If no item can be read, the first defect of each is reported")
  func manyDefects() throws {
    let sample = try SampleSession(
      #"{"each":"$.a[*]","start":"@.s","end":"@.e"}"#,
      #"{"a":[{"s":true,"e":"x"},{"e":"y","s":"z"},{"s":null},{}]}"#)
    #expect(
      sample.places.map { $0.prefix { $0 != " " } } == ["1:12:", "1:39:", "1:49:", "1:55:"])
  }

  @Test("Times without a zone are resolved in the cache's zone, or in the file's")
  func settling() throws {
    let items = #"""
      {"each":"$[*]","start":{"day":"@.s","time":"10:00","plus":"P1D"},"end":{"day":"@.s","plus":"P2D"},
       "id":"{start}/{start:HH:mm}/{index}"}
      """#
    let json = #"[{"s":"2026-11-24T23:30:00Z"}]"#
    let definition = try SampleSession.definition(
      #"{"version":1,"use":"newest","items":\#(items),"kinds":{"sample":{"show":"all","items":{"title":"x"}}}}"#)
    let session = try #require(SampleSession(definition, json).session)
    let berlin = CivilCalendar(try SampleSession.zones.rules(named: "Europe/Berlin"))
    for (calendar, day, end, id) in [
      (CivilCalendar(.utc), "2026-11-25", "2026-11-26", "2026-11-25T10:00:00Z/10:00/0"),
      (berlin, "2026-11-26", "2026-11-27", "2026-11-26T09:00:00Z/10:00/0"),
    ] {
      let settled = definition.settled(session, in: calendar)
      #expect(settled.items.map { $0.start?.words } == [day + " 10:00:00"])
      #expect(
        settled.items.map(\.end) == [
          .time(DefinedItem.Time(.wall(WallTime(try #require(LocalDay(end)))), hasTime: false))
        ])
      #expect(settled.items.map(\.id) == [id])
    }
    var inBerlin = definition
    inBerlin.timeZone = .named("Europe/Berlin")
    // Days are in the file's zone, formats in the cache's.
    let settled = inBerlin.settled(try #require(SampleSession(inBerlin, json).session), in: CivilCalendar(.utc))
    #expect(settled.items.map { $0.start?.words } == ["2026-11-26 10:00:00"])
    #expect(settled.items.map(\.id) == ["2026-11-26T09:00:00Z/09:00/0"])
  }
}

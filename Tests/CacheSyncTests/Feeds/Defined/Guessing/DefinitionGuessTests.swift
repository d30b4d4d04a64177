import Testing

import CacheSync

/// The definitions that `feed new` writes for common samples.
@Suite struct DefinitionGuessTests {
  /// Most samples are of this day.
  private static let sunday = "2026-11-22T12:00:00Z"

  private func guess(_ sample: String) throws -> Guessed { try Guessed(sample, at: Self.sunday) }

  /// Each item as "start…end title".
  private func items(_ sample: String) throws -> [String] { try guess(sample).lines }

  /// Only the guess, for samples without anything to read.
  private func bare(_ sample: String) throws -> DefinitionGuess? {
    DefinitionGuess.of(Array(sample.utf8), named: "x", zones: Guessed.zones, at: try Guessed.moment(Self.sunday))
  }

  @Test(
    "For a sample without a list of objects, the guess reports what it did",
    arguments: [
      ("{}", "the document, because no list was found"), ("[1,2]", "$[*], 2 items"),
      ("[]", "$[*], 0 items"), ("null", "nothing was found in the sample"),
    ])
  func withoutObjects(sample: String, words: String) throws {
    let guess = try #require(try bare(sample))
    #expect(guess.reasons.first?.contains(words) == true, "\(guess.reasons)")
  }

  @Test("Days in another notation, below a key: the bins of definitions.md section 8")
  func bins() throws {
    #expect(
      try items(
        #"{"bins":[{"type":"Grey Bin","collectionDate":"24/11/2026"},{"type":"Food Bin","collectionDate":"24/11/2026"}]}"#
      )
        == [
          "2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Grey Bin", "2026-11-23T23:00:00Z…2026-11-24T23:00:00Z Food Bin",
        ])
  }

  @Test("A list of times of day in each object repeats daily: the medicines of section 8")
  func meds() throws {
    #expect(
      try items(
        #"{"medicines":[{"name":"Metformin","dose":"500 mg","from":"2026-11-01","times":["08:00","20:00"]},{"name":"Ramipril","dose":"5 mg","from":"2026-11-23","times":["08:00"]}]}"#
      ) == [
        "2026-11-01T07:00:00Z…2026-11-01T07:00:00Z repeats Metformin",
        "2026-11-01T19:00:00Z…2026-11-01T19:00:00Z repeats Metformin",
        "2026-11-23T07:00:00Z…2026-11-23T07:00:00Z repeats Ramipril",
      ])
  }

  @Test("Milliseconds with ends, and a number in place of a text: the prices of section 8")
  func power() throws {
    let sample =
      #"{"data":[{"start_timestamp":1795381200000,"end_timestamp":1795384800000,"marketprice":95.0},{"start_timestamp":1795384800000,"end_timestamp":1795388400000,"marketprice":88.0}]}"#
    #expect(
      try items(sample) == [
        "2026-11-22T21:00:00Z…2026-11-22T22:00:00Z 95", "2026-11-22T22:00:00Z…2026-11-22T23:00:00Z 88",
      ])
    let kind = try Guessed(sample, at: "2026-11-22T21:30:00Z").trial.definition.kinds[0]
    #expect(kind.show == .now && kind.template == .value)
  }

  @Test("Columns in a zone that the document names, each until the next row: the weather of section 8")
  func weather() throws {
    #expect(
      try items(
        #"{"timezone":"Europe/Berlin","hourly":{"time":["2026-11-22T21:00","2026-11-22T22:00","2026-11-22T23:00","2026-11-23T00:00"],"temperature_2m":[3.6,3.4,1.2,0.8],"weather_code":[3,3,61,61]}}"#
      ).prefix(2) == ["2026-11-22T20:00:00Z…2026-11-22T21:00:00Z 3.6", "2026-11-22T21:00:00Z…2026-11-22T22:00:00Z 3.4"])
  }

  @Test("Weekdays with times repeat weekly; holidays and the weeks A and B of section 8's school are left to a person")
  func school() throws {
    let sample =
      #"{"mondayOfA":"2026-08-31","holidays":[],"lessons":[{"day":"MO","from":"08:00","to":"08:45","subject":"Maths"},{"day":"Tu","from":"08:55","to":"09:40","subject":"Art"}]}"#
    let found = try guess(sample)
    #expect(
      try items(sample).first == "2026-08-31T06:00:00Z…2026-08-31T06:45:00Z repeats Maths")
    #expect(found.document.contains(#""Tu": "TU""#))
  }

  @Test(
    "Other common shapes",
    arguments: [
      // A list at the top, seconds, and a title among other texts.
      (
        #"[{"url":"https://example.org","start":1795381200,"summary":"Call","place":"Home"}]"#,
        "2026-11-22T21:00:00Z…2026-11-22T21:00:00Z Call"
      ),
      // Google's calendar: times in objects of their own.
      (
        #"{"items":[{"id":"a","summary":"Call","start":{"dateTime":"2026-11-22T10:00:00+01:00"},"end":{"dateTime":"2026-11-22T11:00:00+01:00"}}]}"#,
        "2026-11-22T09:00:00Z…2026-11-22T10:00:00Z Call"
      ),
      // A day and times of day in separate members.
      (
        #"{"shows":[{"date":"2026-11-22","time":"20:15","name":"Faust"}]}"#,
        "2026-11-22T19:15:00Z…2026-11-22T19:15:00Z Faust"
      ),
      (#"[{"when":"22.11.2026 20:15","title":"Faust"}]"#, "2026-11-22T19:15:00Z…2026-11-22T19:15:00Z Faust"),
      (#"[{"day":20261122,"title":"Faust"}]"#, "2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Faust"),
      // Nested lists.
      (
        #"{"days":[{"date":"2026-11-22","events":[{"title":"Faust"}]}]}"#,
        "2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Faust"
      ),
      // The guests of an event are not items.
      (
        #"{"events":[{"name":"Faust","date":"2026-11-22","guests":[{"name":"Ada"},{"name":"Ben"}]}]}"#,
        "2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Faust"
      ),
      // No times, no objects, nothing.
      (#"{"list":["Milk"]}"#, "no time Milk"), (#"{"a":{"name":"Ada"},"b":{"name":"Ben"}}"#, "no time Ada"),
      (#"{"temperature":21.5}"#, "no time 21.5"),
      ("[[]]", ""), ("[]", ""), ("{}", "no time no title"), ("3", ""),
    ])
  func shapes(_ sample: String, _ first: String) throws {
    if ["[[]]", "[]", "3"].contains(sample) {
      let guess = try #require(try bare(sample))
      #expect(DefinitionsFeed.read(Array(guess.document.utf8), named: "x").definition != nil, "\(guess.document)")
    } else {
      let document = try guess(sample).document
      #expect(try items(sample).first == first, "\(document)")
    }
  }

  @Test("Names that need quoting in paths and texts")
  func names() throws {
    #expect(
      try items(#"{"it's \\ a \"list\"":[{"the title":"Milk","a.b":"2026-11-22","x y":{"c'd":1}}]}"#)
        == ["2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Milk"])
  }

  @Test("A unique member becomes the id, and an item without a time is left out")
  func identifiersAndGaps() throws {
    let found = try guess(
      #"[{"id":7,"title":"a","due":"2026-11-22"},{"id":8,"title":"b","due":null},{"id":9,"title":"c","due":"2026-11-23"}]"#
    )
    #expect(found.trial.foundItems.map(\.id) == ["7", "9"] && found.trial.foundItems.allSatisfy { $0.times != nil })
    #expect(try guess(#"[{"id":7,"title":"a"},{"id":7,"title":"b"}]"#).trial.foundItems.count == 2)
  }

  @Test(
    "An id is a member of the item itself",
    arguments: [
      (#"[{"id":117,"carrier":{"id":4,"name":"North"}}]"#, "@.id"),
      (#"[{"title":"a","carrier":{"id":4}},{"title":"b","carrier":{"id":5}}]"#, nil),
      (#"[{"tripId":"1|1","line":"U6"},{"tripId":"1|2","line":"S7"}]"#, "@.tripId"),
      // A list with one item does not show whether another member is the id.
      (#"[{"zone_id":1,"title":"a"}]"#, nil), (#"[{"zone_id":1,"title":"a"},{"zone_id":2,"title":"b"}]"#, nil),
      (#"[{"id":1.5,"title":"a"},{"id":2.5,"title":"b"}]"#, nil), (#"{"a":{"v":1},"b":{"v":2}}"#, nil),
    ])
  func ids(_ sample: String, _ path: String?) throws {
    #expect(try guess(sample).path(ofField: "identifier") == path)
  }

  @Test(
    "Some invalid times do not hide the others, and are warnings",
    arguments: [
      (
        #"[{"title":"A","when":"2026-11-25T10:00:00Z"},{"title":"B","when":"tba"},{"title":"C","when":"2026-11-26T10:00:00Z"}]"#,
        #""@.when""#
      ),
      (
        #"{"rows":[["date","what"],["2026-11-25","Paper"],["2026-12-02","Glass"],["2026-12-09","Metal"]]}"#, #""@[0]""#
      ),
    ])
  func brokenTimes(_ sample: String, _ start: String) throws {
    let found = try Guessed(sample, at: Self.sunday, hasGaps: true)
    #expect(found.items["start"].map { String(decoding: $0.bytes, as: UTF8.self) } == start)
    #expect(found.trial.foundItems.count == sample.split(separator: "20").count - 1)
  }

  @Test(
    "What is shown depends on the current time, and the reason explains it",
    arguments: [
      ("2026-11-22T12:00:00Z", DefinedKind.Show.coming, "within 7 days"),
      ("2026-11-10T12:00:00Z", .coming, "within 31 days"), ("2026-01-10T12:00:00Z", .coming, "within 366 days"),
      ("2026-12-24T12:00:00Z", .all, "every time in the sample is past"),
      ("2020-12-24T12:00:00Z", .all, "more than a year"),
    ])
  func shows(_ now: String, _ show: DefinedKind.Show, _ reason: String) throws {
    let found = try Guessed(
      #"[{"title":"A","when":"2026-11-25T10:00:00Z"},{"title":"B","when":"2026-11-26T10:00:00Z"}]"#, at: now)
    #expect(found.trial.definition.kinds[0].show == show)
    #expect(found.reasons.last?.contains(reason) == true, "\(found.reasons)")
    _ = try found.firstLine()
  }

  @Test("A sample may be large in every way", .timeLimit(.minutes(10)))
  func large() throws {
    let different = (0..<3_000).map { #"{"a\#($0)":{"b\#($0)":1},"c\#($0)":"2026-11-22"}"# }.joined(separator: ",")
    #expect(try items("[\(different)]").count == 3_000)
    let wide = (0..<20_000).map { #""k\#($0)":{"x\#($0)":[1]}"# }.joined(separator: ",")
    #expect(try items("{\(wide)}").count == 1)
    let deep = String(repeating: #"{"a":["#, count: 200) + String(repeating: "]}", count: 200)
    #expect(try bare(deep) != nil)
    let many = (0..<9_000).map { #"{"title":"t\#($0)","when":"2026-11-22T10:00"}"# }.joined(separator: ",")
    let late = try Guessed("[\(many),{\"title\":\"late\",\"when\":null}]", at: Self.sunday, hasGaps: true)
    #expect(late.trial.foundItems.count == 9_000)
    // More items than a file may have: another list is tried.
    let more = (0..<10_500).map { #"{"title":"t\#($0)","when":"2026-11-22T10:00"}"# }.joined(separator: ",")
    #expect(try items(#"{"all":[\#(more)],"today":[{"title":"One","when":"2026-11-22T10:00"}]}"#).count == 1)
  }

  /// With a fixed seed: any JSON gives a valid definition that reads it.
  @Test("For any sample, the definition is valid and reads it", arguments: 0..<200)
  func anything(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let sample = Self.value(&random, depth: 0)
    let guess = try #require(try bare(sample))
    let read = DefinitionsFeed.read(Array(guess.document.utf8), named: "x")
    let definition = try #require(read.definition, "\(read.problems) \(guess.document) \(sample)")
    if guess.reasons.first?.contains("nothing was found") == true { return }
    let bytes = Array(sample.utf8)
    let defects = bytes.withUnsafeBytes { definition.session(in: $0, zones: Guessed.zones).defects }
    #expect(defects.isEmpty, "\(defects) \(guess.document) \(sample)")
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }

  private static let keys = [
    "title", "name", "date", "time", "start", "end", "id", "value", "price", "items", "data", "when", "due", "updated",
    "2026-11-22", "2026-11-23", "monday", "tuesday", "08:00", "USD", "EUR", "timezone", "a b", "it's", "allDay", "{x}",
  ]
  private static let texts = [
    "2026-11-22", "2026-11-23T10:00:00Z", "2026-11-24T10:00", "24/11/2026", "7:30 PM", "08:00", "Monday", "TU", "Milk",
    "1.5", "", "Europe/Berlin", "1795507200", "20261124", "Tue, 24 Nov 2026 07:30:00 GMT", "A &amp; B", "{{x}", "é",
  ]
  private static let numbers = [
    "0", "1", "2.5", "-3", "1795507200", "1795507200000", "20261124", "1e300", "99999999999999999999",
  ]

  private static func pick(_ choices: [String], _ random: inout SplitMix) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private static func keys(_ count: ClosedRange<Int>, _ random: inout SplitMix) -> [String] {
    var chosen: Set<String> = []
    for _ in 0..<Int.random(in: count, using: &random) { chosen.insert(pick(keys, &random)) }
    return chosen.sorted()
  }

  private static func object(_ keys: [String], _ random: inout SplitMix, depth: Int) -> String {
    var members: [String] = []
    for key in keys { members.append("\"\(key)\":" + value(&random, depth: depth)) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private static func value(_ random: inout SplitMix, depth: Int) -> String {
    switch Int.random(in: depth > 4 ? 4...9 : 0...9, using: &random) {
    case 0, 1: return object(keys(0...6, &random), &random, depth: depth + 1)
    case 2:
      var elements: [String] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) { elements.append(value(&random, depth: depth + 1)) }
      return "[" + elements.joined(separator: ",") + "]"
    case 3:
      // A list of objects with the same members.
      let keys = keys(1...5, &random)
      var rows: [String] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) { rows.append(object(keys, &random, depth: 5)) }
      return "[" + rows.joined(separator: ",") + "]"
    case 4, 5, 6: return "\"" + pick(texts, &random) + "\""
    case 7, 8: return pick(numbers, &random)
    default: return pick(["true", "false", "null"], &random)
    }
  }

  @Test("Invalid JSON is reported with its place, and a definition is written even without a sample")
  func invalidJSON() throws {
    #expect(try bare("{") == nil)
    #expect(DefinitionGuess.problems(ofSample: Array("{".utf8)).count == 1)
    let guess = DefinitionGuess.withoutSample(named: "x")
    #expect(DefinitionsFeed.read(Array(guess.document.utf8), named: "x").definition != nil, "\(guess.document)")
  }
}

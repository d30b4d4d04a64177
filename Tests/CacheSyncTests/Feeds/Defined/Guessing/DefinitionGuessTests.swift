import Testing

@testable import CacheSync

/// What `feed new` writes from samples of the kind that people have.
@Suite struct DefinitionGuessTests {
  private let zones = TimeZones(environment: nil)

  private func guess(_ sample: String) throws -> (trial: DefinitionTrial, guess: DefinitionGuess) {
    let bytes = Array(sample.utf8)
    let guess = try #require(DefinitionGuess.of(bytes, named: "x", zones: zones))
    let read = DefinitionsFeed.read(Array(guess.document.utf8), named: "x")
    let definition = try #require(read.definition, "\(read.problems) \(guess.document)")
    let calendar = CivilCalendar(try zones.rules(named: "Europe/Berlin"))
    let trial = DefinitionTrial(definition, zones: zones, calendar: calendar)
    let problems = trial.read(bytes, at: trial.path(ofFile: Array("a.json".utf8)), modified: Instant(seconds: 0))
    #expect(!problems.contains { $0.severity == .error }, "\(problems) \(guess.document)")
    return (trial, guess)
  }

  /// Each item as "start…end title".
  private func items(_ sample: String) throws -> [String] {
    try guess(sample).trial.foundItems.map { item in
      let times = item.times.map { "\($0.lowerBound)…\($0.upperBound)" } ?? "no time"
      let repeats = item.repeats ? " repeats" : ""
      let title = item.fields.first { ["title", "value"].contains($0.name) }?.value.plainText ?? "no title"
      return "\(times)\(repeats) \(title)"
    }
  }

  @Test(
    "Says what it did of a sample without a list of objects",
    arguments: [
      ("{}", "so the document is one item"), ("[1,2]", "so each element of the document is an item"),
      ("null", "nothing was found in the sample"),
    ])
  func withoutObjects(sample: String, words: String) throws {
    let guess = try #require(DefinitionGuess.of(Array(sample.utf8), named: "x", zones: zones))
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

  @Test("A list of times of day in each object is every day's: the medicines of section 8")
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

  @Test("Milliseconds with ends, and a number where no text is: the prices of section 8")
  func power() throws {
    let sample =
      #"{"data":[{"start_timestamp":1795381200000,"end_timestamp":1795384800000,"marketprice":95.0},{"start_timestamp":1795384800000,"end_timestamp":1795388400000,"marketprice":88.0}]}"#
    #expect(
      try items(sample) == [
        "2026-11-22T21:00:00Z…2026-11-22T22:00:00Z 95", "2026-11-22T22:00:00Z…2026-11-22T23:00:00Z 88",
      ])
    let kind = try guess(sample).trial.definition.kinds[0]
    #expect(kind.show == .now && kind.template == .value)
  }

  @Test("Columns in a zone that the document names, each until the next: the weather of section 8")
  func weather() throws {
    #expect(
      try items(
        #"{"timezone":"Europe/Berlin","hourly":{"time":["2026-11-22T21:00","2026-11-22T22:00","2026-11-22T23:00","2026-11-23T00:00"],"temperature_2m":[3.6,3.4,1.2,0.8],"weather_code":[3,3,61,61]}}"#
      ).prefix(2) == ["2026-11-22T20:00:00Z…2026-11-22T21:00:00Z 3.6", "2026-11-22T21:00:00Z…2026-11-22T22:00:00Z 3.4"])
  }

  @Test("Weekdays with times repeat every week; weeks A and B of section 8's school are left to a person")
  func school() throws {
    let sample =
      #"{"mondayOfA":"2026-08-31","holidays":[],"lessons":[{"day":"MO","from":"08:00","to":"08:45","subject":"Maths"},{"day":"Tu","from":"08:55","to":"09:40","subject":"Art"}]}"#
    let found = try guess(sample)
    #expect(
      try items(sample).first == "2026-08-31T06:00:00Z…2026-08-31T06:45:00Z repeats Maths")
    #expect(found.guess.document.contains(#""Tu": "TU""#) && found.guess.document.contains("$.holidays[*]"))
  }

  @Test(
    "Other shapes that there are",
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
      // A day and times of day apart.
      (
        #"{"shows":[{"date":"2026-11-22","time":"20:15","name":"Faust"}]}"#,
        "2026-11-22T19:15:00Z…2026-11-22T19:15:00Z Faust"
      ),
      (#"[{"when":"22.11.2026 20:15","title":"Faust"}]"#, "2026-11-22T19:15:00Z…2026-11-22T19:15:00Z Faust"),
      (#"[{"day":20261122,"title":"Faust"}]"#, "2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Faust"),
      // Lists in a list.
      (
        #"{"days":[{"date":"2026-11-22","events":[{"title":"Faust"}]}]}"#,
        "2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Faust"
      ),
      // An event's guests are no items.
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
      let guess = try #require(DefinitionGuess.of(Array(sample.utf8), named: "x", zones: zones))
      #expect(DefinitionsFeed.read(Array(guess.document.utf8), named: "x").definition != nil, "\(guess.document)")
    } else {
      let document = try guess(sample).guess.document
      #expect(try items(sample).first == first, "\(document)")
    }
  }

  @Test("Names that paths and texts cannot have as they are")
  func names() throws {
    #expect(
      try items(#"{"it's \\ a \"list\"":[{"the title":"Milk","a.b":"2026-11-22","x y":{"c'd":1}}]}"#)
        == ["2026-11-21T23:00:00Z…2026-11-22T23:00:00Z Milk"])
  }

  @Test("An id that differs makes items known by it, and a start that one item lacks is none")
  func identifiersAndGaps() throws {
    let sample = #"[{"id":7,"title":"a","due":"2026-11-22"},{"id":8,"title":"b","due":null}]"#
    let found = try guess(sample).trial.foundItems
    #expect(found.map(\.id) == ["7", "8"] && found.allSatisfy { $0.times == nil })
    #expect(try guess(#"[{"id":7,"title":"a"},{"id":7,"title":"b"}]"#).trial.foundItems.count == 2)
  }

  @Test("A sample may be large in every way", .timeLimit(.minutes(1)))
  func large() throws {
    let different = (0..<3_000).map { #"{"a\#($0)":{"b\#($0)":1},"c\#($0)":"2026-11-22"}"# }.joined(separator: ",")
    #expect(try items("[\(different)]").count == 3_000)
    let wide = (0..<20_000).map { #""k\#($0)":{"x\#($0)":[1]}"# }.joined(separator: ",")
    #expect(try items("{\(wide)}").count == 1)
    let deep = String(repeating: #"{"a":["#, count: 200) + String(repeating: "]}", count: 200)
    #expect(DefinitionGuess.of(Array(deep.utf8), named: "x", zones: zones) != nil)
    let many = (0..<9_000).map { #"{"title":"t\#($0)","when":"2026-11-22T10:00"}"# }.joined(separator: ",")
    #expect(
      try items("[\(many),{\"title\":\"late\",\"when\":null}]").count == 9_000, "an item without a time is left out")
  }

  @Test("What is no JSON is said with its place, and without a sample there is a definition all the same")
  func noJSON() throws {
    #expect(DefinitionGuess.of(Array("{".utf8), named: "x", zones: zones) == nil)
    #expect(DefinitionGuess.problems(ofSample: Array("{".utf8)).count == 1)
    let guess = DefinitionGuess.withoutSample(named: "x")
    #expect(DefinitionsFeed.read(Array(guess.document.utf8), named: "x").definition != nil, "\(guess.document)")
  }
}

import CacheSyncSystem
import Foundation
import Testing

import CacheSync

@Suite("Health: the session format")
struct HealthFormatTests {
  static let sample = #"{"id":"s","type":"bodyMass","date":"2026-11-21T07:00:00Z","value":80}"#

  @Test(
    "A file without any usable sample is rejected; what may be missing is a warning, both with the place",
    arguments: [
      // (the document, the pointer of its defect)
      ("[]", ""),
      ("null", ""),
      (#"{"samples":{}}"#, "/samples"),
      (#"{"samples":[null]}"#, "/samples/0"),
      (#"{"samples":[{"date":0,"value":1}]}"#, "/samples/0/type"),
      (#"{"samples":[{"type":"fat","value":1}]}"#, "/samples/0/date"),
      (#"{"samples":[{"type":"fat","date":0}]}"#, "/samples/0/value"),
      (#"{"samples":[{"type":"","date":0,"value":1}]}"#, "/samples/0/type"),
      (#"{"samples":[{"type":7,"date":0,"value":1}]}"#, "/samples/0/type"),
      (#"{"samples":[{"type":null,"date":0,"value":1}]}"#, "/samples/0/type"),
      (#"{"samples":[{"type":"fat","date":"2026-11-21","value":1}]}"#, "/samples/0/date"),
      (#"{"samples":[{"type":"fat","date":"2026-11-21T07:00:00","value":1}]}"#, "/samples/0/date"),
      (#"{"samples":[{"type":"fat","date":null,"value":1}]}"#, "/samples/0/date"),
      (#"{"samples":[{"type":"fat","date":0,"value":"1"}]}"#, "/samples/0/value"),
      (#"{"samples":[{"type":"fat","date":0,"value":null}]}"#, "/samples/0/value"),
      (#"{"samples":[{"type":"fat","date":0,"value":-0.1}]}"#, "/samples/0/value"),
      (#"{"samples":[{"type":"fat","date":0,"value":1e999}]}"#, "/samples/0/value"),
      (#"{"samples":[{"type":"bodyFatPercentage","date":0,"value":1.01}]}"#, "/samples/0/value"),
      (#"{"samples":[{"value":22,"date":0,"type":"bodyFatPercentage"}]}"#, "/samples/0/value"),
      (#"{"samples":[{"id":1.5,"type":"fat","date":0,"value":1}]}"#, "/samples/0/id"),
      (#"{"samples":[{"type":"fat","date":0,"end":"2026-11-21","value":1}]}"#, "/samples/0/end"),
      (#"{"samples":[{"type":"fat","date":0,"value":1,"source":{"name":"Watch"}}]}"#, "/samples/0/source"),
      (#"{"samples":[{"type":"fat","date":0,"value":1,"value":1}]}"#, "/samples/0/value"),
      (#"{"goals":[]}"#, "/goals"),
      (#"{"goals":{"adjustment":"-500"}}"#, "/goals/adjustment"),
      (#"{"goals":{"macros":[]}}"#, "/goals/macros"),
      (#"{"goals":{"macros":{"protein":-1}}}"#, "/goals/macros/protein"),
      (#"{"goals":{"macros":{"carbs":"40"}}}"#, "/goals/macros/carbs"),
      (#"{"goals":{"macros":{"fat":true}}}"#, "/goals/macros/fat"),
      (#"{"goals":{"firstWeekday":1}}"#, "/goals/firstWeekday"),
    ])
  func rejects(text: String, pointer: String) throws {
    let harness = try FeedHarness()
    let isWarning =
      pointer.hasPrefix("/goals")
      || ["/samples", "/samples/0/id", "/samples/0/end", "/samples/0/source"].contains(pointer)
    let defects = try harness.put("health/a.json", text)
    #expect(defects.count == (isWarning ? 0 : 1), "\(defects)")
    let feed = try #require(FeedRegistry.builtIn.feed(named: "health"))
    let problems = Array(text.utf8).withUnsafeBytes {
      feed.problems(of: $0, at: CachePath("health/a.json"))
    }
    #expect(problems.map(\.pointer) == [pointer] && problems.map(\.severity) == [isWarning ? .warning : .error])
    // Nothing in a rejected file counts.
    if !isWarning { #expect(try harness.timeline("overview", at: "2026-11-21T12:00:00Z").sources.count == 0) }
  }

  @Test(
    "Optional fields may be missing, and unknown fields and both forms of dates are accepted",
    arguments: [
      #"{}"#,
      #"{"samples":[]}"#,
      #"{"goals":{}}"#,
      #"{"goals":{"macros":{}}}"#,
      #"{"goals":{"adjustment":-1e3,"macros":{"protein":0,"carbs":120,"fat":2.5},"firstWeekday":"sunday","x":null}}"#,
      #"{"version":3,"samples":[{"type":"fat","date":817023600.25,"value":0,"device":{"x":[1]}}]}"#,
      #"{"samples":[{"type":"fat","date":0,"end":null,"value":0,"source":null},{"type":"fat","date":5,"end":3,"value":0}]}"#,
      #"{"samples":[{"id":3,"type":"protein","date":"2026-11-21T07:00:00.5+0530","value":1e2}]}"#,
      #"{"samples":[{"type":"steps"},{"type":"Fat","date":"soon","value":-1},{"value":"many","id":[],"type":"mood"}]}"#,
      #"{"samples":[{"id":"","value":1,"date":-1,"type":"bodyFatPercentage"}]}"#,
    ])
  func accepts(text: String) throws {
    #expect(try FeedHarness().put("health/a.json", text) == [])
  }

  @Test("Dates are read as numbers and as texts")
  func dates() throws {
    // 2026-11-21T07:00:00Z is 816,937,200 + 86,400 seconds after 2001-01-01: `date -u -d 2026-11-21T07:00 +%s` − 978307200.
    let texts = [#""2026-11-21T07:00:00Z""#, "816937200", "816937200.0", #""2026-11-21T08:00:00.000+01:00""#]
    let days = try texts.map { date in
      let harness = try FeedHarness()
      try harness.put("health/a.json", #"{"samples":[{"type":"dietaryCalories","date":\#(date),"value":1.5}]}"#)
      return try harness.day("health", "2026-11-21", now: "2026-11-21T12:00:00Z")
    }
    #expect(days == Array(repeating: .object(["intake": .number(1.5), "samples": .integer(1)]), count: 4))
  }

  @Test("The library's models write valid sessions")
  func producerModels() throws {
    let date = try #require(Instant("2026-11-21T07:00:00.25Z"))
    let session = HealthSession(
      samples: HealthSession.SampleType.allCases.map { .init(id: .text($0.rawValue), type: $0, date: date, value: 0.5) }
        + [.init(type: .dietaryCalories, date: date, end: date + .seconds(900), value: 640, source: "Watch")],
      goals: .init(
        adjustment: -500, macros: .init(protein: 30, carbs: 40, fat: 30), nutrients: [.iron: 8, .water: 2000],
        firstWeekday: .sunday),
      authorized: true)
    let data = try JSONEncoder().encode(session)
    #expect(try JSONDecoder().decode(HealthSession.self, from: data) == session)
    let harness = try FeedHarness()
    #expect(try harness.put("health/a.json", String(decoding: data, as: UTF8.self)) == [])
    let day = try harness.day("health", "2026-11-21", now: "2026-11-21T12:00:00Z")
    #expect(day?["samples"]?.int == HealthSession.SampleType.allCases.count + 1)
    #expect(day?["intake"]?.double == 640.5)
    let content = try harness.content("budget", at: "2026-11-21T12:00:00Z")
    // A body mass of 0.5 kg alone: F = 30 · 0.5 = 15. From Saturday to Sunday is one day.
    #expect(content["maintenance"]?.double == 15)
    #expect(content["base"]?.double == -485)
    #expect(content["daysLeft"]?.int == 1)
    let bare = try JSONEncoder().encode(HealthSession(goals: .init()))
    #expect(String(decoding: bare, as: UTF8.self) == #"{"goals":{}}"#)
    let bad = Data(#"{"goals":{"firstWeekday":"Monday"}}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(HealthSession.self, from: bad) }
  }

  @Test("The sample cache has a valid session")
  func sampleCache() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.appendingPathComponent("../../../sample-cache").standardized
    let harness = try FeedHarness(zone: "America/New_York")
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    for name in names where name.hasPrefix("health/") && name.hasSuffix(".json") {
      let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
      #expect(try harness.put(name, text) == [])
    }
    for kind in HealthFeed.kinds { #expect(try harness.state(kind.name, at: "2026-11-21T18:00:00Z") == "current") }
    #expect(try harness.content("budget", at: "2026-11-21T18:00:00Z")["isValid"]?.bool == true)
    // Years later, there is still a fallback to show.
    #expect(try harness.content("budget", at: "2029-11-21T18:00:00Z")["maintenance"]?.double != 2200)
  }
}

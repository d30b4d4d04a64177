import Foundation
import Testing

@testable import CacheSync

/// The definitions in Examples/feeds, as they stand, on their samples. Those of definitions.md section 8 are expected to give that
/// section's timelines; entries in which only `count` and `more` differ are left out, as there.
@Suite struct ExampleFeedsTests {
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../Examples/feeds").standardized

  private func trial(_ name: String, _ zone: String) throws -> DefinitionTrial {
    let read = DefinitionsFeed.read(try bytes("\(name).json"), named: name)
    let definition = try #require(read.definition, "\(read.problems.map { $0.line() })")
    let zones = TimeZones(environment: nil)
    let trial = DefinitionTrial(
      definition, zones: zones, calendar: CivilCalendar(try zones.rules(named: zone)))
    let problems = trial.read(
      try bytes("samples/\(name).json"), at: trial.path(ofFile: Array("sample.json".utf8)),
      modified: Instant(seconds: 0))
    #expect(problems.isEmpty, "\(problems)")
    return trial
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.directory.appendingPathComponent(name)))
  }

  /// Each entry that shows something new, as "date value text [titles]"; what is missing is left out.
  private func timeline(_ name: String, zone: String = "Europe/Berlin", at text: String) throws -> [String] {
    let trial = try trial(name, zone)
    let now = try #require(Instant(text))
    let calendar = CivilCalendar(try TimeZones(environment: nil).rules(named: zone))
    let (_, document) = try #require(
      trial.snapshots(at: Moment(now, calendar: calendar, firstWeekday: .monday)).first)
    let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: now))
    var lines: [String] = []
    var last = ""
    for entry in snapshot.entries {
      var parts = ["value", "text"].compactMap { entry.content[$0].flatMap { $0 == .null ? nil : words($0) } }
      if let items = entry.content["items"]?.array, !items.isEmpty {
        parts.append(
          "["
            + items.map { item in
              (["title", "detail"].compactMap { item[$0]?.string }).joined(separator: ", ")
            }.joined(separator: "; ") + "]")
      }
      let line = parts.joined(separator: " ")
      if line != last { lines.append("\(entry.date) \(line)") }
      last = line
    }
    return lines
  }

  private func words(_ value: JSONValue) -> String { value.string ?? String(decoding: value.bytes, as: UTF8.self) }

  @Test func bins() throws {
    #expect(
      try timeline("bins", zone: "Europe/London", at: "2026-11-22T12:00:00Z") == [
        "2026-11-22T00:00:00Z Tuesday: Rubbish, Food Bin [Rubbish; Food Bin]",
        "2026-11-23T00:00:00Z tomorrow: Rubbish, Food Bin [Rubbish; Food Bin]",
        "2026-11-24T00:00:00Z today: Rubbish, Food Bin [Rubbish; Food Bin]",
        "2026-11-24T10:00:00Z Nothing soon",
      ])
  }

  @Test func meds() throws {
    let lines = try timeline("meds", at: "2026-11-22T11:00:00Z")
    #expect(
      lines.prefix(3) == [
        "2026-11-22T08:00:00Z 20:00 Metformin, 500 mg [Metformin, 500 mg; Metformin, 500 mg; Ramipril, 5 mg]",
        "2026-11-22T20:00:00Z 08:00 Metformin, 500 mg [Metformin, 500 mg; Ramipril, 5 mg; Metformin, 500 mg]",
        "2026-11-23T08:00:00Z 20:00 Metformin, 500 mg [Metformin, 500 mg; Metformin, 500 mg; Ramipril, 5 mg]",
      ], "\(lines)")
  }

  @Test func school() throws {
    #expect(
      try timeline("school", at: "2026-11-22T11:00:00Z").prefix(3) == [
        "2026-11-21T23:00:00Z No school", "2026-11-22T23:00:00Z 2 lessons [Maths, 08:00 12; Art, 08:55 3]",
        "2026-11-23T23:00:00Z No school",
      ])
  }

  @Test func power() throws {
    #expect(
      try timeline("power", at: "2026-11-22T21:30:00Z") == [
        "2026-11-22T21:00:00Z 9.5 9.5 ct, cheapest at 23:00", "2026-11-22T22:00:00Z 8.8 8.8 ct, cheapest at 23:00",
        "2026-11-22T23:00:00Z No price yet",
      ])
  }

  @Test func weather() throws {
    #expect(
      try timeline("weather", at: "2026-11-22T20:30:00Z") == [
        "2026-11-22T20:00:00Z 4 Overcast, 1 to 4 °C", "2026-11-22T21:00:00Z 3 Overcast, 1 to 4 °C",
        "2026-11-22T22:00:00Z 1 Rain, 1 to 4 °C", "2026-11-22T23:00:00Z 1 Rain, 1 to 1 °C",
        "2026-11-23T00:00:00Z No forecast",
      ])
  }

  @Test("A cancelled train is none, and a delay counts")
  func trains() throws {
    #expect(
      try timeline("trains", at: "2026-11-22T11:00:00Z") == [
        "2026-11-21T23:00:00Z 12:04 S1 Airport [S1 Airport, 12:04, platform 2; RE 7 Coast, 12:20, platform 4]",
        "2026-11-22T11:04:00Z 12:20 RE 7 Coast [RE 7 Coast, 12:20, platform 4]", "2026-11-22T11:20:00Z No train",
      ])
  }

  @Test("Each person has a week, and the first follows the last")
  func chores() throws {
    let lines = try timeline("chores", at: "2026-12-05T11:00:00Z")
    #expect(
      lines.prefix(2) == [
        "2026-12-04T23:00:00Z Cleo cleans the kitchen until Monday [Cleo]",
        "2026-12-06T23:00:00Z Ada cleans the kitchen until Monday [Ada]",
      ], "\(lines)")
  }

  @Test("Each definition has a sample, and a test here")
  func complete() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path).filter {
      $0.hasSuffix(".json")
    }
    let samples = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path + "/samples")
    #expect(names.sorted() == samples.sorted())
    #expect(names.sorted() == ["bins", "chores", "meds", "power", "school", "trains", "weather"].map { $0 + ".json" })
  }
}

import Foundation
import Testing

import CacheSync

/// The definitions in Examples/feeds, unchanged, with their samples. Those of definitions.md section 8 must give that
/// section's timelines. As there, entries in which only `count` and `more` differ are left out.
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
      try bytes("samples/\(name).json"),
      from: SessionFile(path: trial.path(ofFile: Array("sample.json".utf8)), modified: Instant(seconds: 0)))
    #expect(problems.isEmpty, "\(problems)")
    return trial
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.directory.appendingPathComponent(name)))
  }

  /// Each entry that shows something new, as "date value text [titles]", without missing members.
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

  @Test("A cancelled train is not shown, and delays are included")
  func trains() throws {
    #expect(
      try timeline("trains", at: "2026-11-22T11:00:00Z") == [
        "2026-11-21T23:00:00Z 12:04 S1 Airport [S1 Airport, 12:04, platform 2; RE 7 Coast, 12:20, platform 4]",
        "2026-11-22T11:04:00Z 12:20 RE 7 Coast [RE 7 Coast, 12:20, platform 4]", "2026-11-22T11:20:00Z No train",
      ])
  }

  @Test("Each person has a week, and after the last the first is next")
  func chores() throws {
    let lines = try timeline("chores", at: "2026-12-05T11:00:00Z")
    #expect(
      lines.prefix(2) == [
        "2026-12-04T23:00:00Z Cleo cleans the kitchen until Monday [Cleo]",
        "2026-12-06T23:00:00Z Ada cleans the kitchen until Monday [Ada]",
      ], "\(lines)")
  }

  @Test("Prices of quarter hours have tones, and cover the whole day")
  func spot() throws {
    // The sample has 102.0 EUR/MWh from 09:00, and its maximum is 174.5 at 18:45.
    let lines = try timeline("spot", at: "2026-11-24T08:10:00Z")
    #expect(lines.first?.hasPrefix("2026-11-24T08:00:00Z 10.2 10.2 ct, dearest at 18:45 [") == true, "\(lines)")
    let now = try #require(Instant("2026-11-24T08:10:00Z"))
    let calendar = CivilCalendar(try TimeZones(environment: nil).rules(named: "Europe/Berlin"))
    let trial = try trial("spot", "Europe/Berlin")
    let (_, document) = try #require(trial.snapshots(at: Moment(now, calendar: calendar, firstWeekday: .monday)).first)
    let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: now))
    let items = try #require(snapshot.entries.first?.content["items"]?.array)
    // 3.6 to 4.0 ct from midnight on, 8.4 to 8.9 from 06:00 on, and 12.9 to 13.4 from 08:00 on.
    #expect(items.count == 96)
    #expect(items[0..<4].allSatisfy { $0["tone"]?.string == "good" })
    #expect(items[24..<28].allSatisfy { $0["tone"] == nil })
    #expect(items[32..<36].allSatisfy { $0["tone"]?.string == "bad" })
  }

  @Test("Days are counted down across the end of the year")
  func countdown() throws {
    #expect(
      try timeline("countdown", at: "2026-11-24T08:00:00Z").prefix(2) == [
        "2026-11-23T23:00:00Z Concert today [Concert, today; Exam, in 9 days; Summer holidays, in 228 days]",
        "2026-11-24T23:00:00Z Exam in 8 days [Exam, in 8 days; Summer holidays, in 227 days]",
      ])
  }

  @Test("Appointments are in their own zones, and all-day ones are days")
  func office() throws {
    // 10:00 in Boston is 16:00 in Berlin.
    #expect(
      try timeline("office", at: "2026-11-24T08:00:00Z") == [
        "2026-11-23T23:00:00Z today: Stand-up "
          + "[Stand-up, Tue 09:30, Room 4; Call with Boston, Tue 16:00; Inventory, Wed, all day]",
        "2026-11-24T08:45:00Z today: Call with Boston [Call with Boston, Tue 16:00; Inventory, Wed, all day]",
        "2026-11-24T16:00:00Z tomorrow: Inventory [Inventory, Wed, all day]",
        "2026-11-24T23:00:00Z today: Inventory [Inventory, Wed, all day]",
        "2026-11-25T23:00:00Z 25 Nov: Inventory [Inventory, Wed, all day]",
        "2026-11-26T23:00:00Z Nothing this week",
      ])
  }

  @Test("People turn as old as the years since they were born")
  func birthdays() throws {
    #expect(
      try timeline("birthdays", at: "2026-11-24T08:00:00Z").prefix(2) == [
        "2026-11-23T23:00:00Z Ben today "
          + "[Ben turns 40, today; Ada turns 7, in 2 days; Cleo turns 26, in 39 days]",
        "2026-11-24T23:00:00Z Ada tomorrow [Ada turns 7, tomorrow; Cleo turns 26, in 38 days]",
      ])
  }

  @Test("Each definition has a sample, and a test here")
  func complete() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path).filter {
      $0.hasSuffix(".json")
    }
    let samples = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path + "/samples")
    #expect(names.sorted() == samples.sorted())
    let tested = [
      "birthdays", "bins", "chores", "countdown", "meds", "office", "power", "school", "spot", "trains", "weather",
    ]
    #expect(Set(names) == Set(tested.map { $0 + ".json" }))
  }

  @Test("Items with a start are events of an exported calendar, those that repeat once for each occurrence")
  func calendar() throws {
    let read = DefinitionsFeed.read(try bytes("birthdays.json"), named: "birthdays")
    var harness = try FeedHarness(zone: "Europe/Berlin")
    harness.feeds = FeedSet(FeedRegistry([try #require(read.definition)], zones: TimeZones(environment: nil)))
    try harness.put("birthdays/a.json", String(decoding: try bytes("samples/birthdays.json"), as: UTF8.self))
    let calendar = try #require(harness.feeds.registry.feed(named: "birthdays")?.calendar)
    let components = calendar(harness.feeds, try harness.moment("2026-11-24T12:00:00Z"))
    // From 24 October 2026 to 24 November 2027: Ben's birthday comes twice.
    #expect(components.count == 5)
    let text = String(
      decoding: CalendarDocument.text(of: components, named: "Birthdays", space: "birthdays.home"), as: UTF8.self)
    let ben = "SUMMARY:Ben\r\nDTSTART;VALUE=DATE:20261124\r\nDTEND;VALUE=DATE:20261125\r\nEND:VEVENT"
    #expect(text.contains(ben) && text.contains("SUMMARY:Ben\r\nDTSTART;VALUE=DATE:20271124"))
    #expect(text.contains("SUMMARY:Dan\r\nDTSTART;VALUE=DATE:20270630"))
  }
}

import Foundation
import Testing

import CacheSync
@testable import CacheSyncValues

/// What people may want from JSON of public services, home servers and hand-made files. Each sample has a definition,
/// and the texts that should be shown at a moment.
///
/// The files are in `Tests/Reference/wishes/`. The texts were written down before the definitions.
@Suite struct WishesTests {
  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Reference/wishes").standardized

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  @Test("There are thirty samples") func complete() { #expect(Self.names.count == 30) }

  @Test("A definition gives the wanted texts", arguments: names)
  func wish(name: String) throws {
    let data = try Data(contentsOf: Self.directory.appendingPathComponent(name))
    let wish = try #require(JSONValue(Array(data)))
    let read = DefinitionsFeed.read(try #require(wish["definition"]).bytes, named: "wish")
    let definition = try #require(read.definition, "\(read.problems.map { $0.line() })")
    #expect(read.problems.isEmpty)
    let sample = try #require(wish["sample"]).bytes
    for expected in try #require(wish["reads"]?.array) {
      let zone = try #require(expected["zone"]?.string ?? wish["zone"]?.string)
      let zones = TimeZones(environment: nil)
      let calendar = CivilCalendar(try zones.rules(named: zone))
      let moment = Moment(
        try #require(expected["at"]?.instant), calendar: calendar, firstWeekday: .monday)
      let trial = DefinitionTrial(definition, zones: zones, calendar: calendar)
      let problems = trial.read(
        sample, from: SessionFile(path: trial.path(ofFile: Array("sample.json".utf8)), modified: moment.instant))
      #expect(!problems.contains { $0.severity == .error }, "\(problems.map { $0.line() })")
      #expect(trial.problems(at: moment).isEmpty)
      let kind = expected["kind"]?.string ?? "wish"
      let (_, document) = try #require(trial.snapshots(at: moment).first { $0.kind.name.description == kind })
      let snapshot = try Snapshot(bytes: document.bytes(generation: 0, publishedAt: moment.instant))
      check(snapshot, at: moment, expected)
    }
  }

  private func check(_ snapshot: Snapshot, at moment: Moment, _ expected: JSONValue) {
    let content = snapshot.entry(at: moment.instant).content
    let items = content["items"]?.array ?? []
    if let text = expected["text"]?.string { #expect(DefinedWords.words(content["text"], in: .english) == text) }
    if let rows = expected["rows"]?.array {
      let found = items.map { item in
        ["title", "detail"].compactMap { item[$0]?.string }.filter { !$0.isEmpty }.joined(separator: " ")
      }
      // A person looks at the first rows.
      #expect(Array(found.prefix(rows.count)) == rows.compactMap(\.string) && (!rows.isEmpty || found.isEmpty))
    }
    if let count = expected["count"]?.int { #expect(items.count == count && content["more"]?.int == 0) }
    if let progress = expected["progress"]?.double { #expect(content["progress"]?.double == progress) }
    if let lines = expected["lines"]?.array {
      let text = KindText(snapshot, at: moment.instant, in: moment.calendar)
      #expect(text.lines == lines.compactMap(\.string))
    }
  }
}

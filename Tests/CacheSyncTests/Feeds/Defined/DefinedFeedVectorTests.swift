import CacheSyncSystem
import Foundation
import Testing

import CacheSync

/// Timelines that another program computed from definitions.md alone. Tests/Reference/defined_feeds.py says how to run
/// it again.
@Suite("Defined feeds: timelines of another program") struct DefinedFeedVectorTests {
  static let vectors: [JSONValue] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Reference/defined_feeds.json").standardized
    return (try? Data(contentsOf: file)).flatMap { JSONValue(Array($0))?.array } ?? []
  }()

  @Test("There are at least 100 timelines") func vectorsAreThere() { #expect(Self.vectors.count >= 100) }

  @Test("Each timeline is the same") func everyVector() throws {
    let zones = TimeZones(environment: nil)
    for vector in Self.vectors {
      let seed = String(decoding: vector["seed"]?.bytes ?? [], as: UTF8.self)
      let read = DefinitionsFeed.read(try #require(vector["definition"]).bytes, named: "t")
      let definition = try #require(read.definition, "\(seed): \(read.problems.map { $0.line() })")
      let calendar = CivilCalendar(try zones.rules(named: try #require(vector["zone"]?.string)))
      let trial = DefinitionTrial(definition, zones: zones, calendar: calendar)
      for file in try #require(vector["files"]?.array) {
        let path = CachePath(try #require(file["path"]?.string))
        let problems = trial.read(
          Array(try #require(file["document"]?.string).utf8),
          from: SessionFile(path: path, modified: try moment(try #require(file["modified"]?.string))))
        #expect(!problems.contains { $0.severity == .error }, "\(seed): \(problems)")
      }
      let now = try moment(try #require(vector["at"]?.string))
      var kinds: TextMap<JSONValue> = [:]
      for (kind, document) in trial.snapshots(at: Moment(now, calendar: calendar, firstWeekday: .monday)) {
        let snapshot = try #require(JSONValue(document.bytes(generation: 0, publishedAt: now)))
        kinds[kind.name.description] = .object([
          "entries": try #require(snapshot["entries"]), "policy": try #require(snapshot["policy"]),
        ])
      }
      #expect(.object(kinds) == vector["kinds"], "seed \(seed)")
    }
  }
}

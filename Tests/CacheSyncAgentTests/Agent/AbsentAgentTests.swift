import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import Foundation
import Testing
import TestSupport

@Suite("Readers without a running agent")
struct AbsentAgentTests {
  /// A cache with files of every feed, around 2026-11-21.
  private func sampleCache(in zone: String) throws -> TemporaryCache {
    let cache = try TemporaryCache()
    let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../sample-cache")
      .standardized
    for name in try FileManager.default.contentsOfDirectory(atPath: sample.path) where !name.hasPrefix(".") {
      try FileManager.default.copyItem(at: sample.appending(path: name), to: cache.file(name))
    }
    try set(zone, of: cache)
    return cache
  }

  private func set(_ zone: String, of cache: TemporaryCache) throws {
    try cache.write("cachesync.json", #"{"timeZone":"\#(zone)"}"#)
  }

  private func snapshots(_ cache: TemporaryCache) throws -> [String: Snapshot] {
    try SnapshotReader(cache: cache.path).consistent().snapshots
  }

  /// What a running agent would publish from the same files: the current entry of every kind.
  private func fresh(_ cache: TemporaryCache, at moment: Instant) throws -> [String: Snapshot.Entry] {
    let contents = try OneShot.contents(of: cache.path, environment: cache.environment)
    var entries: [String: Snapshot.Entry] = [:]
    for kind in contents.projector.kinds {
      let document = contents.projector.snapshot(of: kind, at: contents.moment(at: moment)).encoded()
      let snapshot = try Snapshot(bytes: document.bytes(generation: 1, publishedAt: moment))
      entries[snapshot.kind] = snapshot.entries[0]
    }
    return entries
  }

  @Test(
    "A snapshot that was published at 23:50 has the entries of the new day at 00:10",
    arguments: [
      // When the day begins. In all zones but the first, the clocks change around then.
      ("America/New_York", "2026-11-21T05:00:00Z", "2026-11-21"),
      ("America/New_York", "2026-11-01T04:00:00Z", "2026-11-01"),
      ("America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06"),
      ("America/Havana", "2026-11-01T04:00:00Z", "2026-11-01"),
      ("Asia/Kolkata", "2026-11-21T18:30:00Z", "2026-11-22"),
    ])
  func overMidnight(zone: String, midnight: String, day: String) throws {
    let cache = try sampleCache(in: zone)
    let midnight = try #require(Instant(midnight))
    let read = midnight + .seconds(600)
    try cache.sync(clock: FixedClock(instant: midnight + .seconds(-600)))
    let snapshots = try snapshots(cache)
    let plan = try #require(snapshots["meal-plan"])
    #expect(plan.entry(at: read).date == midnight && plan.entry(at: read).content["date"]?.string == day)
    #expect(plan.entry(at: midnight).date == midnight)
    #expect(plan.entry(at: midnight + .microseconds(-1)) == plan.entries[0])
    let expected = try fresh(cache, at: read)
    #expect(snapshots.count == expected.count && snapshots.count >= 15)
    for (kind, snapshot) in snapshots { #expect(snapshot.entry(at: read) == expected[kind], "\(kind)") }
  }

  @Test("One second before its `policy.date`, a snapshot shows what a running agent would publish")
  func upToReload() throws {
    let cache = try sampleCache(in: "America/New_York")
    try cache.sync(clock: FixedClock(instant: try #require(Instant("2026-11-22T04:50:00Z"))))
    let snapshots = try snapshots(cache)
    #expect(snapshots["meal-plan"]?.reloadAfter?.description == "2026-11-28T05:00:00Z", "the seventh day after")
    #expect(snapshots["calories"]?.reloadAfter?.description == "2026-11-23T05:00:00Z", "the midnight after the next")
    for (kind, snapshot) in snapshots {
      guard let end = snapshot.reloadAfter else { continue }
      let last = end + .seconds(-1)
      let expected = try fresh(cache, at: last)[kind]
      #expect(snapshot.entry(at: last) == expected, "\(kind) at \(last)")
      #expect(snapshot.entries.allSatisfy { $0.date < end }, "\(kind)")
    }
  }

  @Test("At any minute, the current entry of every kind is the one that a running agent would publish")
  func everyMinute() throws {
    let cache = try sampleCache(in: "America/New_York")
    let start = try #require(Instant("2026-11-21T12:00:00Z"))
    try cache.sync(clock: FixedClock(instant: start))
    let snapshots = try snapshots(cache)
    let contents = try OneShot.contents(of: cache.path, environment: cache.environment)
    for minutes in stride(from: 0, to: 24 * 60, by: 37) {
      let moment = start + .seconds(minutes * 60)
      for kind in contents.projector.kinds {
        let snapshot = try #require(snapshots[kind.name.description])
        if let end = snapshot.reloadAfter, end <= moment { continue }
        let document = contents.projector.snapshot(of: kind, at: contents.moment(at: moment)).encoded()
        let now = try Snapshot(bytes: document.bytes(generation: 1, publishedAt: moment)).entries[0]
        #expect(snapshot.entry(at: moment) == now, "\(kind.name) at \(moment)")
      }
    }
  }

  @Test("After a change of the cache's zone, one publication has the new zone's days, also if no agent runs afterwards")
  func zoneChange() throws {
    let cache = try sampleCache(in: "America/New_York")
    let stopped = try #require(Instant("2026-11-22T04:50:00Z"))  // 23:50 in New York, 10:20 of the next day in Kolkata
    let generation = try cache.sync(clock: FixedClock(instant: stopped))
    let before = try #require(try snapshots(cache)["meal-plan"])
    #expect(before.timeZone == "America/New_York" && before.entries[0].content["date"]?.string == "2026-11-21")
    try set("Asia/Kolkata", of: cache)
    #expect(try cache.sync(clock: FixedClock(instant: stopped)) == generation + 1)
    let after = try #require(try snapshots(cache)["meal-plan"])
    #expect(after.timeZone == "Asia/Kolkata")
    // Kolkata's days begin at 18:30 UTC on the date before.
    #expect(after.entries.map(\.date.description) == (21...27).map { "2026-11-\($0)T18:30:00Z" })
    #expect(after.reloadAfter?.description == "2026-11-28T18:30:00Z")
    let shown = [
      ("2026-11-22T05:10:00Z", "2026-11-22"), ("2026-11-22T18:29:59Z", "2026-11-22"),
      ("2026-11-22T18:30:00Z", "2026-11-23"),
    ]
    for (moment, day) in shown {
      let entry = after.entry(at: try #require(Instant(moment)))
      #expect(entry.content["date"]?.string == day, "\(moment)")
    }
    let index = try SnapshotReader(cache: cache.path).dayIndex()
    #expect(index["timeZone"]?.string == "Asia/Kolkata" && index["today"]?["date"]?.string == "2026-11-22")
    let read = stopped + .seconds(1200)
    let expected = try fresh(cache, at: read)
    for (kind, snapshot) in try snapshots(cache) { #expect(snapshot.entry(at: read) == expected[kind], "\(kind)") }
  }
}

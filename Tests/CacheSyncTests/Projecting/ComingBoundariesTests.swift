import CacheSync
import Synchronization
import Testing

/// The list of coming boundaries, where one kind needs more work than allowed.
@Suite("Coming boundaries")
struct ComingBoundariesTests {
  let harness: FeedHarness

  init() throws { harness = try FeedHarness() }

  /// Two kinds: one changes each hour, and the other has a boundary each minute at which nothing changes. 100 of the
  /// latter use up the work of one timeline.
  private func projector(_ count: EvaluationCount) throws -> CacheProjector {
    let midnight = try harness.instant("2026-11-21T00:00:00Z")
    let minutes = (1..<2_880).map { Boundary(midnight + .seconds(60 * $0), .words("a minute")) }
    let costly = Kind(
      "costly", widgetKind: "Test", families: [], link: "x://y", feeds: [], reach: .midnight, maximumEntries: 48,
      maximumWork: 100,
      boundaries: { _, _, range in minutes.filter { range.contains($0.date) } },
      project: { _, _, projection in
        count.value.withLock { $0 += 1 }
        projection.work += 1
        projection.json.integer(1)
      })
    let hourly = Kind(
      "hourly", widgetKind: "Test", families: [], link: "x://y", feeds: [], reach: .midnight, hours: Array(1..<24),
      project: { _, _, projection in projection.json.integer(1) })
    return CacheProjector(feeds: harness.feeds, kinds: [costly, hourly], problems: [:])
  }

  @Test("The kind that needs too much work is reported, and the list goes on with the others")
  func leftOut() throws {
    let evaluations = EvaluationCount()
    let coming = try projector(evaluations).comingBoundaries(after: harness.moment("2026-11-21T00:10:00Z"), count: 47)
    // By hand: midnight, 98 minutes, and once more for the current entry are 100, so 01:39 is the first that is not
    // evaluated.
    #expect(coming.leftOut?.from.description == "2026-11-21T01:39:00Z" && coming.leftOut?.kinds == ["costly"])
    #expect(evaluations.value.withLock { $0 } == 100, "not again for more days")
    // An hour each, from 01:00 to the 47th, which is 23:00 of the next day.
    let start = try harness.instant("2026-11-21T00:00:00Z")
    #expect(coming.list.map(\.date) == (1...47).map { start + .seconds(3_600 * $0) })
    #expect(coming.list.allSatisfy { $0.kinds == ["hourly"] })
  }

  @Test("A longer list is allowed more work: that of a timeline for each 48 boundaries")
  func longer() throws {
    let coming = try projector(EvaluationCount()).comingBoundaries(
      after: harness.moment("2026-11-21T00:10:00Z"), count: 100)
    // By hand: three timelines' work is 300.
    #expect(coming.list.count == 100 && coming.leftOut?.from.description == "2026-11-21T04:59:00Z")
  }

  @Test("Nothing is reported as left out if enough boundaries come before", arguments: [0, 1])
  func enough(count: Int) throws {
    let coming = try projector(EvaluationCount()).comingBoundaries(
      after: harness.moment("2026-11-21T00:10:00Z"), count: count)
    #expect(coming.list.map(\.date.description) == ["2026-11-21T01:00:00Z"].dropLast(1 - count))
    #expect(coming.leftOut == nil)
  }

  @Test("The list is empty if the only kind needs too much work")
  func alone() throws {
    let costly = try projector(EvaluationCount()).kinds[0]
    let projector = CacheProjector(feeds: harness.feeds, kinds: [costly], problems: [:])
    let coming = try projector.comingBoundaries(after: harness.moment("2026-11-21T12:00:00Z"), count: 10)
    #expect(coming.list.isEmpty && coming.leftOut?.from.description == "2026-11-21T12:01:00Z")
  }
}

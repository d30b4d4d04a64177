import CacheSync
import CacheSyncAgent
import CacheSyncPublishing
import CacheSyncSystem
import Testing
import TestSupport

@Suite("Durations of publications")
struct PublicationDurationsTests {
  @Test("A duration counts in every bucket whose bound it does not exceed; the expected numbers are counted by hand")
  func buckets() {
    var durations = PublicationDurations()
    #expect(durations.count == 0 && durations.seconds == 0 && durations.cumulative.allSatisfy { $0.count == 0 })
    // In nanoseconds: below the least bound, at bounds, just above one, between two, and above the greatest.
    for length in [0, 500_000, 500_001, 30_000_000, 10_000_000_000, 10_000_000_001, 60_000_000_000] as [Int64] {
      durations.add(from: Uptime(nanoseconds: 7_000), to: Uptime(nanoseconds: 7_000 + length))
    }
    let bounds = durations.cumulative.map(\.bound)
    #expect(bounds == [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    #expect(durations.cumulative.map(\.count) == [2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5])
    #expect(durations.count == 7)
    #expect(durations.seconds == 80.031000002)
  }

  @Test("A negative duration counts as zero")
  func backwards() {
    var durations = PublicationDurations()
    durations.add(from: Uptime(nanoseconds: 5), to: Uptime(nanoseconds: 4))
    #expect(durations.seconds == 0 && durations.cumulative[0].count == 1)
  }

  @Test("A duration runs from the publication's first event to the rename of its manifest")
  func fromTheFirstEvent() throws {
    let test = try ServedTestCache(["tasks/a.json": ServedTestCache.task("one")])
    let first = test.report.counters
    #expect(first.publications == 1 && first.durations.count == 1)
    try test.cache.write("tasks/a.json", ServedTestCache.task("two"))
    _ = InotifyWatcher.drainAndCountOverflows()
    test.clock.advance(by: .milliseconds(30))
    try test.cache.write("tasks/b.json", ServedTestCache.task("three"))
    _ = InotifyWatcher.drainAndCountOverflows()
    test.clock.advance(by: .milliseconds(40))
    test.served.process()
    #expect(try test.titles().isEmpty == false)
    let durations = test.report.counters.durations
    #expect(durations.count == 2)
    #expect(durations.seconds - first.durations.seconds == 0.07)
  }

  @Test("A duration does not begin with an event that changed nothing, or with a file whose deadline was pending")
  func withoutEarlierEvents() throws {
    let test = try ServedTestCache(["tasks/a.json": ServedTestCache.task("one")])
    let before = test.report.counters.durations
    // The file may still be incomplete until it has not changed for 250 ms.
    try test.cache.write("tasks/a.json", "{")
    test.pass()
    test.pass(after: .milliseconds(260))
    let after = test.report.counters.durations
    #expect(after.count == before.count + 1)
    #expect(after.seconds == before.seconds)
  }

  @Test("Without an event, a duration runs from the agent's request for the pass")
  func fromTheRequest() throws {
    let test = try ServedTestCache(["tasks/a.json": ServedTestCache.task("one")])
    let before = test.report.counters.durations
    let requested = test.clock.now()
    test.clock.advance(by: .milliseconds(20))
    test.served.open?.publisher.mustCompare = true
    try test.cache.remove("snapshots/todays-tasks.json")
    _ = test.served.open?.store.verify()
    test.served.process(requestedAt: requested)
    let after = test.report.counters.durations
    #expect(after.count == before.count + 1 && after.seconds - before.seconds == 0.02)
  }
}

import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import SystemPackage
import Testing
import TestSupport

@Suite("Publishing that fails")
struct PublisherTests {
  @LoopActor
  private func publisher(of cache: TemporaryCache, _ journal: Journal) throws -> (Publisher, StateDirectory) {
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let contents = CacheContents(root: root, environment: cache.environment)
    contents.readEverything(isPatient: false)
    contents.closeLastGoodOnceJudged()
    return (
      Publisher(contents: contents, store: SnapshotStore(root: root), logger: journal.logger),
      try StateDirectory(root: root)
    )
  }

  @Test(
    "A failed publication is retried after 1 s, doubling to 10 s; the log records when failing begins and ends"
  )
  @LoopActor func backsOff() throws {
    let cache = try TemporaryCache()
    try cache.write("meal-plan/a.json", MealPlanFixture.session())
    let journal = Journal()
    let (publisher, state) = try publisher(of: cache, journal)
    let error = PublishError(.write, "snapshots/meal-plan.json", .noSpace)
    func expectRetry(after seconds: Int64) throws {
      let before = Uptime.now()
      publisher.recordFailure(error)
      let due = try #require(publisher.retryDue)
      #expect(due >= before.advanced(by: .seconds(seconds)) && due <= Uptime.now().advanced(by: .seconds(seconds)))
    }
    for seconds in [1, 2, 4, 8, 10, 10, 10] as [Int64] { try expectRetry(after: seconds) }
    #expect(publisher.failure?.count == 7 && publisher.lastError == error)
    #expect(journal.count(of: "No space left") == 1, "once, not once a try")
    #expect(publisher.publish(state: state) != nil)
    #expect(publisher.failure == nil && publisher.retryDue == nil && publisher.lastError == nil)
    #expect(journal.lines.last?.contains("works again") == true)
    try expectRetry(after: 1)
    #expect(journal.count(of: "No space left") == 1, "what comes again within the hour is counted")
  }
}

import CacheSync
import Glibc
import Testing
import TestSupport

/// This suite waits for a real midnight and disturbs no other test, so it runs in parallel with them.
@Suite struct StoppedOverMidnightTests {
  @Test(
    "An agent that is stopped before midnight and continued after it publishes the new day at once, and only once"
  )
  func stoppedOverMidnight() async throws {
    let cache = try TimeFaultTests.cache(in: "UTC")
    let (agent, end) = try TimeFaultTests.beforeMidnight { try cache.agent("--time-zone", $0) }
    let generation = try cache.caughtUp()
    let eve = try #require(try cache.today())
    let day = try #require(LocalDay(eve)).advanced(by: 1).description
    let publications = try TimeFaultTests.publications(cache)
    agent.send(SIGSTOP)
    try #require(Instant.now < end, "the agent took longer to start than the day lasts")
    while Instant.now < end + .milliseconds(300) { try await Task.sleep(for: end + .milliseconds(300) - .now) }
    // The stopped agent leaves the old day's file, and readers of its timeline still show the new day.
    #expect(try cache.today() == eve)
    let plan = try TimeFaultTests.snapshot("meal-plan", of: cache)
    #expect(plan.entry(at: .now).content["date"]?.string == day)
    let stopwatch = Stopwatch(of: agent.pid)
    let continued = Instant.now
    agent.send(SIGCONT)
    #expect(try holds { try cache.today() == day })
    #expect(try cache.written("snapshots/day-index.json") - continued - stopwatch.wait < .seconds(1))
    #expect(try cache.caughtUp() == generation + 1)
    #expect(try cache.today() == day)
    for kind in ["meal-plan", "task-count", "todays-tasks", "budget", "macros"] {
      let snapshot = try TimeFaultTests.snapshot(kind, of: cache)
      #expect(snapshot.entries[0].date == end && snapshot.generation == generation + 1, "\(kind)")
    }
    #expect(try TimeFaultTests.snapshot("meal-plan", of: cache).entries[0].content["date"]?.string == day)
    #expect(try TimeFaultTests.publications(cache) == publications + 1)
  }
}

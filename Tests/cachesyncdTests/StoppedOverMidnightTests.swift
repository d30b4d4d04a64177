import CacheSync
import Foundation
import Glibc
import Testing
import TestSupport

/// This suite waits for a real midnight and disturbs no other test, so it runs in parallel with them.
@Suite struct StoppedOverMidnightTests {
  @Test(
    "An agent that is stopped before midnight and continued after it publishes the new day at once, and only once"
  )
  func stoppedOverMidnight() async throws {
    let cache = try TimeFaultTests.cache()
    let eve = try TimeFaultTests.beforeMidnight {
      try cache.agent(environment: $0)
    } preparing: { agent in
      let generation = try cache.caughtUp()
      let today = try #require(try cache.today())
      let publications = try TimeFaultTests.publications(cache)
      agent.send(SIGSTOP)
      let isArmed = Self.timers(of: agent.pid).contains { $0 != "it_value: (0, 0)" }
      return (generation: generation, today: today, publications: publications, isArmed: isArmed)
    }
    let (agent, end) = (eve.agent, eve.midnight)
    let (generation, publications) = (eve.before.generation, eve.before.publications)
    #expect(eve.before.isArmed, "the agent waits for midnight")
    let day = try #require(LocalDay(eve.before.today)).advanced(by: 1).description
    try await TimeFaultTests.sleep(until: end)
    #expect(
      holds { Self.timers(of: agent.pid).allSatisfy { $0 == "it_value: (0, 0)" } },
      "midnight comes while the agent is stopped")
    // The stopped agent leaves the old day's file, and readers of its timeline still show the new day.
    #expect(try cache.today() == eve.before.today)
    let plan = try TimeFaultTests.snapshot("meal-plan", of: cache)
    #expect(plan.entry(at: .now).content["date"]?.string == day)
    let stopwatch = Stopwatch(of: agent.pid)
    let continued = Instant.now
    agent.send(SIGCONT)
    #expect(try holds { try cache.today() == day })
    let (late, wait) = (try cache.written("snapshots/day-index.json") - continued, stopwatch.wait)
    #expect(late - wait < .seconds(1), "\(late) after it continued, \(wait) without a processor")
    #expect(try cache.caughtUp() == generation + 1)
    #expect(try cache.today() == day)
    for kind in ["meal-plan", "task-count", "todays-tasks", "budget", "macros"] {
      let snapshot = try TimeFaultTests.snapshot(kind, of: cache)
      #expect(snapshot.entries[0].date == end && snapshot.generation == generation + 1, "\(kind)")
    }
    #expect(try TimeFaultTests.snapshot("meal-plan", of: cache).entries[0].content["date"]?.string == day)
    #expect(try TimeFaultTests.publications(cache) == publications + 1)
  }

  /// The rest of the time of each timer that a process has on the wall clock (proc(5): `it_value`). It is 0 while a
  /// timer is not armed, or after it has expired.
  private static func timers(of process: pid_t) -> [Substring] {
    let directory = "/proc/\(process)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { name in
      let lines = ((try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)) ?? "").split(separator: "\n")
      return lines.contains("clockid: \(CLOCK_REALTIME)") ? lines.first { $0.hasPrefix("it_value:") } : nil
    }
  }
}

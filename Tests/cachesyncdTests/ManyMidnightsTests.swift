import CacheSync
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TestSupport

/// Real midnights of agents whose clocks libfaketime sets. Each has its own clock, so this suite runs in parallel with
/// the others.
@Suite struct ManyMidnightsTests {
  /// The zone, the first instant of a day, and the day. NewDayTests has many more, with their sources. These are a
  /// usual midnight, one that is skipped, one that occurs twice, a skipped day, and half an hour.
  private static let turns: [(zone: String, first: String, day: String)] = [
    ("UTC", "2026-11-22T00:00:00Z", "2026-11-22"), ("Asia/Beirut", "2026-03-28T22:00:00Z", "2026-03-29"),
    ("Atlantic/Azores", "2026-10-25T00:00:00Z", "2026-10-25"), ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
    ("Australia/Lord_Howe", "2026-10-03T13:30:00Z", "2026-10-04"),
  ]

  @Test(
    "Agents started shortly before midnight in several zones publish the new day once, within a second, and never go back",
    .enabled(if: TimeFaultTests.faketime != nil, "needs libfaketime"))
  func manyZones() async throws {
    struct Agent {
      var agent: Child
      var cache: CommandCache
      var generation: Int
      var turn: (zone: String, first: String, day: String)
      var reader: DayReader
      var stopwatch: Stopwatch
    }
    var agents: [Agent] = []
    var last = ContinuousClock.now
    for turn in Self.turns {
      let eve = try #require(LocalDay(turn.day)).advanced(by: turn.zone == "Pacific/Apia" ? -2 : -1)
      // On a busy machine an agent may need longer than 6 s to start, and then gets more time before midnight.
      for lead in [6, 20, 60, 200] {
        // The first agent's zone is an option, the others' zones are settings.
        let isOption = agents.isEmpty
        let cache = try TimeFaultTests.cache(in: isOption ? nil : turn.zone)
        let start = (try #require(Instant(turn.first)) + .seconds(-lead)).description
        let fake = "@" + start.dropLast().replacing("T", with: " ")
        // Or a little later: the agent's clock starts with the agent.
        let midnight = ContinuousClock.now + .seconds(lead)
        last = max(last, midnight)
        let environment = try TimeFaultTests.faketime(["FAKETIME": fake])
        let agent =
          isOption
          ? try cache.agent("--time-zone", turn.zone, environment: environment)
          : try cache.agent(environment: environment)
        let sinceStart = Stopwatch(of: agent.pid)
        let generation = try #require(try cache.published("manifest")["generation"]?.int)
        let reader = DayReader(cache.path)
        let isInTime = holds { !reader.days.isEmpty } && reader.days == [eve.description]
        if isInTime {
          // Waits before midnight excuse nothing, unless midnight may have come before this moment.
          let sinceNow = Stopwatch(of: agent.pid)
          let stopwatch = ContinuousClock.now < midnight ? sinceNow : sinceStart
          agents.append(
            Agent(
              agent: agent, cache: cache, generation: generation, turn: turn, reader: reader,
              stopwatch: stopwatch))
          break
        }
      }
      try #require(agents.last?.turn.first == turn.first, "\(turn): an agent takes longer than 200 s to start")
    }
    // Nothing happens before the last agent's midnight. Other tests can use the thread meanwhile.
    try await Task.sleep(until: last)
    for agent in agents {
      let turn = agent.turn
      #expect(try holds { try agent.cache.today() == turn.day }, "\(turn): readers saw \(agent.reader.days)")
      let generation = try agent.cache.caughtUp()
      let index = try agent.cache.published("day-index")
      #expect(index["today"]?["date"]?.string == turn.day && index["today"]?["start"]?.string == turn.first, "\(turn)")
      let late = try #require(index["publishedAt"]?.instant) - #require(Instant(turn.first))
      let wait = agent.stopwatch.wait
      #expect(
        TimeFaultTests.isPrompt(late, after: wait),
        "\(turn): publishedAt is \(late) after midnight, \(wait) without a processor")
      let entry = try agent.cache.published("meal-plan")["entries"]?[0]
      #expect(
        entry?["content"]?["date"]?.string == turn.day && entry?["date"]?.string == turn.first,
        "\(turn): \(String(describing: entry))")
      #expect(generation == agent.generation + 1, "\(turn): once")
    }
    // All midnights are over by now. Where it occurs a second time, that is an hour away.
    for agent in agents {
      #expect(holds { agent.reader.days.count == 2 }, "\(agent.turn): \(agent.reader.days)")
      agent.reader.end()
      let days = agent.reader.days
      #expect(days.last == agent.turn.day && days.count == 2, "\(agent.turn): \(days)")
      agent.agent.send(SIGTERM)
    }
  }

  /// Reads the day that a cache shows again and again, on a separate thread, and records each change.
  private final class DayReader: Sendable {
    private final class State: Sendable {
      let seen = Mutex((days: [String](), isEnding: false))
    }

    private let state = State()

    init(_ cache: String) {
      let (state, reader) = (state, SnapshotReader(cache: FilePath(cache)))
      Thread.detachNewThread {
        // Only another file can show another day, because the agent replaces the old file. Checking which file it is
        // costs much less than reading it.
        var file: [Int]?
        while !state.seen.withLock({ $0.isEnding }) {
          defer { usleep(10_000) }
          var about = stat()
          let isThere = stat(cache + "/snapshots/meal-plan.json", &about) == 0
          let found = isThere ? [Int(about.st_ino), about.st_ctim.tv_sec, about.st_ctim.tv_nsec] : nil
          if found != nil, found == file { continue }
          file = found
          let day = (try? reader.snapshot("meal-plan"))?.entries[0].content["date"]?.string ?? "none"
          state.seen.withLock { if $0.days.last != day { $0.days.append(day) } }
        }
      }
    }

    deinit { end() }

    var days: [String] { state.seen.withLock { $0.days } }

    func end() { state.seen.withLock { $0.isEnding = true } }
  }
}

import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Foundation
import Synchronization
import Testing
import TestSupport

@Suite("A new day")
struct NewDayTests {
  /// The day before, and the moment at which the new day begins.
  struct Turn: Sendable, CustomTestStringConvertible {
    var zone: String
    var eve: String
    var day: String
    var firstInstant: String
    /// How long the new day lasts.
    var hours: Double

    init(_ zone: String, _ eve: String, _ day: String, _ firstInstant: String, _ hours: Double = 24) {
      (self.zone, self.eve, self.day, self.firstInstant, self.hours) = (zone, eve, day, firstInstant, hours)
    }

    var testDescription: String { "\(zone), \(day)" }
  }

  /// Worked out from each zone's offset on the day before. Python's zoneinfo gives the same moments.
  static let turns = [
    Turn("UTC", "2026-11-21", "2026-11-22", "2026-11-22T00:00:00Z"),
    Turn("Asia/Kolkata", "2026-11-21", "2026-11-22", "2026-11-21T18:30:00Z"),  // +5:30
    Turn("America/New_York", "2026-03-07", "2026-03-08", "2026-03-08T05:00:00Z", 23),  // 02:00 becomes 03:00
    Turn("America/New_York", "2026-03-08", "2026-03-09", "2026-03-09T04:00:00Z"),
    Turn("America/New_York", "2026-10-31", "2026-11-01", "2026-11-01T04:00:00Z", 25),  // 02:00 becomes 01:00
    Turn("America/New_York", "2026-11-01", "2026-11-02", "2026-11-02T05:00:00Z"),
    Turn("America/Santiago", "2026-09-05", "2026-09-06", "2026-09-06T04:00:00Z", 23),  // begins at 01:00
    Turn("America/Santiago", "2026-09-06", "2026-09-07", "2026-09-07T03:00:00Z"),
    Turn("Africa/Cairo", "2026-04-23", "2026-04-24", "2026-04-23T22:00:00Z", 23),  // begins at 01:00
    Turn("Africa/Cairo", "2026-04-24", "2026-04-25", "2026-04-24T21:00:00Z"),
    Turn("Asia/Beirut", "2026-03-28", "2026-03-29", "2026-03-28T22:00:00Z", 23),  // begins at 01:00
    Turn("Asia/Beirut", "2026-03-29", "2026-03-30", "2026-03-29T21:00:00Z"),
    Turn("Atlantic/Azores", "2026-03-28", "2026-03-29", "2026-03-29T01:00:00Z", 23),  // begins at 01:00
    Turn("Atlantic/Azores", "2026-03-29", "2026-03-30", "2026-03-30T00:00:00Z"),
    // 01:00 becomes 00:00: midnight occurs twice, and the first one counts.
    Turn("Atlantic/Azores", "2026-10-24", "2026-10-25", "2026-10-25T00:00:00Z", 25),
    Turn("Atlantic/Azores", "2026-10-25", "2026-10-26", "2026-10-26T01:00:00Z"),
    Turn("America/Havana", "2026-03-07", "2026-03-08", "2026-03-08T05:00:00Z", 23),  // begins at 01:00
    Turn("America/Havana", "2026-03-08", "2026-03-09", "2026-03-09T04:00:00Z"),
    Turn("America/Havana", "2026-10-31", "2026-11-01", "2026-11-01T04:00:00Z", 25),  // midnight occurs twice
    Turn("America/Havana", "2026-11-01", "2026-11-02", "2026-11-02T05:00:00Z"),
    Turn("Pacific/Apia", "2011-12-29", "2011-12-31", "2011-12-30T10:00:00Z"),  // the 30th was skipped
    Turn("Australia/Lord_Howe", "2026-04-04", "2026-04-05", "2026-04-04T13:00:00Z", 24.5),  // +11 becomes +10:30
    Turn("Australia/Lord_Howe", "2026-04-05", "2026-04-06", "2026-04-05T13:30:00Z"),
    Turn("Australia/Lord_Howe", "2026-10-03", "2026-10-04", "2026-10-03T13:30:00Z", 23.5),
  ]

  /// What readers see of a cache.
  private struct Shown: Equatable {
    var today: String?
    var todayStart: String?
    var hours: Double?
    var planDay: String?
    var planDate: String
    var generation: Int

    init(_ cache: TemporaryCache) throws {
      let set = try SnapshotReader(cache: cache.path).consistent()
      let today = set.dayIndex["today"]
      self.today = today?["date"]?.string
      todayStart = today?["start"]?.string
      hours = today?["hours"]?.double
      let plan = try #require(set.snapshots["meal-plan"])
      planDay = plan.entries[0].content["date"]?.string
      planDate = plan.entries[0].date.description
      generation = set.generation
    }

    func expectNewDay(_ turn: Turn, generation: Int, _ sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(today == turn.day && planDay == turn.day, sourceLocation: sourceLocation)
      #expect(todayStart == turn.firstInstant && planDate == turn.firstInstant, sourceLocation: sourceLocation)
      #expect(hours == turn.hours, sourceLocation: sourceLocation)
      #expect(self.generation == generation, sourceLocation: sourceLocation)
    }
  }

  private func cache(in zone: String) throws -> TemporaryCache {
    let cache = try TemporaryCache()
    try cache.write("cachesync.json", #"{"timeZone":"\#(zone)"}"#)
    try cache.write("meal-plan/a.json", MealPlanFixture.session())
    try cache.write("tasks/a.json", #"{"lastUpdate":"2011-01-01T00:00:00Z","tasks":[]}"#)
    try cache.write("events/a.json", #"{"lastUpdate":"2011-01-01T00:00:00Z","events":[]}"#)
    return cache
  }

  @Test("sync publishes a new day from its first instant on, and not a microsecond earlier", arguments: turns)
  func synced(turn: Turn) throws {
    let cache = try cache(in: turn.zone)
    let first = try #require(Instant(turn.firstInstant))
    try cache.sync(clock: FixedClock(instant: first + .seconds(-2)))
    let before = try Shown(cache)
    #expect(before.today == turn.eve && before.planDay == turn.eve)
    try cache.sync(clock: FixedClock(instant: first + .microseconds(-1)))
    #expect(try Shown(cache) == before, "nothing changes until then, not even the generation")
    try cache.sync(clock: FixedClock(instant: first))
    let after = try Shown(cache)
    after.expectNewDay(turn, generation: before.generation + 1)
    // Where the clocks go back across midnight, the new day does not end again.
    for later in [Duration.microseconds(1), .seconds(1), .seconds(30 * 60), .seconds(90 * 60)] {
      try cache.sync(clock: FixedClock(instant: first + later))
      #expect(try Shown(cache).today == turn.day && Shown(cache).planDay == turn.day)
    }
  }

  /// A clock that a test sets.
  private final class SetClock: WallClock {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    func now() -> Instant { instant.withLock { $0 } }

    func set(_ new: Instant) { instant.withLock { $0 = new } }
  }

  /// What an agent uses to publish a cache.
  @LoopActor
  private func publisher(for cache: TemporaryCache, _ clock: any WallClock) throws -> (Publisher, StateDirectory) {
    var environment = cache.environment
    environment.clock = clock
    let root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
    let contents = CacheContents(root: root, environment: environment)
    contents.loadSettings(isPatient: false)
    contents.readEverything(isPatient: false)
    contents.closeLastGoodOnceJudged()
    let publisher = Publisher(contents: contents, store: SnapshotStore(root: root), logger: quietLogger)
    return (publisher, try StateDirectory(root: root))
  }

  @Test(
    "The agent's next boundary is the first instant of the new day, with one publication for all kinds",
    arguments: turns)
  @LoopActor func published(turn: Turn) throws {
    let cache = try cache(in: turn.zone)
    let first = try #require(Instant(turn.firstInstant))
    let clock = SetClock(first + .seconds(-2))
    let (publisher, state) = try publisher(for: cache, clock)

    #expect(publisher.publish(state: state) != nil)
    #expect(publisher.nextBoundary == first)
    let before = try Shown(cache)
    #expect(before.today == turn.eve)
    clock.set(first + .microseconds(-1))
    #expect(publisher.publish(state: state) == nil, "woken too early it writes nothing")
    #expect(publisher.nextBoundary == first)
    clock.set(first)
    #expect(publisher.publish(state: state) != nil)
    try Shown(cache).expectNewDay(turn, generation: before.generation + 1)
    let set = try SnapshotReader(cache: cache.path).consistent()
    for snapshot in set.snapshots.values where snapshot.reloadAfter != nil {
      #expect(snapshot.entries[0].date == first, "\(snapshot.kind)")
      #expect(snapshot.generation == set.generation, "\(snapshot.kind)")
    }
    #expect(set.snapshots.values.filter { $0.reloadAfter != nil }.count >= 4)
    #expect(publisher.publish(state: state) == nil, "once is enough")
    #expect(try #require(publisher.nextBoundary) > first)
  }

  @Test("When the clock is set forward or back, each step across midnight makes one publication")
  @LoopActor func stepped() throws {
    let turn = Self.turns[2]
    let cache = try cache(in: turn.zone)
    let first = try #require(Instant(turn.firstInstant))
    let clock = SetClock(first)
    let (publisher, state) = try publisher(for: cache, clock)
    #expect(publisher.publish(state: state) != nil)
    for (step, day) in [
      (Duration.seconds(-7_200), turn.eve), (.zero, turn.day), (.seconds(-2 * 86_400), "2026-03-06"),
      (.seconds(2 * 86_400), "2026-03-10"),
    ] {
      clock.set(first + step)
      publisher.mustCompare = true
      let before = try Shown(cache).generation
      #expect(publisher.publish(state: state) != nil)
      #expect(try Shown(cache).today == day && Shown(cache).planDay == day)
      #expect(try Shown(cache).generation == before + 1)
      #expect(publisher.publish(state: state) == nil)
    }
  }
}

import CacheSync
import CacheSyncAgent
import CacheSyncSystem
import Glibc
import Testing

/// With the real kernel: the test sets the clock to what it shows, and the kernel reports a step. The step wakes every
/// agent on the machine, so `make test-faults` runs this, and nothing beside it.
@Suite(
  "The alarm on the wall clock", .serialized, .enabled(if: setClockToItself(), "needs to be allowed to set the clock"))
struct WallAlarmFaultTests {
  /// What a timer told, in order.
  @LoopActor
  private final class Told {
    private(set) var steps: [Bool] = []
    private var timer: WallAlarm?

    init() { timer = WallAlarm { [weak self] in self?.steps.append($0) } }

    func arm(at instant: Instant) { timer?.arm(at: instant) }

    /// Sets the clock and arms anew before the event loop has had a turn; whether the clock could be set.
    func setClockAndArm(at instant: Instant) -> Bool {
      defer { timer?.arm(at: instant) }
      return setClockToItself()
    }
  }

  /// Looks until the timer has told what is expected, for a minute at most: every other deadline of these tests is an hour
  /// away. Another process may set the clock meanwhile, so no test counts steps exactly.
  private static func isTold(_ told: Told, _ isExpected: ([Bool]) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if isExpected(await told.steps) { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return isExpected(await told.steps)
  }

  @Test("tells of every step, also before its first deadline is known, and does not repeat it")
  func step() async throws {
    let told = await Told()
    try #require(setClockToItself(), "not permitted here")
    #expect(try await Self.isTold(told) { $0.first == true })
    await told.arm(at: .now + .seconds(3600))
    let count = await told.steps.count
    try #require(setClockToItself())
    #expect(try await Self.isTold(told) { $0.count > count && !$0.contains(false) })
    try await Task.sleep(for: .milliseconds(50))
    #expect(await told.steps.count < count + 10)
  }

  @Test("tells of a step also when it is armed for another deadline before the event loop has read the step")
  func stepWhileBusy() async throws {
    let told = await Told()
    await told.arm(at: .now + .seconds(3600))
    try #require(await told.setClockAndArm(at: .now + .seconds(7200)), "not permitted here")
    #expect(try await Self.isTold(told) { $0.first == true })
    // The test arms the timer again: it is due at its deadline, and that is no step.
    await told.arm(at: .now + .seconds(3600))
    await told.arm(at: .now + .milliseconds(20))
    #expect(try await Self.isTold(told) { $0.last == false })
  }

  @Test("without an event loop, ends a wait at its moment and at a step, until it is armed again")
  func ofAProgramThatWaitsItself() throws {
    guard let timer = WallTimer() else {
      Issue.record("no timer")
      return
    }
    var descriptor = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
    timer.arm(at: nil)
    #expect(poll(&descriptor, 1, 50) == 0)
    try #require(setClockToItself(), "not permitted here")
    #expect(poll(&descriptor, 1, 60_000) == 1)
    timer.arm(at: .now + .seconds(3600))
    #expect(poll(&descriptor, 1, 50) == 0)
    for moment in [Instant.now + .milliseconds(20), .now, Instant(microseconds: 0), Instant(microseconds: -5)] {
      timer.arm(at: moment)
      #expect(poll(&descriptor, 1, 60_000) == 1 && Instant.now >= moment)
    }
  }
}

/// Sets the clock to the time that it shows; false when that is not permitted.
private func setClockToItself() -> Bool {
  var time = timespec()
  return clock_gettime(CLOCK_REALTIME, &time) == 0 && clock_settime(CLOCK_REALTIME, &time) == 0
}

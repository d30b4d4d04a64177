import CacheSync
import CacheSyncAgent
import CacheSyncSystem
import Glibc
import Testing

/// Uses the real kernel: the test sets the clock to the time that it shows, and the kernel reports a step. The step
/// wakes every agent on the machine, so `make test-faults` runs this suite alone.
@Suite(
  "The alarm on the wall clock", .serialized, .enabled(if: setClockToItself(), "needs to be allowed to set the clock"))
struct WallAlarmFaultTests {
  /// Records what a timer reports, in order.
  @LoopActor
  private final class Recorder {
    private(set) var steps: [Bool] = []
    private var timer: WallAlarm?

    init() { timer = WallAlarm { [weak self] in self?.steps.append($0) } }

    func arm(at instant: Instant) { timer?.arm(at: instant) }

    /// Sets the clock and arms the timer again before the event loop runs. Returns whether the clock could be set.
    func setClockAndArm(at instant: Instant) -> Bool {
      defer { timer?.arm(at: instant) }
      return setClockToItself()
    }
  }

  /// Waits up to a minute until the timer has reported what is expected. Every other deadline of these tests is an hour
  /// away. Another process may set the clock meanwhile, so no test counts steps exactly.
  private static func reports(_ recorder: Recorder, _ isExpected: ([Bool]) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if isExpected(await recorder.steps) { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return isExpected(await recorder.steps)
  }

  @Test("Every step of the clock is reported once, even before the alarm has a deadline")
  func step() async throws {
    let recorder = await Recorder()
    try #require(setClockToItself(), "not permitted here")
    #expect(try await Self.reports(recorder) { $0.first == true })
    await recorder.arm(at: .now + .seconds(3600))
    let count = await recorder.steps.count
    try #require(setClockToItself())
    #expect(try await Self.reports(recorder) { $0.count > count && !$0.contains(false) })
    try await Task.sleep(for: .milliseconds(50))
    #expect(await recorder.steps.count < count + 10)
  }

  @Test("A step is reported even if the alarm is armed again before the event loop has read the step")
  func stepWhileBusy() async throws {
    let recorder = await Recorder()
    await recorder.arm(at: .now + .seconds(3600))
    try #require(await recorder.setClockAndArm(at: .now + .seconds(7200)), "not permitted here")
    #expect(try await Self.reports(recorder) { $0.first == true })
    // The test arms the timer again. At its deadline, the timer reports that it is due and not a step.
    await recorder.arm(at: .now + .seconds(3600))
    await recorder.arm(at: .now + .milliseconds(20))
    #expect(try await Self.reports(recorder) { $0.last == false })
  }

  @Test("Without an event loop, a wait ends at its deadline and at a step")
  func withoutEventLoop() throws {
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

/// Sets the clock to the time that it shows. Returns false if that is not permitted.
private func setClockToItself() -> Bool {
  var time = timespec()
  return clock_gettime(CLOCK_REALTIME, &time) == 0 && clock_settime(CLOCK_REALTIME, &time) == 0
}

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

  /// Returns what the timer has reported once this is as expected, or after a minute. Every other deadline of these
  /// tests is an hour away. Another process may set the clock meanwhile, so no test counts steps exactly.
  private static func reports(_ recorder: Recorder, until isExpected: ([Bool]) -> Bool) async throws -> [Bool] {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let steps = await recorder.steps
      if isExpected(steps) || ContinuousClock.now > deadline { return steps }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test("Every step of the clock is reported once, even before the alarm has a deadline")
  func step() async throws {
    let recorder = await Recorder()
    try #require(setClockToItself(), "not permitted here")
    #expect(try await Self.reports(recorder) { !$0.isEmpty }.first == true)
    await recorder.arm(at: .now + .seconds(3600))
    let count = await recorder.steps.count
    try #require(setClockToItself())
    let steps = try await Self.reports(recorder) { $0.count > count }
    #expect(steps.count > count && !steps.contains(false), "\(count) before")
    // Until another alarm is due, this one would report the step a thousand times more if it had not read it.
    let other = await Recorder()
    await other.arm(at: .now + .milliseconds(20))
    #expect(try await Self.reports(other) { $0.contains(false) }.contains(false))
    #expect(await recorder.steps.count < count + 10)
  }

  @Test("A step is reported even if the alarm is armed again before the event loop has read the step")
  func stepWhileBusy() async throws {
    let recorder = await Recorder()
    await recorder.arm(at: .now + .seconds(3600))
    try #require(await recorder.setClockAndArm(at: .now + .seconds(7200)), "not permitted here")
    #expect(try await Self.reports(recorder) { !$0.isEmpty }.first == true)
    // The test arms the timer again. At its deadline, the timer reports that it is due and not a step.
    await recorder.arm(at: .now + .seconds(3600))
    await recorder.arm(at: .now + .milliseconds(20))
    #expect(try await Self.reports(recorder) { $0.last == false }.last == false)
  }

  @Test("Without an event loop, a wait ends at its deadline and at a step")
  func withoutEventLoop() throws {
    guard let timer = WallTimer(), let other = WallTimer() else {
      Issue.record("no timer")
      return
    }
    var descriptor = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
    timer.arm(at: nil)
    other.arm(at: .now + .milliseconds(20))
    #expect(Self.firstReadable(timer.descriptor, other.descriptor) == other.descriptor, "the other one is due first")
    try #require(setClockToItself(), "not permitted here")
    #expect(poll(&descriptor, 1, 60_000) == 1)
    timer.arm(at: .now + .seconds(3600))
    other.arm(at: .now + .milliseconds(20))
    #expect(Self.firstReadable(timer.descriptor, other.descriptor) == other.descriptor, "the other one is due first")
    for moment in [Instant.now + .milliseconds(20), .now, Instant(microseconds: 0), Instant(microseconds: -5)] {
      timer.arm(at: moment)
      let count = poll(&descriptor, 1, 60_000)
      let late = Instant.now - moment
      #expect(count == 1 && late >= .zero, "\(late) after \(moment)")
    }
  }

  /// Waits up to a minute until one of the descriptors is readable, and returns the first of them that is.
  private static func firstReadable(_ descriptors: Int32...) -> Int32? {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&polled, nfds_t(polled.count), 60_000)
    return polled.first { $0.revents != 0 }?.fd
  }
}

/// Sets the clock to the time that it shows. Returns false if that is not permitted.
private func setClockToItself() -> Bool {
  var time = timespec()
  return clock_gettime(CLOCK_REALTIME, &time) == 0 && clock_settime(CLOCK_REALTIME, &time) == 0
}

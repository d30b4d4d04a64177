import CacheSync
@testable import CacheSyncAgent
import CacheSyncSystem
import Testing

@Suite("Reading everything again after dropped events")
struct RescanBackoffTests {
  private func uptime(_ milliseconds: Int64) -> Uptime { Uptime(nanoseconds: milliseconds * 1_000_000) }

  @Test("The first rescan is due as soon as events are dropped, and not before")
  func first() {
    var backoff = RescanBackoff()
    #expect(!backoff.isWaiting && !backoff.isDue(uptime(1_000_000)))
    backoff.overflowed(at: uptime(1000))
    #expect(backoff.isWaiting && backoff.isDue(uptime(1000)))
    backoff.swept(at: uptime(1010))
    #expect(!backoff.isWaiting && !backoff.isDue(uptime(1_000_000)))
  }

  /// If events are dropped right after each rescan, the next one follows after 500 ms, doubling to 4 s. So changes
  /// whose events were dropped still show within 10 s (FAULTS 9).
  @Test("While events keep being dropped, rescans become rarer, down to one every 4 s")
  func storm() {
    var backoff = RescanBackoff()
    var now: Int64 = 0
    var pauses: [Int64] = []
    backoff.overflowed(at: uptime(now))
    backoff.swept(at: uptime(now))
    for _ in 0..<7 {
      backoff.overflowed(at: uptime(now + 1))
      guard let due = backoff.due else {
        Issue.record("dropped events are owed a rescan")
        return
      }
      let next = due.nanoseconds / 1_000_000
      #expect(!backoff.isDue(uptime(next - 1)) && backoff.isDue(uptime(next)))
      pauses.append(next - now)
      now = next
      backoff.swept(at: uptime(now))
    }
    #expect(pauses == [500, 1000, 2000, 4000, 4000, 4000, 4000])
  }

  @Test("More dropped events before the deadline do not move it")
  func again() {
    var backoff = RescanBackoff()
    backoff.overflowed(at: uptime(0))
    backoff.swept(at: uptime(0))
    backoff.overflowed(at: uptime(100))
    let due = backoff.due
    backoff.overflowed(at: uptime(300))
    #expect(backoff.due == due && due == uptime(500))
  }

  @Test("After a calm longer than the pause, the next rescan is immediate again")
  func calm() {
    var backoff = RescanBackoff()
    for moment in [0, 500, 1500] as [Int64] {
      backoff.overflowed(at: uptime(moment))
      backoff.swept(at: uptime(moment))
    }
    backoff.overflowed(at: uptime(100_000))
    #expect(backoff.due == uptime(100_000))
    backoff.swept(at: uptime(100_000))
    backoff.overflowed(at: uptime(100_001))
    #expect(backoff.due == uptime(100_500), "the pause begins anew")
  }
}

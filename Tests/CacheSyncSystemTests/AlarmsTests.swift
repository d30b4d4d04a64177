import CacheSyncSystem
import Synchronization
import TestSupport
import Testing

@Suite("Alarms")
@LoopActor
struct AlarmsTests {
  private let alarms = Alarms()

  @Test("An alarm rings once when it is due, and a cancelled alarm never")
  func ring() throws {
    let rung = Journal()
    let before = Uptime.now()
    alarms.set(after: .seconds(100)) { rung.add("a") }
    #expect(try #require(alarms.next) >= before.advanced(by: .seconds(100)))
    alarms.set(after: .seconds(10)) { rung.add("b") }
    let cancelled = alarms.set(after: .seconds(5)) { rung.add("c") }
    alarms.cancel(cancelled)
    let due = try #require(alarms.next)
    #expect(due >= before.advanced(by: .seconds(10)) && due < before.advanced(by: .seconds(100)))
    alarms.ring(at: Uptime(nanoseconds: due.nanoseconds - 1))
    #expect(rung.lines == [])
    alarms.ring(at: due)
    alarms.ring(at: due)
    #expect(rung.lines == ["b"])
    alarms.ring(at: due.advanced(by: .seconds(1000)))
    #expect(rung.lines == ["b", "a"] && alarms.next == nil)
  }

  @Test("An alarm that rings may set and cancel other alarms")
  func whileRinging() {
    let rung = Journal()
    let ids = Mutex<[Int]>([])
    // The first of the two cancels the other.
    for number in 0..<2 {
      let id = alarms.set(after: .zero) { [alarms] in
        rung.add("\(number)")
        alarms.cancel(ids.withLock { $0[1 - number] })
        alarms.set(after: .seconds(1000)) { rung.add("later") }
      }
      ids.withLock { $0.append(id) }
    }
    alarms.ring(at: Uptime.now())
    #expect(rung.lines.count == 1, "\(rung.lines)")
    alarms.ring(at: Uptime.now().advanced(by: .seconds(2000)))
    #expect(rung.lines.count == 2 && rung.lines.last == "later" && alarms.next == nil)
  }

  @Test("Alarms ring on the event loop, the earliest first, in whatever order they were set")
  func onTheLoop() async {
    let rung = Journal()
    await withCheckedContinuation { continuation in
      alarms.set(after: .milliseconds(20)) {
        rung.add("later"); continuation.resume()
      }
      alarms.set(after: .milliseconds(1)) { rung.add("sooner") }
      alarms.cancel(alarms.set(after: .zero) { rung.add("never") })
    }
    #expect(rung.lines == ["sooner", "later"])
  }
}

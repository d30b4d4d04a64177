import CacheSyncSystem
import Dispatch
import TestSupport
import Testing

@Suite("The background queue")
struct BackgroundQueueTests {
  @Test("runs one job after the other, in order, also after it was idle")
  func order() {
    let queue = BackgroundQueue()
    let done = Journal()
    for round in 0..<3 {
      let end = DispatchSemaphore(value: 0)
      for number in 0..<50 { queue.async { done.add("\(round * 50 + number)") } }
      queue.async { end.signal() }
      end.wait()
    }
    #expect(done.lines == (0..<150).map(String.init))
  }

  @Test("runs a job that is added during another one after that one")
  func nested() {
    let queue = BackgroundQueue()
    let done = Journal()
    let end = DispatchSemaphore(value: 0)
    queue.async {
      queue.async {
        done.add("inner")
        end.signal()
      }
      done.add("outer")
    }
    end.wait()
    #expect(done.lines == ["outer", "inner"])
  }
}

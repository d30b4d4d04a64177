import CacheSyncSystem
import Dispatch
import TestSupport
import Testing

@Suite("The background queue")
struct BackgroundQueueTests {
  @Test("Jobs run one after another, in order, also after the queue was idle")
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

  @Test("A job that is added during another runs after it")
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

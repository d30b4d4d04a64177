import Dispatch
package import SystemPackage
import Synchronization

/// Runs closures one after another, on a thread that exists only while there are any.
package final class BackgroundQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  package init() {}

  package func async(_ work: @escaping @Sendable () -> Void) {
    let mustStart = state.withLock { state in
      state.waiting.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart, !SystemThread.start({ self.run() }) { run() }
  }

  private func run() {
    while let work = state.withLock({ state -> (@Sendable () -> Void)? in
      state.isRunning = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }) {
      work()
    }
  }
}

/// Work on a ``BackgroundQueue`` that waits for the disk.
package final class DiskTask: Sendable {
  private let isDone = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Result<Void, Errno>?>(nil)

  package init(on queue: BackgroundQueue, _ work: @escaping @Sendable () throws(Errno) -> Void) {
    queue.async {
      let outcome = Result { () throws(Errno) in try work() }
      self.outcome.withLock { $0 = outcome }
      self.isDone.signal()
    }
  }

  package var isOver: Bool { outcome.withLock { $0 != nil } }

  /// Waits for the end of the work, and throws its error if it failed.
  package func wait() throws(Errno) {
    isDone.wait()
    isDone.signal()
    try outcome.withLock(\.self)?.get()
  }
}

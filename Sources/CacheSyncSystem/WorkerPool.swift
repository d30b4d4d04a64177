import CLinux
import Dispatch
import Synchronization

/// A few threads that help another thread with its work.
///
/// They read files on every core. They also flush files at the same time, so that the flushes share one commit of the
/// file system's journal (measured on ext4 for three files: 1.8 ms instead of 4.5 ms one after another).
///
/// The threads start with the first work, sleep between, and end with the pool. Each disk has a separate pool, so that
/// a hanging disk delays no other. Dispatch's pool is not used: on Linux it wakes every second after its first use.
package final class WorkerPool: Sendable {
  private let queue: WorkQueue
  /// The thread for flushes that no publication waits for.
  package let background = BackgroundQueue()

  /// The most threads of a pool. A publication at midnight has about twenty files. More threads would gain little:
  /// simultaneous flushes share a commit of the journal.
  package static let maximumThreads = 3

  private let maximumThreads: Int

  package init(maximumThreads: Int = WorkerPool.maximumThreads) {
    self.maximumThreads = maximumThreads
    queue = WorkQueue(maximumThreads: maximumThreads)
  }

  deinit { queue.end() }

  /// Starts work on the threads. The caller continues with other work, and then joins them in ``SharedWork/results()``.
  ///
  /// - Parameter isComputing: whether the parts keep a processor busy, so that more threads than processors are
  ///   useless.
  package func begin<Outcome>(
    _ count: Int, isComputing: Bool = false, part: @escaping @Sendable (Int) -> Outcome
  ) -> SharedWork<Outcome> {
    let work = SharedWork(count, part: part)
    let useful = isComputing ? Int(clinux_cpu_count()) - 1 : count - 1
    queue.add(work.help, times: min(useful, count, maximumThreads))
    return work
  }
}

/// Work in numbered parts, which several threads share: each takes the next part that has not been started.
package final class SharedWork<Outcome: Sendable>: Sendable {
  private let count: Int
  private let state: Mutex<State>
  private let isDone = DispatchSemaphore(value: 0)

  private struct State {
    /// Nil after the last part: a late thread may keep the work alive for a while, but not the captures of `part`.
    var part: (@Sendable (Int) -> Outcome)?
    var next = 0
    var outcomes: [Outcome?]
    var remaining: Int
  }

  fileprivate init(_ count: Int, part: @escaping @Sendable (Int) -> Outcome) {
    self.count = count
    state = Mutex(State(part: part, outcomes: Array(repeating: nil, count: count), remaining: count))
    if count == 0 { isDone.signal() }
  }

  /// Runs parts that no thread has started, until there are none.
  @Sendable fileprivate func help() {
    while let index = state.withLock({ state -> Int? in
      guard state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }) {
      let outcome = outcome(at: index)
      let isLast = state.withLock { state in
        state.outcomes[index] = outcome
        state.remaining -= 1
        return state.remaining == 0
      }
      if isLast { isDone.signal() }
    }
  }

  /// A separate function, so that a thread has released `part` before it reports that the work is done.
  private func outcome(at index: Int) -> Outcome? { state.withLock(\.part)?(index) }

  /// Runs the parts that no thread has started, and waits for the others.
  ///
  /// - Returns: the outcome of each part, in order.
  package func results() -> [Outcome] {
    help()
    isDone.wait()
    return state.withLock { state in
      state.part = nil
      return state.outcomes.compactMap(\.self)
    }
  }
}

/// The queue from which the pool's threads take work. It outlives the pool until they have ended.
private final class WorkQueue: Sendable {
  private let maximumThreads: Int
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threadCount = 0
    var hasEnded = false
  }

  init(maximumThreads: Int) { self.maximumThreads = maximumThreads }

  func add(_ work: @escaping @Sendable () -> Void, times count: Int) {
    for _ in 0..<max(0, count) {
      let needsThread = state.withLock { state in
        guard state.threadCount < maximumThreads, state.threadCount < count else { return false }
        state.threadCount += 1
        return true
      }
      if needsThread, !SystemThread.start({ self.run() }) { state.withLock { $0.threadCount -= 1 } }
      // Without a thread, the caller runs all parts itself.
      guard
        state.withLock({ state in
          if state.threadCount > 0 { state.waiting.append(work) }
          return state.threadCount > 0
        })
      else { return }
      news.signal()
    }
  }

  func end() {
    let count = state.withLock { state in
      state.hasEnded = true
      return state.threadCount
    }
    for _ in 0..<count { news.signal() }
  }

  private func run() {
    while true {
      news.wait()
      let (work, hasEnded) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.hasEnded)
      }
      if let work { work() } else if hasEnded { return }
    }
  }
}

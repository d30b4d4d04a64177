import Synchronization

/// Reads many session files on every core, while one thread takes them in, in their order.
///
/// Whoever takes a file that nobody has begun with reads it, and while another thread is reading it goes on with the next: no
/// thread waits while there is work, and the work is shared whatever the parts of it cost.
package final class ReadAhead: Sendable {
  package struct Job: Sendable {
    package var path: CachePath
    package var feed: any Feed.Type
    package var lastGood: LastGoodLog.LastGood?
  }

  private let loader: SessionLoader
  private let jobs: [Job?]
  private let state = Mutex(State())
  private let arrival = Semaphore()

  private struct State {
    /// The first that nobody has begun with.
    var next = 0
    /// The first that is still wanted.
    var wanted = 0
    var seen: [Int: SeenFile] = [:]
    var helperCount = 0
    /// Which one the taking thread waits for.
    var awaited: Int?
  }

  /// Fewer files are read before a thread has begun to help.
  private static let minimumCount = 32
  /// How many files others read ahead of who takes: usually they are one or two ahead, and this bounds what is kept if who
  /// takes is held up.
  private static let window = 256

  /// - Parameter job: what to read at an index; nil: nothing.
  /// - Returns: nil when reading ahead is not worth it.
  package init?(with loader: SessionLoader, count: Int, job: (Int) -> Job?) {
    guard count >= Self.minimumCount else { return nil }
    jobs = (0..<count).map(job)
    guard jobs.count(where: { $0 != nil }) >= Self.minimumCount else { return nil }
    self.loader = loader
  }

  /// What a file is; nil where nothing was to be read. Indices ascend from call to call.
  package func take(_ index: Int) -> SeenFile? {
    callHelpers(at: index)
    guard let job = jobs[index] else { return nil }
    while true {
      let step = state.withLock { state -> Step in
        state.wanted = index
        if let seen = state.seen.removeValue(forKey: index) { return .done(seen) }
        if state.next <= index {
          state.next = index + 1
          return .read(job)
        }
        if let other = claim(&state) { return .help(other) }
        state.awaited = index
        return .wait
      }
      switch step {
      case .done(let seen): return seen
      case .read(let job): return read(job)
      case .help(let other): read(at: other)
      case .wait: arrival.wait()
      }
    }
  }

  private enum Step {
    case done(SeenFile)
    case read(Job)
    case help(Int)
    case wait
  }

  /// The next file to be read ahead; nil when there is none, or it is far ahead.
  private func claim(_ state: inout State) -> Int? {
    let end = min(jobs.count, state.wanted + Self.window)
    while state.next < end {
      defer { state.next += 1 }
      if jobs[state.next] != nil { return state.next }
    }
    return nil
  }

  private func read(_ job: Job) -> SeenFile { loader.look(at: job.path, for: job.feed, lastGood: job.lastGood) }

  private func read(at index: Int) {
    guard let job = jobs[index] else { return }
    let seen = read(job)
    let isAwaited = state.withLock { state in
      if index >= state.wanted { state.seen[index] = seen }
      guard state.awaited == index else { return false }
      state.awaited = nil
      return true
    }
    if isAwaited { arrival.post() }
  }

  /// Helpers leave when they are far ahead, so they are called when much of that is used up.
  private func callHelpers(at index: Int) {
    let missing = state.withLock { state in
      guard state.next < jobs.count, state.next - index <= Self.window / 2 else { return 0 }
      defer { state.helperCount = DiskWorkers.computingCount }
      return DiskWorkers.computingCount - state.helperCount
    }
    for _ in 0..<missing { DiskWorkers.shared.begin { self.help() } }
  }

  private func help() {
    while let index = state.withLock({ state -> Int? in
      if let index = claim(&state) { return index }
      state.helperCount -= 1
      return nil
    }) {
      read(at: index)
    }
  }
}

import Glibc
import Synchronization
package import SystemPackage

/// A few threads for calls that wait for the disk: flushes that are to share one commit of the file system's journal, and what
/// nobody waits for.
///
/// They sleep until there is work, and none exists before there is some for it.
package final class DiskWorkers: @unchecked Sendable {
  package static let shared = DiskWorkers()

  package typealias Work = @Sendable () -> Void

  private let queue = Mutex(Queue())
  private let news: UnsafeMutablePointer<sem_t>

  private struct Queue {
    /// What somebody waits for.
    var urgent: [Work] = []
    var other: [Work] = []
    var threadCount = 0
    var sleepingCount = 0

    mutating func next() -> Work? {
      if !urgent.isEmpty { return urgent.removeFirst() }
      return other.isEmpty ? nil : other.removeFirst()
    }
  }

  /// A judgement: a midnight's publication has some twenty files, and a journal commits those that come together at once.
  private static let maximumThreads = 4
  /// More than this is done by whoever brings it, so that a flood of publications cannot use up the descriptors.
  private static let maximumWaiting = 128

  private init() {
    news = .allocate(capacity: 1)
    sem_init(news, 0, 0)
  }

  /// Waits until the data of open files are on disk, all of them at once (measured on ext4 for three files: 1.5 ms in place of
  /// 3.9 ms one after the other).
  ///
  /// - Returns: for each file why it failed, or nil.
  package func flush(_ descriptors: [Int32]) -> [Errno?] {
    let round = FlushRound(descriptors)
    for _ in 0..<min(max(descriptors.count - 1, 0), Self.maximumThreads) { add { $0.urgent.append(round.help) } }
    // Whoever waits helps: the threads may be busy, or not to be had.
    round.help()
    return round.result()
  }

  /// Does something soon.
  ///
  /// - Parameter isUrgent: whether somebody waits for it.
  package func later(isUrgent: Bool = false, _ work: @escaping Work) {
    let isFull = queue.withLock { !isUrgent && $0.other.count >= Self.maximumWaiting }
    if isFull { return work() }
    add { if isUrgent { $0.urgent.append(work) } else { $0.other.append(work) } }
  }

  private func add(_ change: (inout Queue) -> Void) {
    let (needsThread, hasThread) = queue.withLock { queue in
      change(&queue)
      let isShort = queue.urgent.count + queue.other.count > queue.sleepingCount
      let needsThread = isShort && queue.threadCount < Self.maximumThreads
      if needsThread { queue.threadCount += 1 }
      return (needsThread, queue.threadCount > (needsThread ? 1 : 0))
    }
    sem_post(news)
    if needsThread, !start(), !hasThread { while let work = queue.withLock({ $0.next() }) { work() } }
  }

  private func start() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let context = Unmanaged.passUnretained(self).toOpaque()
    let result = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<DiskWorkers>.fromOpaque(context).takeUnretainedValue().run() }
        return nil
      }, context)
    if result != 0 { queue.withLock { $0.threadCount -= 1 } }
    return result == 0
  }

  private func run() {
    while true {
      queue.withLock { $0.sleepingCount += 1 }
      while sem_wait(news) != 0 {}
      let work = queue.withLock { queue in
        queue.sleepingCount -= 1
        return queue.next()
      }
      work?()
    }
  }
}

/// Files that are flushed together, each by whoever comes first.
private final class FlushRound: @unchecked Sendable {
  private let descriptors: [Int32]
  private let state: Mutex<State>
  private let isOver: UnsafeMutablePointer<sem_t>

  private struct State {
    var next = 0
    var results: [Errno?]
    var remaining: Int
  }

  init(_ descriptors: [Int32]) {
    self.descriptors = descriptors
    state = Mutex(State(results: Array(repeating: nil, count: descriptors.count), remaining: descriptors.count))
    isOver = .allocate(capacity: 1)
    sem_init(isOver, 0, descriptors.isEmpty ? 1 : 0)
  }

  deinit {
    sem_destroy(isOver)
    isOver.deallocate()
  }

  /// Flushes files that nobody has begun with, until there are none.
  @Sendable func help() {
    while let index = state.withLock({ state -> Int? in
      guard state.next < descriptors.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }) {
      let failure = fdatasync(descriptors[index]) == 0 ? nil : Errno(rawValue: errno)
      let isLast = state.withLock { state in
        state.results[index] = failure
        state.remaining -= 1
        return state.remaining == 0
      }
      if isLast { sem_post(isOver) }
    }
  }

  /// Waits for the last file.
  func result() -> [Errno?] {
    while sem_wait(isOver) != 0 {}
    return state.withLock { $0.results }
  }
}

import Glibc
import Synchronization

/// The thread of the bridge: it sleeps until one of its descriptors is ready, a timer is due or another thread gives it work.
///
/// It is the executor of ``BridgeActor``, so that the state of the bridge is touched on one thread. It is also the preferred
/// one of every task: the threads of Swift's shared pool linger, and wake an idle process every second.
package final class BridgeLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  package typealias Handler = @BridgeActor () -> Void

  private enum Job {
    case task(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private let jobs = Mutex<[Job]>([])
  private let thread = Mutex<pthread_t?>(nil)
  /// A pipe: a byte in it ends the wait.
  private let wakeUp: (reading: Int32, writing: Int32)

  // Touched on the loop's thread only.
  private var taken: ArraySlice<Job> = []
  private var handlers: [Int32: Handler] = [:]
  private var timers: [Int: (due: Int64, handler: Handler)] = [:]
  /// No timer is due before; the timer that was may be cancelled.
  private var earliest = Int64.max
  private var nextTimer = 0
  private var isOver = false

  /// A judgement, in nanoseconds: a person does not notice it, and a turn takes a thousandth of it.
  private static let longestTurn: Int64 = 5_000_000

  fileprivate init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "cannot begin: the process may have no descriptor at all")
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    wakeUp = (ends[0], ends[1])
  }

  // MARK: Running

  fileprivate func run() {
    thread.withLock { $0 = pthread_self() }
    isOver = false
    while true {
      runJobs()
      runTimers()
      if isOver { return }
      wait()
    }
  }

  fileprivate func end() { isOver = true }

  /// Runs what there is to do, but not for long: when a shard is read thousands of messages come at once, and neither what is
  /// due nor a signal, which comes through a descriptor, may wait for all of them.
  private func runJobs() {
    let end = Self.now() + Self.longestTurn
    repeat {
      if taken.isEmpty {
        taken = jobs.withLock { jobs in
          defer { jobs = [] }
          return jobs[...]
        }
      }
      guard let job = taken.popFirst() else { return }
      switch job {
      case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .work(let work): work()
      }
    } while Self.now() < end
  }

  private func runTimers() {
    let now = Self.now()
    guard earliest <= now else { return }
    let due = timers.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
    for (number, _) in due {
      // An earlier one may have cancelled it.
      guard let timer = timers.removeValue(forKey: number) else { continue }
      BridgeActor.assumeIsolated(timer.handler)
    }
    earliest = timers.values.map(\.due).min() ?? .max
  }

  private func wait() {
    let hasJobs = !taken.isEmpty || jobs.withLock { !$0.isEmpty }
    let rest = timers.isEmpty ? nil : max(0, (earliest - Self.now() + 999_999) / 1_000_000)
    var descriptors = [pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0)]
    for descriptor in handlers.keys { descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    poll(&descriptors, nfds_t(descriptors.count), hasJobs ? 0 : rest.map { Int32(clamping: $0) } ?? -1)
    if descriptors[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(wakeUp.reading, &bytes, 64) > 0 {}
    }
    for descriptor in descriptors.dropFirst() where descriptor.revents != 0 {
      if let handler = handlers[descriptor.fd] { BridgeActor.assumeIsolated(handler) }
    }
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  fileprivate func async(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  private func add(_ job: Job) {
    let isFirst = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    guard isFirst, !isCurrent else { return }
    var one: UInt8 = 1
    _ = write(wakeUp.writing, &one, 1)
  }

  private var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

  package func checkIsolated() { precondition(isCurrent, "this belongs to the bridge's thread") }

  // MARK: Descriptors and time

  /// Calls `handler` whenever there is something to read.
  @BridgeActor package func add(_ descriptor: Int32, _ handler: @escaping Handler) { handlers[descriptor] = handler }

  @BridgeActor package func remove(_ descriptor: Int32) { handlers[descriptor] = nil }

  /// - Returns: a number to cancel it by.
  @BridgeActor @discardableResult
  package func after(_ duration: Duration, _ handler: @escaping Handler) -> Int {
    let (seconds, attoseconds) = duration.components
    nextTimer += 1
    let due = Self.now() + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    timers[nextTimer] = (due, handler)
    earliest = min(earliest, due)
    return nextTimer
  }

  @BridgeActor package func cancel(_ timer: Int) { timers[timer] = nil }

  /// Nanoseconds on a clock that only goes forward, and in a suspended machine too.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Everything of the bridge that has state belongs to this actor, whose thread is the one that ``run(_:)`` was called on.
@globalActor
package actor BridgeActor {
  package static let shared = BridgeActor()

  package static let loop = BridgeLoop()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs the bridge on this thread until `body` is done.
  package nonisolated static func run<Value: Sendable>(
    _ body: @escaping @BridgeActor @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    loop.async {
      task {
        do {
          let value = try await body()
          outcome.value.withLock { $0 = .success(value) }
        } catch {
          outcome.value.withLock { $0 = .failure(error) }
        }
        loop.end()
      }
    }
    loop.run()
    guard let outcome = outcome.value.withLock({ $0 }) else { preconditionFailure("the loop ends with an outcome") }
    return try outcome.get()
  }

  /// Runs a closure on the bridge's thread, after those that were given to it before.
  package nonisolated static func perform(_ body: @escaping @BridgeActor @Sendable () -> Void) {
    loop.async { assumeIsolated(body) }
  }

  /// Starts work that goes on beside the caller's, on the bridge's thread.
  package nonisolated static func task(_ body: @escaping @BridgeActor @Sendable () async -> Void) {
    Task(executorPreference: loop) { await body() }
  }

  package static func sleep(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      perform { loop.after(duration) { continuation.resume() } }
    }
  }

  /// Runs `body` at once, for callers that are on the thread but not in the actor's code.
  fileprivate nonisolated static func assumeIsolated(_ body: @BridgeActor () -> Void) {
    loop.checkIsolated()
    // As the standard library does for the main actor. The isolation was just checked, so only the closure's type changes.
    withoutActuallyEscaping(body) { body in unsafeBitCast(body, to: (() -> Void).self)() }
  }
}

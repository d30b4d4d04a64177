import CLinux
import Dispatch
import Glibc
import Synchronization

/// A thread that sleeps until one of its descriptors is ready or it receives work, so that an idle program does not
/// wake.
///
/// It is also the executor of an actor and of its tasks, so that a descriptor's handler runs where the state is.
/// ``LoopActor`` has one. Work that may hang, such as disk access, gets a separate one.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// Runs on the loop's thread when its descriptor is ready.
  public typealias Handler = @LoopActor () -> Void

  private let epoll: Int32
  private let wakeUp: Int32
  private let jobs = Mutex<Jobs>(Jobs())
  private let thread = Mutex<pthread_t?>(nil)
  // Used on the loop's thread only: `add` and `remove` are isolated to the actor.
  private var handlers: [UInt64: Handler] = [:]
  private var nextToken: UInt64 = 1

  private enum Job {
    case task(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct Jobs {
    var waiting: [Job] = []
    /// Whether the thread was already woken, so that a burst of jobs costs one wake-up.
    var isSignalled = false
  }

  // Used on the loop's thread only.
  private var taken: ArraySlice<Job> = []

  /// How long jobs may delay the descriptors. A shorter turn would check the descriptors more often; people do not
  /// notice this delay.
  private static let longestTurn = Duration.milliseconds(5)

  /// Nil when the process has no descriptor or thread left.
  public init?() {
    guard let epoll = Descriptor(clinux_epoll_create()), let wakeUp = Descriptor(clinux_eventfd()),
      clinux_epoll_add(epoll.raw, wakeUp.raw, clinux_epollin, 0) == 0
    else { return nil }
    // They stay open for the lifetime of the process.
    self.epoll = epoll.detach()
    self.wakeUp = wakeUp.detach()
    guard SystemThread.start({ self.run() }) else { return nil }
  }

  private func run() {
    thread.withLock { $0 = pthread_self() }
    var tokens = [UInt64](repeating: 0, count: 64)
    var events = [UInt32](repeating: 0, count: 64)
    while true {
      let isDone = runJobs()
      let count = clinux_epoll_wait(epoll, &tokens, &events, 64, isDone ? -1 : 0)
      for index in 0..<Int(max(0, count)) {
        if tokens[index] == 0 {
          var ignored: UInt64 = 0
          _ = read(wakeUp, &ignored, 8)
        } else if let handler = handlers[tokens[index]] {
          LoopActor.assumeIsolated(handler)
        }
      }
    }
  }

  /// Runs the waiting jobs, for a limited time: thousands may arrive at once, and an alarm or a descriptor must not
  /// wait for all of them.
  ///
  /// - Returns: whether no job is left.
  private func runJobs() -> Bool {
    let end = Uptime.now().advanced(by: Self.longestTurn)
    repeat {
      if taken.isEmpty {
        taken = jobs.withLock { jobs in
          jobs.isSignalled = !jobs.waiting.isEmpty
          defer { jobs.waiting = [] }
          return jobs.waiting[...]
        }
      }
      guard let job = taken.popFirst() else { return true }
      switch job {
      case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .work(let work): work()
      }
    } while Uptime.now() < end
    return false
  }

  // MARK: Executor

  /// Queues a job of the actor.
  public func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  /// Runs a closure on this thread, after those that were queued before it.
  public func async(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  private func add(_ job: Job) {
    let mustSignal = jobs.withLock { jobs in
      jobs.waiting.append(job)
      defer { jobs.isSignalled = true }
      return !jobs.isSignalled
    }
    guard mustSignal else { return }
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  /// This executor in the form that Swift's concurrency requires.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Whether the caller is on this thread.
  public var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

  /// Ends the process if the caller is on another thread.
  public func checkIsolated() { precondition(isCurrent, "this belongs to the loop's thread") }

  // MARK: Descriptors

  /// The state of a descriptor to wait for.
  public enum Interest: Sendable {
    /// Data can be read.
    case readable
    /// Data can be written.
    case writable
    /// An exceptional state; /proc/self/mountinfo gets one when a mount changes (proc(5)).
    case priority
    /// Only errors.
    case nothing

    fileprivate var mask: UInt32 {
      switch self {
      case .readable: clinux_epollin
      case .writable: clinux_epollout
      case .priority: clinux_epollpri | clinux_epollerr
      case .nothing: 0
      }
    }
  }

  /// Calls `handler` whenever the descriptor is ready, until it is removed. The owner keeps the ownership of the
  /// descriptor.
  @LoopActor
  public func add(_ descriptor: Int32, for interest: Interest = .readable, _ handler: @escaping Handler) -> UInt64? {
    let token = nextToken
    guard clinux_epoll_add(epoll, descriptor, interest.mask, token) == 0 else { return nil }
    nextToken += 1
    handlers[token] = handler
    return token
  }

  /// Removes a handler. The descriptor must still be open.
  @LoopActor
  public func remove(_ descriptor: Int32, token: UInt64) {
    _ = clinux_epoll_remove(epoll, descriptor)
    handlers[token] = nil
  }

  /// Replaces a handler.
  @LoopActor
  public func replace(_ token: UInt64, _ handler: @escaping Handler) { handlers[token] = handler }

  /// Changes the state to wait for.
  @LoopActor
  public func change(_ descriptor: Int32, token: UInt64, to interest: Interest) {
    _ = clinux_epoll_modify(epoll, descriptor, interest.mask, token)
  }
}

/// The actor of the thread on which a program receives events and keeps time. Only that thread uses the actor's state.
@globalActor
public actor LoopActor {
  /// The actor of the process.
  public static let shared = LoopActor()

  /// Its thread, which is started at its first use.
  public nonisolated let loop: EventLoop = {
    guard let loop = EventLoop() else {
      preconditionFailure("cannot begin: the process may have no thread, or no descriptor, at all")
    }
    return loop
  }()

  /// The thread in the form that Swift's concurrency requires.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs a closure on the loop's thread, after those that were queued before it.
  public nonisolated static func perform(_ body: @escaping @LoopActor @Sendable () -> Void) {
    shared.loop.async { assumeIsolated(body) }
  }

  /// Starts a task on the loop's thread, in parallel with the caller.
  public nonisolated static func task(_ body: @escaping @LoopActor @Sendable () async -> Void) {
    // A resumed task runs on its preferred executor, which passes it on to the actor's. Without a preference that is
    // the shared pool, which wakes an idle process every second after its first use.
    Task(executorPreference: shared.loop) { await body() }
  }

  /// Runs a closure on the loop's thread and waits for its end. That thread must never wait for the caller's thread.
  package nonisolated static func performAndWait(_ body: @escaping @LoopActor @Sendable () -> Void) {
    if shared.loop.isCurrent { return assumeIsolated(body) }
    let done = DispatchSemaphore(value: 0)
    perform {
      body()
      done.signal()
    }
    done.wait()
  }

  /// Waits on the loop's thread without blocking other work.
  @LoopActor
  public static func sleep(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      Alarms.shared.set(after: duration) { continuation.resume() }
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs `body` on the loop's thread, and blocks the caller until it is done. For the first thread of a program.
  public nonisolated static func run<Value: Sendable>(
    _ body: @escaping @LoopActor @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    let isDone = DispatchSemaphore(value: 0)
    task {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.value.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    guard let result = outcome.value.withLock({ $0 }) else { preconditionFailure("the work ends with an outcome") }
    return try result.get()
  }

  /// Runs `body` at once, for callers that are on the thread but outside the actor's code, such as the event loop.
  public nonisolated static func assumeIsolated<Result: Sendable>(_ body: @LoopActor () throws -> Result) rethrows
    -> Result
  {
    shared.loop.checkIsolated()
    // As in the standard library for the main actor. The isolation was just checked, so only the closure's type
    // changes.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Result).self)()
    }
  }
}

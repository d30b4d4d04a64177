import CLinux
import Dispatch
import Glibc
import Synchronization

/// A thread that sleeps until one of its descriptors is ready or it is given work, so that a program with nothing to do
/// does not wake.
///
/// It is also the executor of an actor and of its tasks, so that a descriptor's handler runs where the state is.
/// ``LoopActor`` has one. What may hang, such as a disk, gets one of its own.
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// Runs on the loop's thread when its descriptor is ready.
  public typealias Handler = @LoopActor () -> Void

  private let epoll: Int32
  private let wakeUp: Int32
  private let jobs = Mutex<Jobs>(Jobs())
  private let thread = Mutex<pthread_t?>(nil)
  // Touched on the loop's thread only: `add` and `remove` are isolated to the actor.
  private var handlers: [UInt64: Handler] = [:]
  private var nextToken: UInt64 = 1

  private enum Job {
    case task(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct Jobs {
    var waiting: [Job] = []
    /// Whether the thread was woken already, so that a burst of jobs costs one wake-up.
    var isSignalled = false
  }

  // Touched on the loop's thread only.
  private var taken: ArraySlice<Job> = []

  /// How long jobs may keep the thread from its descriptors. A judgement: a person does not notice it.
  private static let longestTurn = Duration.milliseconds(5)

  /// Nil when the process has no descriptor, or no thread, left.
  public init?() {
    guard let epoll = Descriptor(clinux_epoll_create()), let wakeUp = Descriptor(clinux_eventfd()),
      clinux_epoll_add(epoll.raw, wakeUp.raw, clinux_epollin, 0) == 0
    else { return nil }
    // They stay open for as long as the process lives.
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

  /// Runs what there is to do, but not for long: thousands of jobs may come at once, and neither an alarm nor a descriptor may
  /// wait for all of them.
  ///
  /// - Returns: whether nothing is left to do.
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

  /// Takes a job of the actor.
  public func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  /// Runs a closure on this thread, after the ones that were given to it before.
  public func async(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  /// Runs a closure on this thread and waits for its end. The loop's thread must never wait for the
  /// caller's.
  package func sync(_ work: @escaping @Sendable () -> Void) {
    if isCurrent { return work() }
    let done = DispatchSemaphore(value: 0)
    async {
      work()
      done.signal()
    }
    done.wait()
  }

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

  /// This executor, as the language wants it.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Whether the caller is on this thread.
  public var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

  /// Ends the process on another thread than this one.
  public func checkIsolated() { precondition(isCurrent, "this belongs to the loop's thread") }

  // MARK: Descriptors

  /// What to wait for on a descriptor.
  public enum Interest: Sendable {
    /// There is something to read.
    case readable
    /// There is room to write.
    case writable
    /// An exceptional state, as /proc/self/mountinfo has when a mount changes (proc(5)).
    case priority
    /// Errors at most.
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

  /// Calls `handler` whenever the descriptor is ready, until it is removed. The descriptor stays its owner's.
  @LoopActor
  public func add(_ descriptor: Int32, for interest: Interest = .readable, _ handler: @escaping Handler) -> UInt64? {
    let token = nextToken
    guard clinux_epoll_add(epoll, descriptor, interest.mask, token) == 0 else { return nil }
    nextToken += 1
    handlers[token] = handler
    return token
  }

  /// Ends that. The descriptor must be open still.
  @LoopActor
  public func remove(_ descriptor: Int32, token: UInt64) {
    _ = clinux_epoll_remove(epoll, descriptor)
    handlers[token] = nil
  }

  /// Calls another handler from now on.
  @LoopActor
  public func replace(_ token: UInt64, _ handler: @escaping Handler) { handlers[token] = handler }

  /// Waits for something else from now on.
  @LoopActor
  public func change(_ descriptor: Int32, token: UInt64, to interest: Interest) {
    _ = clinux_epoll_modify(epoll, descriptor, interest.mask, token)
  }
}

/// The actor of the thread on which a program receives events and keeps time. All state that belongs to it is touched on one
/// thread.
@globalActor
public actor LoopActor {
  /// The process's.
  public static let shared = LoopActor()

  /// Its thread, which is started when it is first used.
  public nonisolated let loop: EventLoop = {
    guard let loop = EventLoop() else {
      preconditionFailure("cannot begin: the process may have no thread, or no descriptor, at all")
    }
    return loop
  }()

  /// The thread, as the language wants it.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs a closure on the loop's thread, after the ones that were given to it before.
  public nonisolated static func perform(_ body: @escaping @LoopActor @Sendable () -> Void) {
    shared.loop.async { assumeIsolated(body) }
  }

  /// Starts work that goes on beside the caller's, on the loop's thread.
  public nonisolated static func task(_ body: @escaping @LoopActor @Sendable () async -> Void) {
    // A task that waited is resumed by its preferred executor, which passes it on to the actor's. Without a preference that is
    // the shared pool, which once used wakes an idle process every second.
    Task(executorPreference: shared.loop) { await body() }
  }

  /// Runs a closure on the loop's thread and waits for its end.
  public nonisolated static func performAndWait(_ body: @escaping @LoopActor @Sendable () -> Void) {
    shared.loop.sync { assumeIsolated(body) }
  }

  /// Waits on the loop's thread, without keeping it from other work.
  @LoopActor
  public static func sleep(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      Alarms.shared.set(after: duration) { continuation.resume() }
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs `body` on the loop's thread, and waits on the caller's until it is done. For the first thread of a program.
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

  /// Runs `body` at once, for callers that are on the thread but not in the actor's code, as the event loop is.
  public nonisolated static func assumeIsolated<Result: Sendable>(_ body: @LoopActor () throws -> Result) rethrows
    -> Result
  {
    shared.loop.checkIsolated()
    // As the standard library does for the main actor. The isolation was just checked, so only the closure's type is changed.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Result).self)()
    }
  }
}

import CacheSync
import CLinux
import Dispatch
import Glibc
import Synchronization

/// A thread that sleeps until one of its descriptors is ready or it is given work, so that an agent with nothing to do does
/// not wake.
///
/// It is also the executor of an actor and of its tasks, so that a descriptor's handler runs where the state is.
/// ``AgentActor`` has one, and each ``Disk`` has one of its own, because a disk that hangs stops its thread.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// Runs on the loop's thread when its descriptor is ready.
  package typealias Handler = @AgentActor () -> Void

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

  /// Nil when the process has no descriptor, or no thread, left.
  package init?() {
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
      runJobs()
      let count = clinux_epoll_wait(epoll, &tokens, &events, 64, -1)
      for index in 0..<Int(max(0, count)) {
        if tokens[index] == 0 {
          var ignored: UInt64 = 0
          _ = read(wakeUp, &ignored, 8)
        } else if let handler = handlers[tokens[index]] {
          AgentActor.assumeIsolated(handler)
        }
      }
    }
  }

  private func runJobs() {
    while true {
      let batch = jobs.withLock { jobs in
        jobs.isSignalled = !jobs.waiting.isEmpty
        defer { jobs.waiting.removeAll(keepingCapacity: true) }
        return jobs.waiting
      }
      if batch.isEmpty { return }
      for job in batch {
        switch job {
        case .task(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .work(let work): work()
        }
      }
    }
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  /// Runs a closure on this thread, after the ones that were given to it before.
  package func async(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

  /// Runs a closure on this thread and waits for its end. Only the threads of disks do so, and only with the agent's thread,
  /// which never waits for them.
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

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package var isCurrent: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

  package func checkIsolated() { precondition(isCurrent, "this belongs to the agent's thread") }

  // MARK: Descriptors

  /// What to wait for on a descriptor.
  package enum Interest: Sendable {
    case readable, writable
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
  @AgentActor
  package func add(_ descriptor: Int32, for interest: Interest = .readable, _ handler: @escaping Handler) -> UInt64? {
    let token = nextToken
    guard clinux_epoll_add(epoll, descriptor, interest.mask, token) == 0 else { return nil }
    nextToken += 1
    handlers[token] = handler
    return token
  }

  @AgentActor
  package func remove(_ descriptor: Int32, token: UInt64) {
    _ = clinux_epoll_remove(epoll, descriptor)
    handlers[token] = nil
  }

  /// Calls another handler from now on.
  @AgentActor
  package func replace(_ token: UInt64, _ handler: @escaping Handler) { handlers[token] = handler }

  @AgentActor
  package func change(_ descriptor: Int32, token: UInt64, to interest: Interest) {
    _ = clinux_epoll_modify(epoll, descriptor, interest.mask, token)
  }
}

/// The actor of the agent's thread: it hears events, keeps time, answers commands, and owns the C library. It touches no
/// cache's disk.
@globalActor
package actor AgentActor {
  package static let shared = AgentActor()

  package nonisolated let loop: EventLoop = {
    guard let loop = EventLoop() else {
      preconditionFailure("cannot begin: the process may have no thread, or no descriptor, at all")
    }
    return loop
  }()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs a closure on the agent's thread, after the ones that were given to it before.
  package nonisolated static func perform(_ body: @escaping @AgentActor @Sendable () -> Void) {
    shared.loop.async { assumeIsolated(body) }
  }

  /// Starts work that goes on beside the caller's, on the agent's thread.
  package nonisolated static func task(_ body: @escaping @AgentActor @Sendable () async -> Void) {
    // A task that waited is resumed by its preferred executor, which passes it on to the actor's. Without a preference that is
    // the shared pool, which once used wakes an idle process every second.
    Task(executorPreference: shared.loop) { await body() }
  }

  /// Runs a closure on the agent's thread and waits for its end. For the threads of disks.
  package nonisolated static func performAndWait(_ body: @escaping @AgentActor @Sendable () -> Void) {
    shared.loop.sync { assumeIsolated(body) }
  }

  /// Runs `body` at once, for callers that are on the thread but not in the actor's code, as the event loop is.
  package nonisolated static func assumeIsolated<Result: Sendable>(_ body: @AgentActor () throws -> Result) rethrows
    -> Result
  {
    shared.loop.checkIsolated()
    // As the standard library does for the main actor. The isolation was just checked, so only the closure's type is changed.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Result).self)()
    }
  }
}

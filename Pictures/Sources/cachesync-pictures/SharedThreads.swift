#if compiler(>=6.3) && compiler(<6.4)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
  import NIOCore
  import NIOPosix

  /// The threads on which all asynchronous code of this program and of its libraries runs. They sleep until there is work.
  ///
  /// Swift's own pool, once it has run a job, wakes an idle process every second for ever: libdispatch then looks whether its
  /// threads are busy. A preferred executor is not enough, because tasks that libraries start have none. Swift 6.3 lets a
  /// program replace the pool, but does not promise that yet. Built with another version the program keeps Swift's pool, and
  /// wakes once a second.
  final class SharedThreads: TaskExecutor, SchedulingExecutor {
    /// A read of a disk that hangs takes one thread for the page and one for what follows publications. The others go on
    /// taking signals.
    private static let count = 4

    private enum Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
      static let defaultExecutor: any TaskExecutor = SharedThreads()
    }

    /// To be called before the first job, for the pool keeps what it has begun.
    static func takeOver() {
      NIOSingletons.blockingPoolThreadCountSuggestion = count
      // One thread serves the connections of a few people.
      NIOSingletons.groupLoopCountSuggestion = 1
      _createExecutors(factory: Factory.self)
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      NIOThreadPool.singleton.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
      guard let delay = delay as? Duration else { preconditionFailure("the clocks of Swift count in Duration") }
      let job = UnownedJob(job)
      // This clock stands still while the machine is suspended: what was due then comes up to 30 s late, with the comments.
      MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(delay)) { self.enqueue(job) }
    }
  }
#else
  enum SharedThreads {
    static func takeOver() {}
  }
#endif

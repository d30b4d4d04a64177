import Dispatch
import Glibc
import Synchronization

/// One thread for work that must go on while the agent's thread is busy: taking signals, and the time limit of a disk that
/// hangs at the end.
///
/// The threads of Swift's shared pool linger for seconds and wake an idle process; this one sleeps until it is needed.
final class Supervisor: TaskExecutor, @unchecked Sendable {
  private let jobs = Mutex<[UnownedJob]>([])
  private let news = DispatchSemaphore(value: 0)

  private init() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Supervisor>.fromOpaque(context).takeRetainedValue().work() }
        return nil
      }, context)
    precondition(result == 0, "cannot create a thread: raise the limit of processes")
    pthread_detach(thread)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    news.signal()
  }

  private func work() {
    while true {
      news.wait()
      let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs asynchronous work on the thread, and waits for its end.
  static func run<Result: Sendable>(_ body: @escaping @Sendable (Supervisor) async throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let done = DispatchSemaphore(value: 0)
    return try withExtendedLifetime(Supervisor()) { supervisor in
      Task(executorPreference: supervisor) {
        do {
          let value = try await body(supervisor)
          outcome.value.withLock { $0 = .success(value) }
        } catch {
          outcome.value.withLock { $0 = .failure(error) }
        }
        done.signal()
      }
      done.wait()
      guard let outcome = outcome.value.withLock({ $0 }) else { preconditionFailure("the work ended with an outcome") }
      return try outcome.get()
    }
  }
}

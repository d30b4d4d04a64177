import Foundation
import Testing

/// Runs tests on a few additional threads. Swift Testing has a thread for each core. A test that blocks its thread to
/// wait for a process would keep other tests from running while the core is idle.
struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }

  /// One scope for all cases of a test, so that the cases are distributed over the threads too.
  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { !test.isSuite && testCase == nil ? self : nil }
}

extension Trait where Self == WaitingTests {
  static var waiting: Self { WaitingTests() }
}

/// Threads that may block. They take the newest job first: a test that has begun ends before another begins, so that
/// its time limit applies to its own work.
private final class WaitingThreads: TaskExecutor, @unchecked Sendable {
  /// More than cores, because most of them wait; but not many more, because some of the waits have a time limit.
  static let shared = WaitingThreads(count: 5)

  /// Guards the jobs, and is signalled for each.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in while true { nextJob().runSynchronously(on: asUnownedTaskExecutor()) } }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  private func nextJob() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeLast()
    }
  }
}

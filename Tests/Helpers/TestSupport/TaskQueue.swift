import Dispatch

/// Runs the tasks of a test one after another, so that the test can find out when they wait.
package final class TaskQueue: TaskExecutor {
  package static let shared = TaskQueue()

  private let queue = DispatchQueue(label: "the tasks of a test")
  /// The jobs that are queued or running.
  private let jobs = DispatchGroup()

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async(group: jobs) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Returns when every task has ended, or waits for something outside.
  package func untilIdle() async {
    await withCheckedContinuation { end in jobs.notify(queue: queue) { end.resume() } }
  }
}

package import CacheSync
package import CacheSyncSystem

/// A session file as it was when it was judged.
package struct FileRecord {
  package var identity: FileIdentity
  /// Whether the file must be read again even if its identity is unchanged.
  ///
  /// Either it was so new that another write could have left the same times, or the settings that apply to it have
  /// changed.
  package var mustReadAgain: Bool
  /// How many bytes this file takes in the log of last good versions.
  package var loggedBytes: UInt32 = 0

  /// Up to this age of a file, its times may not show a second write.
  ///
  /// They move in steps of the kernel's tick, which is at most 10 ms. (The multigrain times of Linux 6.13 show every
  /// write, on some file systems.)
  package static let tick = Duration.milliseconds(20)
  /// The same for a file system that stores times in whole seconds. FAT stores every other second.
  package static let coarseTick = Duration.seconds(2)
}

/// A current problem, since when it exists, and how often the agent found it.
package final class ProblemNote {
  package var problem: Problem
  package let since: Instant
  package var count: Int

  package init(_ problem: Problem, since: Instant) {
    self.problem = problem
    self.since = since
    count = 1
  }

  /// Counts the problem once more, and replaces it with its current form.
  package func recurring(as problem: Problem) -> ProblemNote {
    count += 1
    self.problem = problem
    return self
  }
}

/// When to retry a file that the system did not let the agent read: after 5 s, doubling to 5 min
/// (contract.md section 6).
package struct Retry {
  private var backoff: Backoff
  package let due: Uptime

  /// - Parameter previous: the retry that has just failed; nil for the first failure.
  package init(after previous: Retry?, at now: Uptime) {
    backoff = previous?.backoff ?? Backoff(from: .seconds(5), to: .seconds(300))
    due = now.advanced(by: backoff.next())
  }
}

/// The deadlines of paths, at most one for each path.
package struct Deadlines {
  private var due: [CachePath: Uptime] = [:]

  package var first: Uptime? { due.values.min() }

  package subscript(path: CachePath) -> Uptime? {
    get { due[path] }
    set { due[path] = newValue }
  }

  /// Removes and returns the paths that are due, in order.
  package mutating func dequeue(until now: Uptime) -> [CachePath] {
    guard !due.isEmpty else { return [] }
    let ready = due.filter { $0.value <= now }.keys.sorted()
    for path in ready { due[path] = nil }
    return ready
  }

  package var all: [CachePath: Uptime] { due }
}

package import CacheSync

/// A session file as it was when it was judged.
package struct FileRecord {
  package var identity: FileIdentity
  /// Whether an equal identity says nothing: the file was so young that another write could have left the same times, or the
  /// settings that judge it have changed.
  package var mustReadAgain: Bool
  /// How many bytes of the log of last good versions are this file's.
  package var loggedBytes: UInt32

  package init(identity: FileIdentity, mustReadAgain: Bool, loggedBytes: UInt32 = 0) {
    self.identity = identity
    self.mustReadAgain = mustReadAgain
    self.loggedBytes = loggedBytes
  }

  /// File times move in steps of the kernel's tick, 4 ms here and 10 ms at most: within one of them a second write does not
  /// show. (With the multigrain times of Linux 6.13 it does, on some file systems.)
  package static let tick = Duration.milliseconds(20)
}

/// A problem of now, since when it is there, and how often it was met.
package final class ProblemNote {
  package var problem: Problem
  package let since: Instant
  package var count: Int

  package init(_ problem: Problem, since: Instant) {
    self.problem = problem
    self.since = since
    count = 1
  }

  /// Counts the problem once more, as it is now.
  package func recurring(as problem: Problem) -> ProblemNote {
    count += 1
    self.problem = problem
    return self
  }
}

/// When to read again what the system did not let us read: after 5 s, doubling to 5 min (CONTRACT section 6).
package struct Retry {
  package let delay: Duration
  package let due: Uptime

  package static let first = Duration.seconds(5)
  package static let longest = Duration.seconds(300)

  /// - Parameter previous: the retry that failed now; nil for the first failure.
  package init(after previous: Retry?, at now: Uptime) {
    delay = previous.map { min($0.delay * 2, Self.longest) } ?? Self.first
    due = now.advanced(by: delay)
  }
}

/// Deadlines of paths: a path has one at a time.
package struct Deadlines {
  private var due: [CachePath: Uptime] = [:]

  package init() {}

  package var first: Uptime? { due.values.min() }

  package subscript(path: CachePath) -> Uptime? {
    get { due[path] }
    set { due[path] = newValue }
  }

  /// Takes out the paths that are due, in order.
  package mutating func dequeue(until now: Uptime) -> [CachePath] {
    guard !due.isEmpty else { return [] }
    let ready = due.filter { $0.value <= now }.keys.sorted()
    for path in ready { due[path] = nil }
    return ready
  }

  package var all: [CachePath: Uptime] { due }
}

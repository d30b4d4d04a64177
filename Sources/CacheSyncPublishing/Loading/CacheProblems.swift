import CacheSync
package import CacheSyncSystem
import SystemPackage

/// The problems of a cache that do not belong to a single session file: those of directories and names, and those that
/// appear only when several files are seen together.
package struct CacheProblems {
  /// Directories that the system does not let the agent list. They are not session files, so only `status` reports
  /// them.
  package private(set) var unreadableDirectories: [CachePath: ProblemNote] = [:]
  /// Links whose names directories of session files could have. Only `status` reports them.
  package private(set) var linkedDirectories: [CachePath: ProblemNote] = [:]
  /// The copies that sync tools created in conflicts. They are always ignored.
  package private(set) var conflictCopies: [CachePath: ProblemNote] = [:]
  /// The problems of files that are valid by themselves, such as an intent that names an unknown task.
  private var current: [ProblemNote] = []

  var all: [ProblemNote] {
    current + unreadableDirectories.values + linkedDirectories.values + conflictCopies.values
  }

  /// The errors of files that are valid by themselves, and of links in place of directories.
  var refusals: [Problem] {
    (current.filter { $0.problem.severity == .error } + linkedDirectories.values).map(\.problem)
  }

  mutating func recordUnreadable(_ path: CachePath, _ reason: Errno, at instant: Instant) {
    let problem = Problem(path: path, message: "cannot list this directory: \(reason)")
    unreadableDirectories[path] =
      unreadableDirectories[path]?.recurring(as: problem) ?? ProblemNote(problem, since: instant)
  }

  mutating func removeUnreadable(_ path: CachePath) { unreadableDirectories[path] = nil }

  /// - Parameter message: the problem with the link; nil when there is no link or no problem with it.
  mutating func recordLink(_ path: CachePath, _ message: String?, at instant: Instant) {
    let problem = message.map { Problem(path: path, message: $0) }
    if linkedDirectories[path]?.problem != problem {
      linkedDirectories[path] = problem.map { ProblemNote($0, since: instant) }
    }
  }

  /// - Parameter problem: the warning about the copy; nil when there is no copy at the path.
  /// - Returns: whether this differs from what was recorded before.
  mutating func recordCopy(_ path: CachePath, _ problem: Problem?, at instant: Instant) -> Bool {
    if conflictCopies[path]?.problem == problem { return false }
    conflictCopies[path] = problem.map { ProblemNote($0, since: instant) }
    return true
  }

  /// Records since when each problem exists.
  mutating func recordStanding(_ problems: [Problem], at instant: Instant) {
    if problems.isEmpty, current.isEmpty { return }
    let known = Dictionary(current.map { ($0.problem, $0) }, uniquingKeysWith: { first, _ in first })
    current = problems.map { known[$0] ?? ProblemNote($0, since: instant) }
  }
}

package import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import Synchronization

/// How many caches the process may serve at a time, by the descriptors that each needs.
///
/// A cache claims its share before it opens anything, so that there are always some left for files that are open for a moment.
package final class DescriptorBudget: Sendable {
  /// The directory, the agent's own directory in it, the lock and the socket.
  package static let perCache = 4
  /// The agent's timers, inotify, the mount table and a disk's thread (6), and what reading, publishing and answering have open
  /// for a moment.
  package static let reserve = 24
  /// What the agent and one cache have open at rest, beside what the process had before (measured: `/proc/PID/fd` has 15
  /// entries with standard input, output and error), and what the first publication has open for a moment: `snapshots`, the
  /// directory in it, and a temporary for each of four threads.
  package static let least = 18

  private let capacity: Int
  private let count = Mutex(0)

  /// - Parameters:
  ///   - limit: how many descriptors the process may have.
  ///   - openCount: how many it has before the agent begins.
  package init(limit: Int, openCount: Int) {
    // One cache is tried in any case: it may just fit.
    capacity = max(1, (limit - openCount - Self.reserve) / Self.perCache)
  }

  /// The budget of this process, with the descriptors that it has open now.
  package convenience init() {
    self.init(limit: Self.limit, openCount: Self.openCount)
  }

  private static var limit: Int { Int(clamping: clinux_descriptor_limit()) }

  /// Listing them would take one itself. The kernel gives the lowest number that is free, so few are greater.
  private static var openCount: Int { (0..<Int32(min(limit, 1024))).count { fcntl($0, F_GETFD) >= 0 } }

  /// Raises the process's limit as far as it may. Throws when an agent that begins now could not serve even one cache.
  package static func raise() throws(CacheError) {
    _ = clinux_raise_descriptor_limit()
    let free = limit - openCount
    guard free >= least else {
      throw CacheError(
        "too few open files are allowed: \(free) more, and an agent with one cache needs \(least): "
          + "raise the limit with ulimit -n or LimitNOFILE=", status: .systemError)
    }
  }

  /// Claims the descriptors of one cache; false when there are too few left.
  package func claim() -> Bool {
    count.withLock { count in
      guard count < capacity else { return false }
      count += 1
      return true
    }
  }

  /// Gives back the descriptors of one cache.
  package func release() { count.withLock { $0 -= 1 } }
}

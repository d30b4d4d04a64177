package import CacheSync
import CLinux
import CacheSyncSystem
import Glibc
import Synchronization

/// Limits how many caches the process serves at a time, by the descriptors that each needs.
///
/// A cache claims its share before it opens anything, so that some always remain for files that are open only for a
/// moment.
package final class DescriptorBudget: Sendable {
  /// The directory, the agent's own directory in it, the lock and the socket.
  package static let perCache = 4
  /// The agent's timers, inotify, the mount table and a disk's thread (6), and what reading, publishing and answering
  /// open for a moment.
  package static let reserve = 24
  /// What the agent and one cache need besides the descriptors that the process had before.
  ///
  /// At rest `/proc/PID/fd` has 15 entries, including standard input, output and error (measured). The first
  /// publication also opens, for a moment, `snapshots`, the directory in it, and a temporary for each of four threads.
  package static let least = 18

  private let capacity: Int
  private let count = Mutex(0)

  /// - Parameters:
  ///   - limit: how many descriptors the process may have.
  ///   - openCount: how many are open before the agent begins.
  package init(limit: Int, openCount: Int) {
    // At least one cache is always tried: it may just fit.
    capacity = max(1, (limit - openCount - Self.reserve) / Self.perCache)
  }

  /// Creates the budget of this process, from the descriptors that it has open now.
  package convenience init() {
    self.init(limit: Self.limit, openCount: Self.openCount)
  }

  private static var limit: Int { Int(clamping: clinux_descriptor_limit()) }

  /// Listing them would itself need one. The kernel assigns the lowest free number, so few are greater.
  private static var openCount: Int { (0..<Int32(min(limit, 1024))).count { fcntl($0, F_GETFD) >= 0 } }

  /// Raises the process's limit as far as allowed. Throws when an agent that begins now could not serve even one cache.
  package static func raise() throws(CacheError) {
    _ = clinux_raise_descriptor_limit()
    let free = limit - openCount
    guard free >= least else {
      throw CacheError(
        "too few open files are allowed: \(free) more, and an agent with one cache needs \(least): "
          + "raise the limit with ulimit -n or LimitNOFILE=", status: .systemError)
    }
  }

  /// Claims the descriptors of one cache; false when too few are left.
  package func claim() -> Bool {
    count.withLock { count in
      guard count < capacity else { return false }
      count += 1
      return true
    }
  }

  /// Returns the descriptors of one cache to the budget.
  package func release() { count.withLock { $0 -= 1 } }
}

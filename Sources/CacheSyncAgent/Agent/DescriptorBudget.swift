import CacheSync
import CLinux
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
  package static let reserve = 22

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
    var openCount = 0
    if let listing = Descriptor(open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
      openCount = (try? Directory.list(listing.raw).count) ?? 0
    }
    self.init(limit: Int(clamping: clinux_descriptor_limit()), openCount: openCount)
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

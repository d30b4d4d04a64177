import CacheSync
package import CacheSyncSystem
import Synchronization

/// A clock for waiting that goes forward only when a test says so.
package final class ManualClock: UptimeClock {
  private let time = Mutex(Uptime(nanoseconds: 1_000_000_000_000))

  package init() {}

  package func now() -> Uptime { time.withLock { $0 } }

  package func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

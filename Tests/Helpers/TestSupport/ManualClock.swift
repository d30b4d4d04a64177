import CacheSync
public import CacheSyncSystem
import Synchronization

/// A clock for waiting that goes forward only when a test says so.
public final class ManualClock: UptimeClock {
  private let time = Mutex(Uptime(nanoseconds: 1_000_000_000_000))

  public init() {}

  public func now() -> Uptime { time.withLock { $0 } }

  public func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

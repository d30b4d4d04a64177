import CacheSync
@testable import CacheSyncPublishing
import CacheSyncSystem

extension Publisher {
  /// Publishes what has changed in a single cache. Returns nil if nothing has changed or the publication failed.
  func publish(state: StateDirectory) -> Publication? {
    guard let publication = draft(state: state) else { return nil }
    Publication.publish([publication], with: WorkerPool())
    record(publication)
    return publication.failure == nil ? publication : nil
  }
}

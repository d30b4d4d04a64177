package import CacheSync
package import CacheSyncPublishing

/// The counters of one cache in `status`, since the agent began to serve its directory.
package struct CacheCounters: Sendable {
  /// Passes with news.
  package var batches = 0
  /// Full readings after the kernel dropped events.
  package var rescans = 0
  package var publications = 0
  /// Times that a file was rejected as unusable.
  package var rejected = 0
  /// Retries of reading a file or publishing.
  package var retries = 0
  package var durations = PublicationDurations()
  /// The manifest's `publishedAt`, which may be from an earlier run; nil before the first publication.
  package var lastPublication: Instant?
}

/// The figures of the whole process, which `status` includes in the answer for each of its caches.
struct ProcessTotals: Sendable {
  /// How many events the process has received.
  var events = 0
  /// How often the kernel dropped events.
  var overflows = 0
  var startedAt: Instant
  /// The problem with the process's TZ; nil when it is valid.
  var zoneWarning: String?
}

package import CacheSync

/// What `status` counts of one cache since the agent serves its directory.
package struct CacheCounters: Sendable {
  /// Passes with news.
  package var batches = 0
  /// Readings of everything after the kernel dropped events.
  package var rescans = 0
  package var publications = 0
  /// Times that a file was judged unusable.
  package var rejected = 0
  /// Times that reading a file or publishing was tried again.
  package var retries = 0
  package var durations = PublicationDurations()
  /// The manifest's `publishedAt`, also an earlier run's; nil before the first publication.
  package var lastPublication: Instant?
}

/// What `status` tells of the whole process in the answer for each of its caches.
struct ProcessTotals: Sendable {
  /// How many events the process heard.
  var events = 0
  /// How often the kernel dropped events.
  var overflows = 0
  var startedAt: Instant
  /// What is wrong with the process's TZ.
  var zoneWarning: String?
}

/// How far the content of a snapshot can be trusted.
public enum SnapshotState: String, CaseIterable, Sendable {
  /// There is no data for this kind.
  case empty
  /// Today's data have not arrived.
  case placeholder
  /// The data are old, or their file cannot be used now and this is its last good version.
  case stale
  /// The current data, even if there are none to show, such as no tasks.
  case current
}

/// How far what a snapshot shows can be trusted.
public enum SnapshotState: String, Sendable {
  /// There is no data for this kind.
  case empty
  /// Today's data has not arrived.
  case placeholder
  /// The data are old, or their file cannot be read now and this is its last good version.
  case stale
  /// What the files say now, also when that is nothing, such as no tasks.
  case current
}

/// What one file of tasks or events says.
package struct RecordList<Record: Sendable>: Sendable {
  package var records: [Record]
  /// When the app wrote the file, if it says so; the app's real file is a bare array and does not.
  package var lastUpdate: Instant?
}

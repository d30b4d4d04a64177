import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Logging

/// Reports the files and directories that the system does not let the agent read.
enum UnreadableReport {
  private static let prefix = "unreadable "

  static func report(_ contents: CacheContents, to reports: RecurringReport) {
    let unreadable = contents.unreadable
    if unreadable.isEmpty, reports.isEmpty { return }
    // Names that print alike are one subject.
    let now = TextMap(unreadable.map { (prefix + $0.key.forPeople, $0) })
    for subject in reports.standing(prefix) where now[subject] == nil {
      reports.end(subject, "\(place(subject.dropFirst(prefix.count), contents)) is no longer unreadable")
    }
    let standing = TextMap(reports.standing(prefix).map { ($0, true) })
    let new = now.filter { standing[$0.key] == nil }.sorted { $0.value.key < $1.value.key }
    for (index, (subject, entry)) in new.enumerated() {
      let (path, note) = entry
      reports.begin(
        subject, isRepeated: true, isSilent: index >= RecurringReport.maximumLines,
        "\(place(path.forPeople[...], contents)): \(note.problem.message); the agent retries until it works\(advice(for: path, contents))"
      )
    }
    if new.count > RecurringReport.maximumLines {
      let count = new.count - RecurringReport.maximumLines
      reports.happen(
        "unreadable", at: .warning, "and \(count) more in \(EscapedText.forPeople(contents.root.path.bytes))")
    }
  }

  private static func advice(for path: CachePath, _ contents: CacheContents) -> String {
    let place = contents.root.path.appending(bytes: path.bytes)
    return AccessAdvice.isNeededForReading(place) ? ": " + AccessAdvice.forReading(place) : ""
  }

  /// - Parameter path: the path in the cache, escaped for people.
  private static func place(_ path: Substring, _ contents: CacheContents) -> String {
    "\(EscapedText.forPeople(contents.root.path.bytes))/\(path)"
  }
}

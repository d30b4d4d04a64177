import CacheSync
import CacheSyncPublishing
import CacheSyncSystem
import Logging

/// Logs the files and directories that the system does not let the agent read.
///
/// It logs when a path becomes unreadable, when it is readable again, and once an hour in between
/// (contract.md section 6).
struct UnreadableReport {
  /// The paths that were logged, and when each is due to be logged again.
  private var nextReports: [CachePath: Uptime] = [:]

  private static let reminderInterval = Duration.seconds(3600)
  /// The most lines of one report. More would name more paths, but a whole unreadable tree must not fill a journal.
  private static let maximumLines = 20

  mutating func report(_ contents: CacheContents, at now: Uptime, to logger: Logger) {
    let unreadable = contents.unreadable
    if nextReports.isEmpty, unreadable.isEmpty { return }
    for path in nextReports.keys.filter({ unreadable[$0] == nil }).sorted() {
      nextReports[path] = nil
      logger.notice("\(Self.place(of: path, contents)) is no longer unreadable")
    }
    let due = unreadable.keys.filter { nextReports[$0].map { $0 <= now } ?? true }.sorted()
    for path in due.prefix(Self.maximumLines) {
      logger.warning(
        "\(Self.place(of: path, contents)): \(unreadable[path]?.problem.message ?? "cannot be read"); the agent retries until it works"
      )
    }
    if due.count > Self.maximumLines {
      logger.warning("and \(due.count - Self.maximumLines) more in \(EscapedText.forPeople(contents.root.path.bytes))")
    }
    for path in due { nextReports[path] = now.advanced(by: Self.reminderInterval) }
  }

  private static func place(of path: CachePath, _ contents: CacheContents) -> String {
    EscapedText.forPeople(contents.root.path.appending(bytes: path.bytes).bytes)
  }
}

package import Logging
import Synchronization

/// Keeps lines in order: log messages of the agent, or notes of a test.
package final class Journal: Sendable {
  private let kept = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { kept.withLock { $0 } }

  package func add(_ line: String) { kept.withLock { $0.append(line) } }

  package func clear() { kept.withLock { $0 = [] } }

  package func count(of part: String) -> Int { lines.count { $0.contains(part) } }

  package var logger: Logger { Logger(label: "test") { _ in Handler(journal: self) } }

  private struct Handler: LogHandler {
    let journal: Journal
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { journal.add(event.message.description) }
  }
}

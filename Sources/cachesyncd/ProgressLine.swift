import CacheSync
import CacheSyncAgent
import Dispatch
import Glibc

/// Tells people at a terminal that a long start goes on: a line that is written over every half second, from the second second
/// on, and removed at the end. In pipes and journals it says nothing.
final class ProgressLine {
  private let timer: (any DispatchSourceTimer)?

  private static let delay = DispatchTimeInterval.seconds(1)
  private static let interval = DispatchTimeInterval.milliseconds(500)

  init() {
    guard isatty(STDERR_FILENO) != 0 else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
    timer.schedule(deadline: .now() + Self.delay, repeating: Self.interval)
    timer.setEventHandler { Self.write("reading session files: \(SessionReading.fileCount) so far") }
    timer.resume()
    self.timer = timer
  }

  /// Stops the timer and clears the line.
  func end() {
    guard let timer else { return }
    timer.cancel()
    if SessionReading.fileCount > 0 { Self.write("") }
  }

  private static func write(_ text: String) {
    // Back to the first column, the text, and away with what was longer.
    try? AtomicFile.writeAll(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
  }
}

import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Synchronization

/// Tells people at a terminal that a long start goes on: a line that is written over every half second, from the second second
/// on, and removed at the end. In pipes and journals it says nothing.
///
/// A thread of its own writes it, because a terminal may be stopped.
final class ProgressLine: Sendable {
  private enum Phase {
    case waiting, shown, ended
  }

  private let phase = Mutex(Phase.waiting)

  private static let delay = Duration.seconds(1)
  private static let interval = Duration.milliseconds(500)

  init() {
    guard StandardError.isTerminal else { return }
    _ = SystemThread.start { [self] in
      SystemSleep.sleep(until: Uptime.now().advanced(by: Self.delay))
      while show() { SystemSleep.sleep(until: Uptime.now().advanced(by: Self.interval)) }
    }
  }

  /// False after the end.
  private func show() -> Bool {
    phase.withLock { phase in
      if phase == .ended { return false }
      phase = .shown
      StandardError.overwriteLine(with: "reading session files: \(SessionReading.fileCount) so far")
      return true
    }
  }

  /// Clears the line.
  func end() {
    phase.withLock { phase in
      if phase == .shown { StandardError.overwriteLine(with: "") }
      phase = .ended
    }
  }
}

import CacheSync
import CacheSyncPrograms
import CacheSyncSystem
import Synchronization

/// Shows people at a terminal that a long start is still in progress. After one second it writes a line, overwrites it
/// every half second, and removes it at the end. It writes nothing to pipes and journals.
///
/// It writes on its own thread, because a terminal may be stopped.
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

  /// Returns false after the end.
  private func show() -> Bool {
    phase.withLock { phase in
      if phase == .ended { return false }
      phase = .shown
      StandardError.overwriteLine(with: "reading session files: \(SessionReading.fileCount) so far")
      return true
    }
  }

  func end() {
    phase.withLock { phase in
      if phase == .shown { StandardError.overwriteLine(with: "") }
      phase = .ended
    }
  }
}

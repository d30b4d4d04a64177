import CacheSyncSystem

/// Schedules a retry: after ten seconds, then each time after twice as long, up to five minutes.
@LoopActor
final class FailureRetry {
  private let act: @LoopActor () -> Void
  private var failures = 0
  private var timer: Int?

  private nonisolated static let firstSeconds = 10, lastSeconds = 300

  init(_ act: @escaping @LoopActor () -> Void) { self.act = act }

  /// - Parameter isNeeded: whether something failed. false resets the interval to ten seconds.
  func schedule(if isNeeded: Bool) {
    if !isNeeded { failures = 0 }
    guard timer == nil, isNeeded else { return }
    let seconds = min(Self.lastSeconds, Self.firstSeconds << min(failures, 5))
    failures += 1
    timer = Alarms.shared.set(after: .seconds(seconds)) { [weak self] in
      self?.timer = nil
      self?.act()
    }
  }

  func cancel() { if let timer { Alarms.shared.cancel(timer) } }
}

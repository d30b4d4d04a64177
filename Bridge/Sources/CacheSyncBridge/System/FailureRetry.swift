import CacheSyncSystem

/// Schedules a retry: after ten seconds, then each time after twice as long, up to five minutes.
@LoopActor
final class FailureRetry {
  private let act: @LoopActor () -> Void
  private var backoff = Backoff(from: .seconds(10), to: .seconds(300))
  private var timer: Int?

  init(_ act: @escaping @LoopActor () -> Void) { self.act = act }

  /// - Parameter isNeeded: whether something failed. false resets the interval to ten seconds.
  func schedule(if isNeeded: Bool) {
    if !isNeeded { backoff.reset() }
    guard timer == nil, isNeeded else { return }
    timer = Alarms.shared.set(after: backoff.next()) { [weak self] in
      self?.timer = nil
      self?.act()
    }
  }

  func cancel() { if let timer { Alarms.shared.cancel(timer) } }
}

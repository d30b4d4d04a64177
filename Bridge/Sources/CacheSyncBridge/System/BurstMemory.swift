import CacheSyncSystem

/// Returns memory to the system that the allocator would keep after a burst of messages, such as a drop in each of
/// thousands of caches (measured: 55 MiB stayed after 2,000 drops).
@LoopActor
final class BurstMemory {
  private var byteCount = 0
  private var isWaiting = false

  /// Smaller bursts leave too little memory behind to be worth a release.
  private nonisolated static let burst = 1 << 20
  /// How long the messages of a burst are still being written and sent.
  private nonisolated static let pause = Duration.seconds(2)

  /// Counts a message that arrived or was sent.
  func record(_ count: Int) {
    byteCount += count
    if byteCount >= Self.burst, !isWaiting { wait() }
  }

  private func wait() {
    isWaiting = true
    Alarms.shared.set(after: Self.pause) { [weak self] in self?.release() }
  }

  private func release() {
    FreedMemory.release()
    isWaiting = false
    // Once more when the burst is over.
    if byteCount >= Self.burst { wait() }
    byteCount = 0
  }
}

import CacheSyncSystem

/// Gives memory back to the system that the allocator would keep after many messages passed at once, such as a drop in each of
/// thousands of caches (measured: 55 MiB stayed after 2,000 drops).
@LoopActor
final class BurstMemory {
  private var byteCount = 0
  private var isWaiting = false

  /// A judgement: what fewer bytes than this leave behind is not noticed.
  private nonisolated static let burst = 1 << 20
  /// How long what came is being written and sent on.
  private nonisolated static let pause = Duration.seconds(2)

  /// A message came or went.
  func note(_ count: Int) {
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
    // Once more after the burst is over.
    if byteCount >= Self.burst { wait() }
    byteCount = 0
  }
}

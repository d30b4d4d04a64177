import CLinux
import Synchronization

/// What a program has freed of the heap, which is given back to the system when it is much.
public final class FreedMemory: Sendable {
  /// Of all together. A judgement: giving back looks through the whole heap, which takes a millisecond or so.
  package static let much = 4 << 20

  private let byteCount = Mutex(0)
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void = FreedMemory.release) { self.release = release }

  /// Gives the free parts of the heap back to the system now.
  @Sendable public static func release() { clinux_release_heap() }

  /// Counts bytes that were freed, on any thread.
  package func note(_ count: Int) {
    let isMuch = byteCount.withLock { sum in
      sum += count
      guard sum >= Self.much else { return false }
      sum = 0
      return true
    }
    if isMuch { release() }
  }
}

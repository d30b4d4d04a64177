import CLinux
import Synchronization

/// Counts the heap memory that a program has freed, and returns it to the system when it is much.
public final class FreedMemory: Sendable {
  /// The total that counts as much. A lower one would return memory sooner, but each return scans the whole heap, which
  /// takes about a millisecond.
  package static let much = 4 << 20

  private let byteCount = Mutex(0)
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void = FreedMemory.release) { self.release = release }

  /// Returns the free parts of the heap to the system now.
  @Sendable public static func release() { clinux_release_heap() }

  /// Adds freed bytes; callable from any thread.
  package func record(_ count: Int) {
    let isMuch = byteCount.withLock { sum in
      sum += count
      guard sum >= Self.much else { return false }
      sum = 0
      return true
    }
    if isMuch { release() }
  }
}

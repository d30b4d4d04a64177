import CLinux
import Synchronization

/// What the caches of an agent have freed of the heap, which is given back to the system when it is much.
package final class FreedMemory: Sendable {
  /// Of all caches together. A judgement: giving back looks through the whole heap, which takes a millisecond or so.
  package static let much = 4 << 20

  private let byteCount = Mutex(0)
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void = { clinux_release_heap() }) { self.release = release }

  /// Notes that a cache has freed so many bytes. Any thread may say so.
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

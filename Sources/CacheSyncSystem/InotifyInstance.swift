import CLinux
import Glibc
public import SystemPackage

/// One inotify instance (inotify(7)), and a way to wait for its events. It uses only system calls, so following
/// snapshots does not change an app's allocator or limits.
public final class InotifyInstance: Sendable {
  /// An event from the kernel.
  public struct Event {
    /// Its watch; -1 for dropped events (inotify(7): IN_Q_OVERFLOW).
    public var watch: Int32
    /// The kernel's flags, `IN_…`.
    public var mask: Int32
    /// The entry's name in the watched directory; empty for the directory itself.
    public var name: [UInt8]

    /// Whether any of the flags is set.
    public func has(_ flags: Int32) -> Bool { mask & flags != 0 }
  }

  /// Readable while there are events; negative when the kernel refused an instance.
  public let queue: Int32
  /// An eventfd that ends the current wait and all later ones.
  private let end: Int32

  /// Requests both descriptors. When the kernel refuses (``isOpen``), watching fails, and a wait ends only by its
  /// timeout.
  public init() {
    queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    end = clinux_eventfd()
  }

  deinit { for descriptor in [queue, end] where descriptor >= 0 { close(descriptor) } }

  /// Whether the kernel provided both descriptors.
  public var isOpen: Bool { queue >= 0 && end >= 0 }

  /// Watches the directory at a path, and does not follow a link there. The same directory gets the same number.
  public func watch(_ directory: FilePath, for events: Int32) throws(Errno) -> Int32 {
    let mask = UInt32(events | IN_ONLYDIR | IN_DONT_FOLLOW)
    let watch = directory.withPlatformString { inotify_add_watch(queue, $0, mask) }
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    return watch
  }

  /// Ends a watch. A watch that the kernel has already dropped is ignored.
  public func unwatch(_ watch: Int32) { _ = inotify_rm_watch(queue, watch) }

  /// Reads every queued event without waiting.
  public func drainEvents(_ body: (Event) -> Void) {
    // inotify(7): room for one event with the longest name is always enough; more room needs fewer calls.
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while true {
        let count = read(queue, buffer.baseAddress, buffer.count)
        if count <= 0 { return }
        var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        while rest.count >= Self.headerSize {
          let header = rest.loadUnaligned(as: inotify_event.self)
          // The kernel pads the name with zero bytes.
          let bytes = rest.dropFirst(Self.headerSize).prefix(Int(header.len)).prefix { $0 != 0 }
          body(Event(watch: header.wd, mask: Int32(bitPattern: header.mask), name: Array(bytes)))
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.headerSize + Int(header.len)))
        }
      }
    }
  }

  private static let headerSize = MemoryLayout<inotify_event>.size

  /// Waits until there are events, the timeout has passed, or the task is cancelled. After a cancellation this instance
  /// never waits again.
  ///
  /// Each wait starts a thread that blocks in poll(2) and ends with the wait, so a discarded iterator leaves nothing
  /// running.
  ///
  /// - Parameter milliseconds: the timeout; nil for none.
  /// - Returns: false when it did not wait, because the system provided no thread.
  public func wait(atMost milliseconds: Int?) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasThread = SystemThread.start {
          self.block(atMost: milliseconds)
          continuation.resume(returning: true)
        }
        if !hasThread { continuation.resume(returning: false) }
      }
    } onCancel: {
      var one: UInt64 = 1
      _ = write(end, &one, 8)
    }
  }

  private func block(atMost milliseconds: Int?) {
    // poll(2) ignores negative descriptors.
    var descriptors = [queue, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, 2, Int32(clamping: milliseconds ?? -1))
  }
}

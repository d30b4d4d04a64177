import Glibc
package import SystemPackage

/// One inotify instance (inotify(7)) by system calls alone.
@BridgeActor
package final class Inotify {
  package struct Event: Sendable {
    package var watch: Int32
    package var mask: Int32
    /// The entry's name in the watched directory; empty for the directory itself.
    package var name: [UInt8]

    package func has(_ flags: Int32) -> Bool { mask & flags != 0 }
  }

  private let queue: Int32
  private let handler: @BridgeActor (Event) -> Void

  /// Calls `handler` with every event, from now on.
  package init(_ handler: @escaping @BridgeActor (Event) -> Void) throws(Errno) {
    self.handler = handler
    queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard queue >= 0 else { throw Errno(rawValue: errno) }
    BridgeActor.loop.add(queue) { [weak self] in self?.drain() }
  }

  /// Handles what the kernel has queued, also before the thread comes to it.
  package func drain() { for event in events() { handler(event) } }

  /// Watches a directory, and no link to one.
  package func watch(_ directory: FilePath, for events: Int32) throws(Errno) -> Int32 {
    let watch = directory.withPlatformString {
      inotify_add_watch(queue, $0, UInt32(bitPattern: events | IN_ONLYDIR | IN_DONT_FOLLOW))
    }
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    return watch
  }

  package func unwatch(_ watch: Int32) { inotify_rm_watch(queue, watch) }

  private func events() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(queue, &buffer, buffer.count)
      guard count > 0 else { return events }
      var start = 0
      // wd, mask, cookie and len of four bytes each; then the name with zero bytes behind it.
      while start + 16 <= count {
        let (watch, mask, length) = buffer.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
            bytes.loadUnaligned(fromByteOffset: start + 4, as: Int32.self),
            Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
          )
        }
        let name = buffer[(start + 16)..<min(count, start + 16 + length)].prefix { $0 != 0 }
        events.append(Event(watch: watch, mask: mask, name: Array(name)))
        start += 16 + length
      }
    }
  }
}

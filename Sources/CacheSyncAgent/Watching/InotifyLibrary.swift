import CInotify
import Glibc
package import SystemPackage

/// One kernel event, copied out of the library's buffer.
package struct InotifyEvent: Sendable {
  package var watch: Int32
  package var mask: UInt32
  /// Pairs the two halves of a rename; 0 for other events.
  package var cookie: UInt32
  /// The entry's name in the watched directory, as bytes; empty for the directory itself.
  package var name: [UInt8]

  package func has(_ flag: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: flag) != 0 }

  package var isOverflow: Bool { has(IN_Q_OVERFLOW) }
  package var isIgnored: Bool { has(IN_IGNORED) }
  package var isUnmount: Bool { has(IN_UNMOUNT) }
  package var isDirectory: Bool { has(IN_ISDIR) }
  package var isSelfGone: Bool { has(IN_DELETE_SELF) || has(IN_MOVE_SELF) || isUnmount }
  package var isMovedFrom: Bool { has(IN_MOVED_FROM) }
  package var isMovedTo: Bool { has(IN_MOVED_TO) }
  package var isCreate: Bool { has(IN_CREATE) }
  package var isDelete: Bool { has(IN_DELETE) }
  package var isAttributes: Bool { has(IN_ATTRIB) }
}

/// The process's one inotify instance, opened by libinotifytools. Only this type knows the C library.
///
/// The library keeps all its state in static variables, so a process has one instance, and one thread calls it. The
/// library opens the instance and decodes the events. Watches are added and removed at its descriptor instead, because
/// the library never forgets a watch that the kernel dropped. Measured on 3.22.6: it keeps 224 bytes for every
/// directory that ever appeared and disappeared, and prints a line on standard error when one is removed.
package struct InotifyLibrary: ~Copyable {
  /// Readable when events wait in the kernel. It does not show events that the library has already read.
  package let descriptor: Int32

  /// Opens the instance. Throws when the kernel refuses one (`EMFILE`: fs.inotify.max_user_instances).
  package init() throws(Errno) {
    let before = Self.instances()
    // A second initialization would leak the first descriptor.
    guard inotifytools_initialize() != 0 else { throw Errno(rawValue: inotifytools_error()) }
    // The library does not export the descriptor; it is the instance that did not exist before.
    guard let found = Self.instances().subtracting(before).first else { throw Errno.badFileDescriptor }
    // The library waits with select(2), and aborts the process when the descriptor exceeds its sets.
    guard found < FD_SETSIZE else {
      inotifytools_cleanup()
      throw Errno.tooManyOpenFiles
    }
    descriptor = found
    _ = fcntl(found, F_SETFD, FD_CLOEXEC)
  }

  private static func instances() -> Set<Int32> {
    var found: Set<Int32> = []
    guard let directory = opendir("/proc/self/fd") else { return found }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
      }
      guard let number else { continue }
      var target = [CChar](repeating: 0, count: 64)
      let length = readlink("/proc/self/fd/\(number)", &target, 63)
      let text = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text == "anon_inode:inotify" { found.insert(number) }
    }
    return found
  }

  /// Watches the directory that is open as `directory`, even if its path has changed since. Returns the number of the
  /// watch, which is the same for the same directory. Makes only a system call, so any thread may call it.
  ///
  /// - Parameter onlyRemovals: whether to report only what leaves the directory.
  package static func watch(
    _ directory: Int32, at instance: Int32, onlyRemovals: Bool = false
  ) throws(Errno) -> Int32 {
    let mask = onlyRemovals ? cachesync_removal_mask : cachesync_watch_mask
    let watch = inotify_add_watch(instance, "/proc/self/fd/\(directory)/.", mask)
    guard watch >= 0 else { throw Errno(rawValue: errno) }
    return watch
  }

  /// Ends a watch. A watch that the kernel already dropped is not an error.
  package static func unwatch(_ watch: Int32, at instance: Int32) { _ = inotify_rm_watch(instance, watch) }

  /// Returns the next event without waiting; nil when there is none. The caller must continue until nil: the library
  /// may have read more events, and the descriptor does not show those.
  package func next() -> InotifyEvent? {
    // Timeout 0 does not wait here, although inotifytools_next_event waits forever with it.
    guard let event = inotifytools_next_events(0, 1) else { return nil }
    var name: [UInt8] = []
    if event.pointee.len > 0, let bytes = cachesync_event_name(event) {
      name = Array(UnsafeRawBufferPointer(start: bytes, count: strnlen(bytes, Int(event.pointee.len))))
    }
    return InotifyEvent(
      watch: event.pointee.wd, mask: event.pointee.mask, cookie: event.pointee.cookie, name: name)
  }
}

package import CacheSyncSystem
import Synchronization
package import SystemPackage

/// An object that receives the events of directories.
package protocol InotifyListener: AnyObject, Sendable {
  @LoopActor func receive(_ event: InotifyEvent, in directory: CachePath)
  /// The kernel dropped events: anything may have changed.
  @LoopActor func overflowed()
}

/// The listeners of each watch, and the path for which each receives its events. The library also has such a map, which
/// becomes wrong when a directory is deleted and created again.
///
/// The kernel has one watch for a directory, whatever paths lead to it. Two mounts of one directory share a watch. So
/// do the old and the new path after a rename whose event was dropped. Each path is therefore a separate entry, which
/// receives every event and ends separately. The kernel's watch ends with the last entry.
package final class WatchTable: Sendable {
  /// The table of the process, for its one inotify instance.
  package static let shared = WatchTable()

  package struct Entry: Sendable {
    package weak var listener: (any InotifyListener)?
    package var directory: CachePath
  }

  private struct State {
    /// The inotify instance; nil while the kernel refuses one.
    var instance: Int32?
    var entries: [Int32: [Entry]] = [:]
  }

  private let state = Mutex(State())

  /// Adds future watches to this instance.
  package func use(_ instance: Int32) { state.withLock { $0.instance = instance } }

  package var isOpen: Bool { state.withLock { $0.instance != nil } }

  package var watchCount: Int { state.withLock { $0.entries.count } }

  /// Watches an open directory, and delivers its events with this path. Callable from any thread.
  ///
  /// - Parameter onlyRemovals: whether to report only what leaves the directory.
  /// - Throws: `tooManyOpenFiles` while the kernel refuses an inotify instance, `noSpace` at the limit of watches.
  package func watch(
    _ directory: Int32, as path: CachePath, for listener: any InotifyListener, onlyRemovals: Bool = false
  ) throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      guard let instance = state.instance else { throw .tooManyOpenFiles }
      let watch = try InotifyLibrary.watch(directory, at: instance, onlyRemovals: onlyRemovals)
      var entries = state.entries[watch, default: []].filter { $0.listener != nil }
      if !entries.contains(where: { $0.listener === listener && $0.directory == path }) {
        entries.append(Entry(listener: listener, directory: path))
      }
      state.entries[watch] = entries
      return watch
    }
  }

  /// Removes the entry of one path from a watch.
  package func unwatch(_ watch: Int32, of path: CachePath, for listener: any InotifyListener) {
    state.withLock { state in
      guard let entries = state.entries[watch] else { return }
      let rest = entries.filter { $0.listener != nil && !($0.listener === listener && $0.directory == path) }
      state.entries[watch] = rest.isEmpty ? nil : rest
      if rest.isEmpty, let instance = state.instance { InotifyLibrary.unwatch(watch, at: instance) }
    }
  }

  /// Returns the entries that receive an event. A watch that the kernel dropped gets its last event here; its number is
  /// never used again.
  package func entries(for event: InotifyEvent) -> [Entry] {
    state.withLock { state in
      defer { if event.isIgnored { state.entries[event.watch] = nil } }
      return state.entries[event.watch] ?? []
    }
  }

  /// Every listener, once.
  var listeners: [any InotifyListener] {
    let all = state.withLock { $0.entries.values.joined().compactMap(\.listener) }
    return Dictionary(all.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first }).values.map { $0 }
  }
}

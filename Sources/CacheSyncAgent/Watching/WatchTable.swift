package import CacheSync
import CLinux
package import CacheSyncSystem
import Synchronization
package import SystemPackage

/// An object that receives the events of directories.
package protocol InotifyListener: AnyObject, Sendable {
  @LoopActor func receive(_ event: InotifyEvent, in directory: CachePath)
  /// The kernel dropped events: anything may have changed.
  @LoopActor func overflowed()
}

/// The listeners of each watch, and the path under which each hears it. The library has such a map too, which goes wrong when a
/// directory is deleted and made again.
///
/// The kernel has one watch for a directory, whatever paths lead to it. Two mounts of one directory share a watch. So do the
/// old path and the new one after a rename whose event was dropped. Each path is therefore an entry of its own, which gets
/// every event and ends by itself; the kernel's watch ends with the last entry.
package final class WatchTable: Sendable {
  /// The process's, for its one inotify instance.
  package static let shared = WatchTable()

  package struct Entry: Sendable {
    package weak var listener: (any InotifyListener)?
    package var directory: CachePath
  }

  private struct State {
    /// The inotify instance; nil while the kernel gives none.
    var instance: Int32?
    var entries: [Int32: [Entry]] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds watches at this instance from now on.
  package func use(_ instance: Int32) { state.withLock { $0.instance = instance } }

  package var isOpen: Bool { state.withLock { $0.instance != nil } }

  package var watchCount: Int { state.withLock { $0.entries.count } }

  /// Watches an open directory, and hands out its events with this path. From any thread.
  ///
  /// - Throws: `tooManyOpenFiles` while the kernel gives no inotify instance, `noSpace` at the limit of watches.
  package func watch(_ directory: Int32, as path: CachePath, for listener: any InotifyListener) throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      guard let instance = state.instance else { throw .tooManyOpenFiles }
      let watch = try InotifyLibrary.watch(directory, at: instance)
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

  /// The entries that get an event. A watch that the kernel dropped has its last event here; its number is never used again.
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

package import CacheSync
import CLinux
import Synchronization
package import SystemPackage

/// Who wants to hear of a directory.
package protocol InotifyListener: AnyObject, Sendable {
  @AgentActor func receive(_ event: InotifyEvent, in directory: CachePath)
  /// The kernel dropped events: anything may have changed.
  @AgentActor func overflowed()
}

/// Which listener hears which watch, and under which path: the process's own map, because the library's goes wrong when a
/// directory is deleted and made again.
///
/// The kernel has one watch for a directory, whatever paths lead to it: after a rename that it did not tell of (an overflow)
/// the old path and the new one share a watch, and so do two mounts of one directory. Each path is therefore an entry of its
/// own, is told of every event, and ends by itself; the kernel's watch ends with the last.
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

  /// Watches are added at this instance from now on.
  package func use(_ instance: Int32) { state.withLock { $0.instance = instance } }

  package var isOpen: Bool { state.withLock { $0.instance != nil } }

  package var watchCount: Int { state.withLock { $0.entries.count } }

  /// Watches an open directory; the path is what events in it will be told with. May be called on any thread.
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

  /// Ends what one path hears through a watch.
  package func unwatch(_ watch: Int32, of path: CachePath, for listener: any InotifyListener) {
    state.withLock { state in
      guard let entries = state.entries[watch] else { return }
      let rest = entries.filter { $0.listener != nil && !($0.listener === listener && $0.directory == path) }
      state.entries[watch] = rest.isEmpty ? nil : rest
      if rest.isEmpty, let instance = state.instance { InotifyLibrary.unwatch(watch, at: instance) }
    }
  }

  /// Who hears an event of a watch. One that the kernel dropped is told for the last time; its number is never used again.
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

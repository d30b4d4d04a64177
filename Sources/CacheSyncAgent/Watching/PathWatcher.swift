import CLinux
package import CacheSyncSystem
import Glibc
import Synchronization
package import SystemPackage

/// Watches the names that determine where a path leads: its last component, those of the links on the way, and the first
/// one that is missing.
///
/// Each name is watched before it is read, so that no change is missed. Callable from any thread, one at a time.
package final class PathWatcher: InotifyListener {
  package struct Destination: Sendable {
    /// The path with every link resolved. Nothing need be there.
    package var path: FilePath
    /// The links on the way, each with those before it resolved.
    package var links: [FilePath] = []
    /// Whether all the names are watched. Otherwise the caller must look again later.
    package var isWatched = true
  }

  private struct Watch: Equatable {
    var number: Int32
    /// The watched name. The events of its directory are delivered with it.
    var name: CachePath
  }

  private let path: FilePath
  private let watches = Mutex<[Watch]>([])
  private let changed: @LoopActor @Sendable () -> Void

  /// Watches nothing yet; ``look()`` does.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - changed: called when the path may lead elsewhere. The caller then looks again.
  package init(_ path: FilePath, _ changed: @escaping @LoopActor @Sendable () -> Void) {
    self.path = path
    self.changed = changed
  }

  deinit {
    for watch in watches.withLock(\.self) { WatchTable.shared.unwatch(watch.number, of: watch.name, for: self) }
  }

  /// Returns where the path leads now, and watches the names on that way and no others.
  @discardableResult
  package func look() -> Destination {
    InotifyWatcher.openIfNeeded()
    let root = FilePath(root: "/")
    var destination = Destination(path: root)
    var found: [Watch] = []
    var isMissing = false
    var names = Array(path.components)
    while !names.isEmpty {
      let name = names.removeFirst()
      if name.kind == .currentDirectory { continue }
      if name.kind == .parentDirectory {
        destination.path.removeLastComponent()
        continue
      }
      let place = destination.path.appending(name)
      var target = place.linkTarget
      if !isMissing, names.isEmpty || target != nil || !place.exists {
        if let watch = watch(name, in: destination.path) {
          found.append(watch)
        } else {
          destination.isWatched = false
        }
        // It may have changed since it was read.
        target = place.linkTarget
        isMissing = !place.exists
      }
      // The kernel follows at most 40 links.
      guard let target, destination.links.count < 40 else {
        destination.path = place
        continue
      }
      destination.links.append(place)
      names = target.components + names
      if target.isAbsolute { destination.path = root }
    }
    // The new watches come first, so that the kernel keeps those that stay.
    let old = watches.withLock { watches in
      defer { watches = found }
      return watches
    }
    for watch in old where !found.contains(watch) { WatchTable.shared.unwatch(watch.number, of: watch.name, for: self) }
    return destination
  }

  private func watch(_ name: FilePath.Component, in directory: FilePath) -> Watch? {
    let name = CachePath(bytes: FilePath(root: nil, [name]).bytes)
    let opened = directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let descriptor = Descriptor(opened), clinux_filesystem_has_events(clinux_filesystem_type(descriptor.raw)),
      let number = try? WatchTable.shared.watch(descriptor.raw, as: name, for: self)
    else { return nil }
    return Watch(number: number, name: name)
  }

  package func receive(_ event: InotifyEvent, in name: CachePath) {
    if event.name.isEmpty ? event.isSelfGone || event.isIgnored : event.name == name.bytes { changed() }
  }

  package func overflowed() { changed() }
}

import CacheSync
import CLinux
package import CacheSyncSystem
import Glibc
import SystemPackage

/// Detects changes of names in a directory.
@LoopActor
final class NameWatcher: InotifyListener {
  private let names: Set<[UInt8]>
  private let onlyPresence: Bool
  private var watch: Int32?
  private let changed: @LoopActor () -> Void

  /// Nil when there is no directory to watch, or the kernel refuses the watch.
  ///
  /// - Parameter onlyPresence: whether only the coming and going of an entry counts, and no other change of one.
  init?(
    _ names: Set<[UInt8]>, in directory: FilePath, onlyPresence: Bool = false,
    _ changed: @escaping @LoopActor () -> Void
  ) {
    self.names = names
    self.onlyPresence = onlyPresence
    self.changed = changed
    let opened = directory.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let descriptor = Descriptor(opened),
      let watch = try? WatchTable.shared.watch(descriptor.raw, as: .root, for: self)
    else { return nil }
    self.watch = watch
  }

  /// Watches in the parent directory whether a directory comes or goes. Nil when there is no parent to watch; while the
  /// directory is missing, the agent then polls every 2 s.
  convenience init?(forPresenceOf path: CachePath, _ changed: @escaping @LoopActor () -> Void) {
    guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let parent = FilePath(bytes: Array(path.bytes[...slash]))
    self.init([Array(path.bytes[(slash + 1)...])], in: parent, onlyPresence: true, changed)
  }

  isolated deinit {
    if let watch { WatchTable.shared.unwatch(watch, of: .root, for: self) }
  }

  func receive(_ event: InotifyEvent, in directory: CachePath) {
    let isPresence = event.isCreate || event.isMovedTo || event.isDelete || event.isMovedFrom
    if names.contains(event.name), !onlyPresence || isPresence { changed() }
  }

  func overflowed() { changed() }
}

/// Detects changes in the directory of definitions for all caches, and detects when its path leads to another
/// directory.
///
/// While there is no directory, or the kernel refuses a watch, it polls every 2 s.
@LoopActor
final class DefinitionsWatcher: InotifyListener {
  private let path: FilePath
  private var place: PathWatcher?
  private var watch: Int32?
  private var alarm: Int?
  private let changed: @LoopActor () -> Void

  init(_ path: FilePath, _ changed: @escaping @LoopActor () -> Void) {
    self.path = path
    self.changed = changed
    place = PathWatcher(path) { [weak self] in self?.lookAgain() }
    listen()
  }

  isolated deinit { unwatch() }

  private func unwatch() {
    if let watch { WatchTable.shared.unwatch(watch, of: .root, for: self) }
    watch = nil
    if let alarm { Alarms.shared.cancel(alarm) }
    alarm = nil
  }

  private func listen() {
    unwatch()
    place?.look()
    let opened = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if let descriptor = Descriptor(opened), clinux_filesystem_has_events(clinux_filesystem_type(descriptor.raw)) {
      watch = try? WatchTable.shared.watch(descriptor.raw, as: .root, for: self)
    }
    if watch != nil { return }
    alarm = Alarms.shared.set(after: OpenCache.pollInterval) { [weak self] in self?.lookAgain() }
  }

  /// Watches the directory that is at the path now.
  func lookAgain() {
    listen()
    changed()
  }

  func receive(_ event: InotifyEvent, in directory: CachePath) {
    if event.name.isEmpty {
      if event.isSelfGone || event.isIgnored { lookAgain() }
    } else if event.name.hasSuffix(".json") || event.isMovedTo {
      // A link that switches all its files at once is renamed into place, as Kubernetes does.
      changed()
    }
  }

  func overflowed() { lookAgain() }
}

/// Detects mounts and unmounts. They cause no inotify event; the kernel marks the mount table as exceptional (proc(5)).
@LoopActor
final class MountWatcher {
  private let table: Descriptor
  private var token: UInt64?

  /// Nil when there is no `/proc`; then the sweep detects mounts.
  ///
  /// - Parameter changed: called with the new table.
  init?(_ changed: @escaping @LoopActor (MountTable) -> Void) {
    guard let table = Descriptor(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)) else { return nil }
    let raw = table.raw
    self.table = table
    token = LoopActor.shared.loop.add(raw, for: .priority) {
      // Reading clears the mark; without it the descriptor would stay ready forever.
      changed(MountTable(reading: raw))
    }
  }

  isolated deinit {
    if let token { LoopActor.shared.loop.remove(table.raw, token: token) }
  }
}

/// The kernel's table of mounts. It finds the disk of a path without accessing the disk.
package struct MountTable: Sendable {
  /// The devices, as the kernel writes them ("8:1"), keyed by their mount points.
  private var devices: [[UInt8]: [UInt8]] = [:]

  /// The current table; empty when there is no `/proc`.
  package static var current: MountTable {
    guard let table = Descriptor(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)) else { return MountTable("") }
    return MountTable(reading: table.raw)
  }

  fileprivate init(reading table: Int32) {
    lseek(table, 0, SEEK_SET)
    self.init((try? FileDescriptor(rawValue: table).readAll()) ?? [])
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// The third field of each line is the device, the fifth the path, with blanks and similar characters as `\ooo`
  /// (proc(5)).
  private init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      // The last mount on a path hides the earlier ones.
      if fields.count > 4 { devices[Self.unescaped(fields[4])] = Array(fields[2]) }
    }
  }

  /// Returns the device of the mount that contains a path: that of its nearest mount point.
  package func device(of path: CachePath) -> [UInt8] {
    var bytes = path.bytes[...]
    while true {
      if let device = devices[Array(bytes)] { return device }
      guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return devices[[UInt8(ascii: "/")]] ?? [] }
      bytes = bytes[..<slash]
    }
  }

  /// Returns the paths whose mounts differ from those in another table.
  package func differences(from other: MountTable) -> [[UInt8]] {
    Set(devices.keys).union(other.devices.keys).filter { devices[$0] != other.devices[$0] }
  }

  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
        path.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 0x30) })
        rest = rest.dropFirst(3)
      } else {
        path.append(byte)
      }
    }
    return path
  }
}

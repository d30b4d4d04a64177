import Glibc
import SystemPackage

/// Notices that the system's time zone was set: `/etc/localtime` is replaced by a rename, so its directory is watched.
@AgentActor
final class ZoneWatcher: InotifyListener {
  private static let names: Set<[UInt8]> = [Array("localtime".utf8), Array("timezone".utf8)]
  private var watch: Int32?
  private let changed: @AgentActor () -> Void

  init(_ changed: @escaping @AgentActor () -> Void) {
    self.changed = changed
    guard let directory = Descriptor(open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return }
    watch = try? InotifyWatcher.shared.watch(directory.raw, as: .root, for: self)
  }

  isolated deinit {
    if let watch { InotifyWatcher.shared.unwatch(watch, for: self) }
  }

  func receive(_ event: InotifyEvent, in directory: CachePath) {
    if Self.names.contains(event.name) { changed() }
  }

  func overflowed() { changed() }
}

/// Notices mounts and unmounts, which inotify tells nothing of: the kernel marks the mount table as exceptional (proc(5)).
@AgentActor
final class MountWatcher {
  private let table: Descriptor
  private var token: UInt64?
  private var places: Set<[UInt8]>

  /// - Parameter changed: told where something was mounted or unmounted.
  ///
  /// Nil where there is no `/proc`; then the sweep notices.
  init?(_ changed: @escaping @AgentActor (_ places: Set<[UInt8]>) -> Void) {
    guard let table = Descriptor(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)) else { return nil }
    let raw = table.raw
    self.table = table
    places = Self.places(in: raw)
    token = AgentActor.shared.loop.add(raw, for: .priority) { [weak self] in
      // The news is taken by reading anew; unread, the descriptor would stay ready for ever.
      let places = Self.places(in: raw)
      guard let self else { return }
      let different = self.places.symmetricDifference(places)
      self.places = places
      changed(different)
    }
  }

  isolated deinit {
    if let token { AgentActor.shared.loop.remove(table.raw, token: token) }
  }

  /// The paths on which something is mounted: the fifth field of each line, with blanks and the like as `\ooo` (proc(5)).
  private static func places(in table: Int32) -> Set<[UInt8]> {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    lseek(table, 0, SEEK_SET)
    while true {
      let count = read(table, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.split(separator: UInt8(ascii: " ")) }
    return Set(lines.filter { $0.count > 4 }.map { unescaped($0[4]) })
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

/// Notices that a cache directory which was gone may be back: something appeared in its parent under its name.
@AgentActor
final class ReturnWatcher: InotifyListener {
  private var watch: Int32?
  private let name: [UInt8]
  private let returned: @AgentActor () -> Void

  /// Nil when there is no parent to watch; then asking again every 2 s finds out.
  init?(for path: FilePath, _ returned: @escaping @AgentActor () -> Void) {
    guard let last = path.lastComponent else { return nil }
    name = FilePath(root: nil, [last]).bytes
    self.returned = returned
    let parent = path.removingLastComponent()
    let result = parent.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let directory = Descriptor(result) else { return nil }
    guard let watch = try? InotifyWatcher.shared.watch(directory.raw, as: .root, for: self) else { return nil }
    self.watch = watch
  }

  isolated deinit {
    if let watch { InotifyWatcher.shared.unwatch(watch, for: self) }
  }

  func receive(_ event: InotifyEvent, in directory: CachePath) {
    if event.name == name, event.isCreate || event.isMovedTo { returned() }
  }

  func overflowed() { returned() }
}

import CLinux
import Glibc
import SystemPackage

/// Follows one cache's `snapshots/` for one iterator.
///
/// It acts only while the iterator is asked: what happens in between waits in the kernel's queue, which is bounded and says
/// when it dropped events. So nothing is kept here but the names of kinds.
final class SnapshotListener {
  private enum Place { case parent, cache, snapshots }

  /// How often it looks at what it cannot hear, as the agent does (CONTRACT section 6).
  private static let pollingInterval = Duration.seconds(2)

  private let reader: SnapshotReader
  private let kinds: [String]
  private var inotify = InotifyInstance()
  private var watches: [Int32: Place] = [:]
  /// When to look at everything; nil: what matters is heard.
  private var nextLook: Uptime?
  /// The kinds that may have changed, in the order in which they did.
  private var changed: [String] = []
  /// Of the bytes of every snapshot that was told of: in a cache that was made anew the same generation may come again.
  private var digests: [String: Int] = [:]
  private var isOver = false

  init(cache: FilePath, kinds: [String]?) {
    reader = SnapshotReader(cache: (try? cache.resolvingLinks()) ?? cache)
    self.kinds = kinds ?? FeedRegistry.kinds.map(\.name.description)
    watch()
    // Read once the watches are there, so that no publication falls between the two.
    for kind in self.kinds { digests[kind] = (try? reader.bytes(of: kind))?.hashValue }
  }

  func next() async -> Snapshot? {
    while !isOver, !Task.isCancelled {
      listen()
      if let snapshot = readChanged() { return snapshot }
      await wait()
    }
    isOver = true
    return nil
  }

  /// The newest of the kind that has waited longest; nil when none changed.
  private func readChanged() -> Snapshot? {
    while !changed.isEmpty {
      let kind = changed.removeFirst()
      do {
        let bytes = try reader.bytes(of: kind)
        let digest = bytes.hashValue
        guard digests[kind] != digest else { continue }
        let snapshot = try Snapshot(bytes: bytes)
        digests[kind] = digest
        return snapshot
      } catch .unreadable {
        // Perhaps only for the moment, such as for want of descriptors.
        lookLater()
      } catch {
        // What is missing or damaged is told of when it is published.
      }
    }
    return nil
  }

  private func wait() async {
    let rest = nextLook.map { Uptime.now().milliseconds(until: $0) }
    if await inotify.wait(atMost: rest) { return }
    try? await Task.sleep(for: Self.pollingInterval)
  }

  private func lookLater() { nextLook = nextLook ?? Uptime.now().advanced(by: Self.pollingInterval) }

  /// Takes what the kernel has told.
  private func listen() {
    var mustLook = nextLook.map { $0 <= Uptime.now() } ?? false
    inotify.takeEvents { event in
      // inotify(7): IN_Q_OVERFLOW carries wd -1.
      if event.has(IN_Q_OVERFLOW) { mustLook = true }
      guard let place = watches[event.watch] else { return }
      if event.has(IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF) { mustLook = true }
      switch place {
      case .parent: if event.name == reader.cache.lastComponent?.string { mustLook = true }
      case .cache: if event.name == CacheLayout.snapshots { mustLook = true }
      case .snapshots: noteFile(event.name)
      }
    }
    guard mustLook else { return }
    watch()
    changed = kinds
  }

  private func noteFile(_ name: String) {
    guard name.hasSuffix(".json") else { return }
    let kind = String(name.dropLast(5))
    if kinds.contains(kind), !changed.contains(kind) { changed.append(kind) }
  }

  /// Watches what is there now, and no longer what was there before.
  private func watch() {
    nextLook = nil
    if !inotify.isOpen { inotify = InotifyInstance() }
    if !inotify.isOpen { lookLater() }
    let before = watches
    watches = [:]
    defer { for watch in before.keys where watches[watch] == nil { inotify.unwatch(watch) } }
    do throws(Errno) {
      try watch(reader.cache, as: .cache, for: IN_CREATE | IN_MOVED_TO)
    } catch {
      // Not there, or a link, which is followed but not watched: its replacement would not be heard. The parent tells of what
      // comes under the name, and whatever the parent cannot tell is looked for.
      try? watch(reader.cache.removingLastComponent(), as: .parent, for: IN_CREATE | IN_MOVED_TO)
      return lookLater()
    }
    do throws(Errno) {
      try watch(reader.cache.appending(CacheLayout.snapshots), as: .snapshots, for: IN_MOVED_TO)
    } catch {
      // The cache's own watch tells when it is made.
      if error != .noSuchFileOrDirectory { lookLater() }
    }
  }

  private func watch(_ directory: FilePath, as place: Place, for events: Int32) throws(Errno) {
    watches[try inotify.watch(directory, for: events | IN_DELETE_SELF | IN_MOVE_SELF)] = place
    if !directory.withPlatformString(clinux_path_has_events) { lookLater() }
  }
}

import CLinux
import CacheSyncSystem
import Glibc
package import SystemPackage

/// Follows one cache's `snapshots/` for one iterator, or for a program with a wait loop of its own.
///
/// It works only while it is called. In between the kernel queues the events; the queue is bounded and reports when it
/// dropped some. So the listener keeps the names of kinds and nothing else.
package final class SnapshotListener {
  private enum Place { case parent, cache, snapshots }

  /// How often it reads the snapshots where it has no watch, as the agent does (contract.md section 6).
  private static let pollingInterval = Duration.seconds(2)

  private let reader: SnapshotReader
  /// Nil: all kinds, including those of feeds that are not defined yet.
  private let wanted: [String]?
  private var inotify = InotifyInstance()
  private var watches: [Int32: Place] = [:]
  /// When to read every snapshot; nil: the watches report every change.
  private var nextPoll: Uptime?
  /// The kinds that may have changed, in the order in which they did.
  private var changed: [String] = []
  /// The digest of the last bytes given to the app, by kind. A generation is not enough, because a cache that was made
  /// again may use the same one.
  private var digests: [String: Int] = [:]
  /// The kinds whose files may be in the middle of their replacement, and when to look at each again; nil stands for
  /// the manifest.
  private var doubts: [String?: (rereading: Rereading, due: Uptime)] = [:]
  private var isOver = false

  package init(cache: FilePath, kinds: [String]?, startingWithCurrent: Bool) {
    reader = SnapshotReader(cache: (try? cache.resolvingLinks()) ?? cache)
    wanted = kinds
    watch()
    // Read after the watches exist, so that no publication is missed between the two.
    if startingWithCurrent {
      changed = self.kinds
    } else {
      for kind in self.kinds {
        if case .read(let bytes) = look(at: kind, SnapshotReader.whole) { digests[kind] = bytes.hashValue }
      }
    }
  }

  func next() async -> Snapshot? {
    while !isOver, !Task.isCancelled {
      if let snapshot = nextChanged() { return snapshot }
      await wait()
    }
    isOver = true
    return nil
  }

  // MARK: For a program with a wait loop of its own

  /// Readable when something may have changed; negative: there is no descriptor to wait for, only a time.
  package var descriptor: Int32 { inotify.queue }

  /// How long to wait at most; nil: until ``descriptor`` is readable.
  package var milliseconds: Int? {
    (doubts.values.map(\.due) + [nextPoll].compactMap(\.self)).min().map { Uptime.now().milliseconds(until: $0) }
  }

  /// Whether ``nextChanged()`` may have a snapshot to give. It reads no snapshot, and keeps only the names of the
  /// kinds.
  package var hasChanges: Bool {
    readEvents()
    return !changed.isEmpty
  }

  /// The newest snapshot of the kind that changed first, without waiting; nil if no kind changed.
  package func nextChanged() -> Snapshot? {
    readEvents()
    return readChanged()
  }

  /// Makes ``nextChanged()`` give the snapshots of these kinds again, changed or not.
  package func readAgain(_ kinds: some Sequence<String>) {
    for kind in kinds {
      digests[kind] = nil
      if !changed.contains(kind) { changed.append(kind) }
    }
  }

  /// The newest snapshot of the kind that changed first; nil if no kind changed.
  private func readChanged() -> Snapshot? {
    while !changed.isEmpty {
      let kind = changed.removeFirst()
      let known = digests[kind]
      let look = look(at: kind) { bytes -> (snapshot: Snapshot?, digest: Int)? in
        let digest = bytes.hashValue
        if digest == known { return (nil, digest) }
        return (try? Snapshot(bytes: bytes)).map { ($0, digest) }
      }
      judge(look, of: kind)
      switch look {
      case .read(let found):
        digests[kind] = found.digest
        if let snapshot = found.snapshot { return snapshot }
      // The reason may pass, such as too many open files, so the listener retries.
      case .failed(.unreadable): pollLater()
      // A missing or damaged snapshot comes when it is published.
      case .failed, .doubtful: break
      }
    }
    return nil
  }

  private func look<Value>(at kind: String, _ parse: ([UInt8]) -> Value?) -> SnapshotReader.Look<Value> {
    guard FilePath.Component(kind)?.kind == .regular else { return .failed(.missing(kind)) }
    return reader.look(at: "\(kind).json", parse)
  }

  /// Arranges for another look at what is in doubt, unless it has been for too long.
  private func judge<Value>(_ look: SnapshotReader.Look<Value>, of kind: String?) {
    let earlier = doubts.removeValue(forKey: kind)
    guard case .doubtful = look else { return }
    var rereading = earlier?.rereading ?? Rereading()
    if let pause = rereading.pause() { doubts[kind] = (rereading, Uptime.now().advanced(by: pause)) }
  }

  private func wait() async {
    if await inotify.wait(atMost: milliseconds) { return }
    try? await Task.sleep(for: Self.pollingInterval)
  }

  private func pollLater() { nextPoll = nextPoll ?? Uptime.now().advanced(by: Self.pollingInterval) }

  /// Reads the kernel's events.
  private func readEvents() {
    let cacheName = reader.cache.lastComponent.map { FilePath(root: nil, [$0]).bytes }
    var mustReadAll = nextPoll.map { $0 <= Uptime.now() } ?? false
    inotify.drainEvents { event in
      // inotify(7): IN_Q_OVERFLOW carries wd -1.
      if event.has(IN_Q_OVERFLOW) { mustReadAll = true }
      guard let place = watches[event.watch] else { return }
      if event.has(IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF) { mustReadAll = true }
      switch place {
      case .parent: if event.name == cacheName { mustReadAll = true }
      case .cache: if event.name.elementsEqual(CacheLayout.snapshots.utf8) { mustReadAll = true }
      case .snapshots: recordFile(String(decoding: event.name, as: UTF8.self))
      }
    }
    for (kind, doubt) in doubts where doubt.due <= Uptime.now() {
      // What waits to be read stays first, in its order.
      for kind in kind.map({ [$0] }) ?? kinds where !changed.contains(kind) { changed.append(kind) }
    }
    guard mustReadAll else { return }
    watch()
    changed = kinds
  }

  private var kinds: [String] {
    if let wanted { return wanted }
    let known = KnownKind.all.map(\.name)
    let look = reader.lookAtKinds()
    judge(look, of: nil)
    guard case .read(let published) = look else { return known }
    return known + published.filter { !known.contains($0) }
  }

  private func recordFile(_ name: String) {
    guard let kind = KindName(fileName: name)?.description, wanted?.contains(kind) ?? true else { return }
    if !changed.contains(kind) { changed.append(kind) }
  }

  /// Watches the directories that exist now, and drops the watches of earlier ones.
  private func watch() {
    nextPoll = nil
    if !inotify.isOpen { inotify = InotifyInstance() }
    if !inotify.isOpen { pollLater() }
    let before = watches
    watches = [:]
    defer { for watch in before.keys where watches[watch] == nil { inotify.unwatch(watch) } }
    do throws(Errno) {
      try watch(reader.cache, as: .cache, for: IN_CREATE | IN_MOVED_TO)
    } catch {
      // Missing, or a link. A link is not watched, because the watch would not report its replacement. The parent's
      // watch reports what gets the name; the listener polls for the rest.
      try? watch(reader.cache.removingLastComponent(), as: .parent, for: IN_CREATE | IN_MOVED_TO)
      return pollLater()
    }
    do throws(Errno) {
      try watch(reader.cache.appending(CacheLayout.snapshots), as: .snapshots, for: IN_MOVED_TO)
    } catch {
      // The cache's own watch reports when `snapshots/` is made.
      if error != .noSuchFileOrDirectory { pollLater() }
    }
  }

  private func watch(_ directory: FilePath, as place: Place, for events: Int32) throws(Errno) {
    watches[try inotify.watch(directory, for: events | IN_DELETE_SELF | IN_MOVE_SELF)] = place
    if !directory.withPlatformString(clinux_path_has_events) { pollLater() }
  }
}

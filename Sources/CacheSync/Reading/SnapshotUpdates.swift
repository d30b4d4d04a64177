import Glibc
public import SystemPackage

/// Every snapshot that changes in a cache from now on, as it is published. It needs no agent to talk to: it hears the
/// renames, and goes on when `snapshots/` or the whole cache is made anew.
///
///     for await snapshot in SnapshotUpdates(cache: "/home/me/.cache/cachesync", kinds: ["meal-plan"]) {
///       show(snapshot.entry(at: .now))
///     }
public struct SnapshotUpdates: AsyncSequence, Sendable {
  /// A snapshot as it was published.
  public typealias Element = Snapshot

  private let cache: FilePath
  private let kinds: Set<String>?

  /// - Parameters:
  ///   - cache: the cache directory.
  ///   - kinds: those wanted; nil: all.
  public init(cache: FilePath, kinds: [String]? = nil) {
    self.cache = cache
    self.kinds = kinds.map(Set.init)
  }

  /// Waits for one snapshot after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Snapshot>.Iterator

    /// The next snapshot that changes; nil once the task is cancelled.
    public mutating func next() async -> Snapshot? { await base.next() }
  }

  /// Begins to listen: every publication after this call is told, however late the listening starts. Several in quick
  /// succession may show as one, the newest.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self)
    let (reader, kinds) = (SnapshotReader(cache: cache), kinds)
    // What is there when this is called is known; what changes from here on is told, however late the listening begins.
    let known = SnapshotListener.digests(reader, kinds)
    let task = Task { @AgentActor in
      let listener = SnapshotListener(reader, kinds: kinds, known: known) { continuation.yield($0) }
      listener.lookAgain()
      // The listener lives as long as somebody listens.
      await withTaskCancellationHandler {
        await listener.untilStopped()
      } onCancel: {
        Task { @AgentActor in listener.stop() }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return AsyncIterator(base: stream.makeAsyncIterator())
  }
}

/// Watches one cache's `snapshots/` for a reader.
@AgentActor
private final class SnapshotListener: InotifyListener {
  private let reader: SnapshotReader
  private let kinds: Set<String>?
  private let yield: (Snapshot) -> Void
  private var watches: [Int32] = []
  private var returnWatcher: ReturnWatcher?
  private var pollTimer: LoopTimer?
  /// Of the bytes of every snapshot that was told of: in a cache that was made anew the same generation may come again.
  private var digests: [String: Int]
  private var waiting: CheckedContinuation<Void, Never>?
  private var isStopped = false

  init(
    _ reader: SnapshotReader, kinds: Set<String>?, known: [String: Int], yield: @escaping (Snapshot) -> Void
  ) {
    self.reader = reader
    self.kinds = kinds
    self.yield = yield
    digests = known
  }

  nonisolated static func digests(_ reader: SnapshotReader, _ kinds: Set<String>?) -> [String: Int] {
    var found: [String: Int] = [:]
    for name in names(kinds) { found[name] = (try? reader.snapshot(name))?.bytes.hashValue }
    return found
  }

  private nonisolated static func names(_ kinds: Set<String>?) -> [String] {
    FeedRegistry.kinds.map(\.name.description).filter { kinds?.contains($0) ?? true }
  }

  func untilStopped() async {
    if isStopped { return }
    await withCheckedContinuation { waiting = $0 }
  }

  func stop() {
    isStopped = true
    for watch in watches { InotifyWatcher.shared.unwatch(watch, for: self) }
    watches = []
    returnWatcher = nil
    pollTimer = nil
    waiting?.resume()
    waiting = nil
  }

  private static let snapshots = CachePath(CacheLayout.snapshots)

  private func watch() {
    for watch in watches { InotifyWatcher.shared.unwatch(watch, for: self) }
    watches = []
    guard let root = Descriptor(reader.cache.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }) else {
      returnWatcher = ReturnWatcher(for: reader.cache) { [weak self] in self?.lookAgain() }
      return poll()
    }
    do {
      watches.append(try InotifyWatcher.shared.watch(root.raw, as: .root, for: self))
      if let directory = try? Directory.open(Self.snapshots, in: root.raw) {
        watches.append(try InotifyWatcher.shared.watch(directory.raw, as: Self.snapshots, for: self))
      }
    } catch {
      poll()
    }
  }

  /// What cannot be heard is looked at, as the agent does it too.
  private func poll() {
    pollTimer = LoopTimer(.uptime) { [weak self] _ in self?.lookAgain() }
    pollTimer?.arm(at: Uptime.now().advanced(by: .seconds(2)))
  }

  func lookAgain() {
    guard !isStopped else { return }
    returnWatcher = nil
    pollTimer = nil
    watch()
    for name in Self.names(kinds) { look(at: name) }
  }

  private func read(_ name: String) throws(SnapshotError) -> Snapshot { try reader.snapshot(name) }

  private func look(at name: String) {
    guard let snapshot = try? read(name), digests[name] != snapshot.bytes.hashValue else { return }
    digests[name] = snapshot.bytes.hashValue
    yield(snapshot)
  }

  func receive(_ event: InotifyEvent, in directory: CachePath) {
    if event.isSelfGone || event.isIgnored { return lookAgain() }
    guard event.isMovedTo || event.isCreate else { return }
    if directory.isRoot {
      if event.name == Self.snapshots.bytes { lookAgain() }
      return
    }
    guard event.isMovedTo, event.name.hasSuffix(".json") else { return }
    let name = String(decoding: event.name.dropLast(5), as: UTF8.self)
    if kinds?.contains(name) ?? (FeedRegistry.kind(named: KindName(name)) != nil) { look(at: name) }
  }

  func overflowed() { lookAgain() }
}

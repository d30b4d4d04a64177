public import SystemPackage

/// Every snapshot that changes in a cache from now on, as it is published. It needs no agent to talk to: it hears the
/// renames, and goes on when `snapshots/` or the whole cache is made anew.
///
///     for await snapshot in SnapshotUpdates(cache: "/home/me/.cache/cachesync", kinds: ["meal-plan"]) {
///       show(snapshot.entry(at: .now))
///     }
///
/// A slow app costs no memory: the loop keeps only which kinds changed, and gives the newest snapshot of each.
public struct SnapshotUpdates: AsyncSequence, Sendable {
  /// A snapshot as it was published.
  public typealias Element = Snapshot

  private let cache: FilePath
  private let kinds: [String]?

  /// - Parameters:
  ///   - cache: the cache directory, which need not exist yet. A symbolic link is resolved once, in ``makeAsyncIterator()``.
  ///   - kinds: those wanted; nil: all.
  public init(cache: FilePath, kinds: [String]? = nil) {
    self.cache = cache
    self.kinds = kinds
  }

  /// Waits for one snapshot after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let listener: SnapshotListener

    /// The next snapshot that changes, read when this is called; nil once the task is cancelled.
    public mutating func next() async -> Snapshot? { await listener.next() }
  }

  /// Begins to follow: the loop gives every publication after this call. Several may show as one, the newest: in quick
  /// succession, or before ``AsyncIterator/next()`` is called.
  ///
  /// Each iterator has an inotify instance of its own until it is dropped, as a loop does at its end. A user may have 128
  /// (`fs.inotify.max_user_instances`), so one iterator for several kinds is better than one for each. Without an instance
  /// it reads the snapshots every 2 s.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(listener: SnapshotListener(cache: cache, kinds: kinds))
  }
}

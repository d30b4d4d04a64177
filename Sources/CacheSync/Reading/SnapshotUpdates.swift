public import SystemPackage

/// Every snapshot that changes in a cache from now on, as it is published.
///
/// It needs no connection to an agent: the kernel reports the renames. It continues when `snapshots/` or the whole
/// cache is replaced.
///
///     for await snapshot in SnapshotUpdates(cache: "/home/me/.cache/cachesync", kinds: ["meal-plan"]) {
///       show(snapshot.entry(at: .now))
///     }
///
/// A slow app costs no memory: the loop keeps only the names of the kinds that changed, and gives the newest snapshot
/// of each.
public struct SnapshotUpdates: AsyncSequence, Sendable {
  /// A snapshot as it was published.
  public typealias Element = Snapshot

  private let cache: FilePath
  private let kinds: [String]?
  private let startsWithCurrent: Bool

  /// - Parameters:
  ///   - cache: the cache directory, which need not exist yet. ``makeAsyncIterator()`` resolves a symbolic link once.
  ///   - kinds: the kinds to follow; nil: all.
  ///   - startingWithCurrent: whether the loop first gives the current snapshots, in the order of `kinds` or of
  ///     ``SnapshotReader/kinds()``, and then the changes. No change is missed between the two. A kind that is not
  ///     published yet comes when it is.
  public init(cache: FilePath, kinds: [String]? = nil, startingWithCurrent: Bool = false) {
    self.cache = cache
    self.kinds = kinds
    startsWithCurrent = startingWithCurrent
  }

  /// Waits for one snapshot after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let listener: SnapshotListener

    /// The next snapshot that changes, read when this is called; nil once the task is cancelled.
    public mutating func next() async -> Snapshot? { await listener.next() }
  }

  /// Begins to follow: the loop gives every publication after this call. If several follow in quick succession, or
  /// before ``AsyncIterator/next()`` is called, it may give only the newest.
  ///
  /// Each iterator has an inotify instance of its own until it is dropped, as a loop does at its end. A user may have
  /// 128 (`fs.inotify.max_user_instances`), so use one iterator for several kinds instead of one for each. Without an
  /// instance it reads the snapshots every 2 s.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(listener: SnapshotListener(cache: cache, kinds: kinds, startingWithCurrent: startsWithCurrent))
  }
}

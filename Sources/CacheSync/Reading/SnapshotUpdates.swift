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
  private let startsWithCurrent: Bool

  /// - Parameters:
  ///   - cache: the cache directory, which need not exist yet. A symbolic link is resolved once, in ``makeAsyncIterator()``.
  ///   - kinds: those wanted; nil: all.
  ///   - startingWithCurrent: whether the loop first gives what is published, in the order of `kinds` or, of all, in that of
  ///     ``SnapshotReader/kinds()``, and then what changes. Nothing is missed between the two. A kind of which nothing is published is
  ///     given when it is.
  public init(cache: FilePath, kinds: [String]? = nil, startingWithCurrent: Bool = false) {
    self.cache = cache
    self.kinds = kinds
    startsWithCurrent = startingWithCurrent
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
    AsyncIterator(listener: SnapshotListener(cache: cache, kinds: kinds, startingWithCurrent: startsWithCurrent))
  }
}

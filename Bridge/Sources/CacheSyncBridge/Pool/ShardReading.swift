import CacheSync
import CacheSyncSystem

/// Reads what the engine has of a shard: first `out`, which lists the files with a last good version, then `in`, which
/// it continues to follow.
@LoopActor
final class ShardReading {
  enum Event {
    /// The reading of `out` begins. Discard what was reported of it before.
    case beginning
    /// A cache's set, as the engine has it.
    case set([UInt8], CacheName)
    /// All of `out` has arrived; `in` follows.
    case outIsRead
    case key(SessionKey, StoredMessage)
    /// Everything has arrived that `in` had when its reading began.
    case inIsRead
  }

  private let engine: Engine
  private let namespace: Namespace
  private let shard: Int
  private let nonce: String
  private let notify: @LoopActor (Event) -> Void
  private lazy var readers = (out: reader(.out), in: reader(.in))

  private var isOutComplete = false
  private var hasOwnRecord = false
  /// The caches that have a set in the engine.
  private(set) var sets: Set<CacheName> = []
  private(set) var good: [SessionKey: GoodVersions.Version] = [:]
  /// What `in` had when its reading began, until it was compared.
  private(set) var found: [SessionKey: PutBack.Found] = [:]
  /// The number of the current reading. Comparisons with an earlier reading do not count.
  private(set) var round = 0
  /// Whether everything that was there at the beginning has arrived, and was compared.
  private(set) var isWhole = false
  /// The subjects that fit no cache here, as hash values.
  private var ignored: Set<Int> = []

  private nonisolated static let heartbeat = Duration.seconds(30)
  private nonisolated static let goodPrefix = "_good."

  /// - Parameter nonce: its record of ownership shows that no set of an earlier owner follows in `out`.
  init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, nonce: String, _ notify: @escaping @LoopActor (Event) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.nonce = nonce
    self.notify = notify
  }

  private func reader(_ direction: Namespace.Direction) -> LastPerSubject {
    LastPerSubject(
      engine, stream: namespace.stream(direction, shard), filter: namespace.prefix(direction, shard) + ">",
      heartbeat: Self.heartbeat
    ) { [weak self] event in
      guard let self else { return }
      switch (direction, event) {
      case (.out, .beginning): beginOut()
      case (.out, .message(let stored)): receiveOut(stored)
      case (.out, .complete):
        isOutComplete = true
        finishOut()
      case (.in, .beginning): (round, isWhole, found) = (round + 1, false, [:])
      case (.in, .message(let stored)): receiveIn(stored)
      case (.in, .complete): notify(.inIsRead)
      }
    }
  }

  /// Begins to read, or begins again.
  func start() {
    stop()
    (round, isWhole) = (round + 1, false)
    readers.out.start()
  }

  func stop() {
    readers.in.stop()
    readers.out.stop()
  }

  /// Records that the content of `in` was compared. Later messages are new.
  func recordComparison() { (isWhole, found) = (true, [:]) }

  /// How many keys fit no cache here, and are ignored.
  var leftAlone: Int { ignored.count }

  func covers(_ cache: CacheName) -> Bool {
    namespace.shard(of: cache) == shard && cache.bytes != Array(PoolDirectory.ownCache.utf8)
  }

  private func key(_ text: Substring) -> SessionKey? {
    SessionKey(text: text).flatMap { covers($0.cache) ? $0 : nil }
  }

  // MARK: What the owners wrote

  private func beginOut() {
    (sets, good, isOutComplete, hasOwnRecord) = ([], [:], false, false)
    notify(.beginning)
  }

  private func receiveOut(_ stored: StoredMessage) {
    let text = stored.message.subject.dropFirst(namespace.prefix(.out, shard).count)
    if text == "_owner", JSONValue(stored.message.payload)?["nonce"]?.string == nonce {
      hasOwnRecord = true
      return finishOut()
    }
    guard !stored.message.isDeletion else { return }
    if text.hasPrefix(Self.goodPrefix) {
      guard let key = key(text.dropFirst(Self.goodPrefix.count)) else { return }
      good[key] = GoodVersions.Version(bytes: stored.message.payload, modified: stored.modified)
    } else if let cache = CacheName(token: text), covers(cache), text.first != "_" {
      sets.insert(cache)
      notify(.set(stored.message.payload, cache))
    }
  }

  /// Ends the reading of `out` once it includes this owner's record. The answer may come from a server that lags behind
  /// and lacks the previous owner's last set; the log has that set before the record.
  private func finishOut() {
    guard isOutComplete, hasOwnRecord else { return }
    readers.out.stop()
    notify(.outIsRead)
    readers.in.start()
  }

  // MARK: What producers dropped

  private func receiveIn(_ stored: StoredMessage) {
    let subject = stored.message.subject
    guard let key = key(subject.dropFirst(namespace.prefix(.in, shard).count)) else {
      if stored.message.isDeletion { ignored.remove(subject.hashValue) } else { ignored.insert(subject.hashValue) }
      return
    }
    if !isWhole { found[key] = PutBack.Found(stored) }
    notify(.key(key, stored))
  }
}

import CacheSync
import CacheSyncSystem

/// Reads what the engine has of a shard: `out` first, since it says which files have a last good version, and then `in`, which
/// it follows from then on.
@LoopActor
final class ShardReading {
  enum Event {
    /// `out` is read from its beginning: what was told of it before does not count.
    case beginning
    /// A cache's set, as the engine has it.
    case set([UInt8], CacheName)
    /// All of `out` has come; `in` follows.
    case outIsRead
    /// A message of a key.
    case key(SessionKey, StoredMessage)
    /// Everything has come that `in` had when its reading began.
    case inIsRead
  }

  private let engine: Engine
  private let namespace: Namespace
  private let shard: Int
  private let nonce: String
  private let tell: @LoopActor (Event) -> Void
  private lazy var readers = (out: reader(.out), in: reader(.in))

  private var isOutComplete = false
  private var hasOwnRecord = false
  /// The caches that have a set in the engine.
  private(set) var sets: Set<CacheName> = []
  private(set) var good: [SessionKey: GoodVersions.Version] = [:]
  /// What `in` had, until that was compared.
  private(set) var found: [SessionKey: PutBack.Found] = [:]
  /// Counts the readings: what is compared with an earlier one does not count.
  private(set) var round = 0
  /// Whether everything that was there when it began has come, and was compared.
  private(set) var isWhole = false
  /// The subjects that no cache here takes, by their hashes.
  private var ignored: Set<Int> = []

  private nonisolated static let heartbeat = Duration.seconds(30)
  private nonisolated static let goodPrefix = "_good."

  /// - Parameter nonce: whose record of ownership shows that nothing of an earlier owner's follows in `out`.
  init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, nonce: String, _ tell: @escaping @LoopActor (Event) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.nonce = nonce
    self.tell = tell
  }

  private func reader(_ direction: Namespace.Direction) -> LastPerSubject {
    LastPerSubject(
      engine, stream: namespace.stream(direction, shard), filter: namespace.prefix(direction, shard) + ">",
      heartbeat: Self.heartbeat
    ) { [weak self] event in
      guard let self else { return }
      switch (direction, event) {
      case (.out, .beginning): beginOut()
      case (.out, .message(let stored)): takeOut(stored)
      case (.out, .complete):
        isOutComplete = true
        finishOut()
      case (.in, .beginning): (round, isWhole, found) = (round + 1, false, [:])
      case (.in, .message(let stored)): takeIn(stored)
      case (.in, .complete): tell(.inIsRead)
      }
    }
  }

  /// Begins, or begins again.
  func start() {
    stop()
    (round, isWhole) = (round + 1, false)
    readers.out.start()
  }

  func stop() {
    readers.in.stop()
    readers.out.stop()
  }

  /// What `in` had was compared; what comes from now on is new.
  func noteCompared() { (isWhole, found) = (true, [:]) }

  /// How many keys no cache here takes.
  var leftAlone: Int { ignored.count }

  /// Whether a cache is the shard's.
  func covers(_ cache: CacheName) -> Bool {
    namespace.shard(of: cache) == shard && cache.bytes != Array(PoolDirectory.ownCache.utf8)
  }

  private func key(_ text: Substring) -> SessionKey? {
    SessionKey(text: text).flatMap { covers($0.cache) ? $0 : nil }
  }

  // MARK: What the owners wrote

  private func beginOut() {
    (sets, good, isOutComplete, hasOwnRecord) = ([], [:], false, false)
    tell(.beginning)
  }

  private func takeOut(_ stored: StoredMessage) {
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
      tell(.set(stored.message.payload, cache))
    }
  }

  /// A reading comes from any of the engine's servers, and one that lags behind may not have the last set of the owner before
  /// this one. That is before this one's record.
  private func finishOut() {
    guard isOutComplete, hasOwnRecord else { return }
    readers.out.stop()
    tell(.outIsRead)
    readers.in.start()
  }

  // MARK: What producers dropped

  private func takeIn(_ stored: StoredMessage) {
    let subject = stored.message.subject
    guard let key = key(subject.dropFirst(namespace.prefix(.in, shard).count)) else {
      if stored.message.isDeletion { ignored.remove(subject.hashValue) } else { ignored.insert(subject.hashValue) }
      return
    }
    if !isWhole { found[key] = PutBack.Found(stored) }
    tell(.key(key, stored))
  }
}

import CacheSync
import CacheSyncPrograms
package import CacheSyncSystem
import Glibc
package import Logging
package import SystemPackage

/// The bridge beside an agent. It brings session files from the engine into the caches, and the caches' sets to the
/// engine.
@LoopActor
package final class Home {
  /// Why a home ended by itself.
  package enum End: Sendable, Equatable {
    case refused(DirectoryRefusal)
    /// Another bridge writes for the namespace. The value is the name in its record.
    case hasAnother(String)
    /// Another bridge took over.
    case deposed(String)
    case system(String, Errno)
  }

  private let engine: Engine
  private let namespace: Namespace
  private let name: String
  private let named: [(name: CacheName, path: FilePath)]
  private let cachesIn: FilePath?
  private let takesOver: Bool
  private let logger: Logger
  private let troubles: Troubles
  private let end: @LoopActor (End) -> Void

  private var watch: DirectoryWatch?
  private var collection: BridgeDirectory?
  private var collectionToken: DirectoryWatch.Token?
  private var caches: [CacheName: HomeCache] = [:]
  private var owners: [ShardOwner] = []
  private var readers: [LastPerSubject] = []
  private lazy var housekeeping = Housekeeping(
    engine, namespace, troubles, names: { [weak self] in self?.caches.keys.map { $0 } ?? [] },
    cache: { [weak self] in self?.caches[$0] })
  private let since = Instant.now
  private let nonce =
    String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)

  /// The changes from the engine that are not written yet, by cache, in the order of their arrival.
  private var arrived: [CacheName: [SessionFiles.Change]] = [:]
  private var isFlushing = false
  /// Keys that could not be written, and will be read again.
  private var failed: Set<SessionKey> = []
  /// Failed keys that have not arrived since the reading of their shard began again.
  private var awaited: Set<SessionKey> = []
  private lazy var retry = FailureRetry { [weak self] in self?.readFailedAgain() }
  /// The subjects that fit no cache here, as hash values.
  private var leftAlone: Set<Int> = []
  private var isReadingWaiting: Set<Int> = []
  /// The caches whose sets must still be compared with the engine's, and the number of comparisons in progress.
  private var uncompared: Set<CacheName> = []
  private var comparisonCount = 0

  /// The interval of the consumers' heartbeats. A lost connection is detected by itself. The heartbeats detect a
  /// consumer that the engine lost, within two intervals and 5 s.
  private nonisolated static let heartbeat = Duration.seconds(30)
  /// How long the end may wait until the engine has stored that the shards are free: nanoseconds.
  private nonisolated static let longestRelease: Int64 = 2_000_000_000
  /// Many caches often arrive at once. Their keys are then read together.
  private nonisolated static let arrivalPause = Duration.milliseconds(100)
  /// How many sets are compared at the same time. Each needs some KiB meanwhile, and there may be thousands of caches.
  private nonisolated static let mostComparisons = 32

  /// - Parameters:
  ///   - name: that of this bridge, for people.
  ///   - cachesIn: a directory in which every directory is a cache.
  ///   - takesOver: whether to take over another home's shards.
  package init(
    _ engine: Engine, _ namespace: Namespace, name: String, caches: [(name: CacheName, path: FilePath)],
    cachesIn: FilePath?, takesOver: Bool, logger: Logger, _ end: @escaping @LoopActor (End) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.name = name
    named = caches
    self.cachesIn = cachesIn
    self.takesOver = takesOver
    self.end = end
    self.logger = logger
    troubles = Troubles(logger)
  }

  // MARK: Starting

  /// Opens the caches. Returns false, and ends the home, when a named cache cannot be served.
  package func open() -> Bool {
    do throws(Errno) {
      watch = try DirectoryWatch { [weak self] in self?.lookAtEverything() }
    } catch {
      end(.system("cannot watch directories: raise fs.inotify.max_user_instances", error))
      return false
    }
    for cache in named { add(cache.name, cache.path, isStart: true) }
    if let refusal = named.compactMap({ caches[$0.name]?.refusal }).first {
      end(.refused(refusal))
      return false
    }
    do throws(DirectoryRefusal) {
      if let path = cachesIn {
        collection = try BridgeDirectory(path)
        collectionToken = try? watch?.watch(path) { [weak self] event in
          if !event.name.isEmpty { self?.lookAtCollection() }
        }
        lookAtCollection()
      }
      try keepNonce()
    } catch {
      end(.refused(error))
      return false
    }
    return true
  }

  /// Where nonces are stored: in the named directories, which a later run names again.
  private var keepers: [BridgeDirectory] {
    named.compactMap { caches[$0.name]?.directory } + (collection.map { [$0] } ?? [])
  }

  private func keepNonce() throws(DirectoryRefusal) {
    for keeper in keepers {
      do throws(Errno) {
        try keeper.keep(nonce: nonce)
      } catch {
        throw DirectoryRefusal(keeper.path, error)
      }
    }
  }

  private func add(_ name: CacheName, _ path: FilePath, isStart: Bool = false) {
    guard let watch else { return }
    let cache = HomeCache(name: name, path: path, watch: watch, troubles: troubles) { [weak self] cache, news in
      switch news {
      case .arrived: self?.readSoon(cache.name)
      case .published: self?.publish(cache)
      case .released(let changes):
        guard let self else { return }
        // They are older than the changes that have arrived since.
        arrived[cache.name, default: []].insert(contentsOf: changes, at: 0)
        flushSoon()
      }
    }
    caches[name] = cache
    cache.look(isStart: isStart)
  }

  private func lookAtEverything() {
    lookAtCollection()
    for cache in caches.values {
      cache.lookAgain()
      publish(cache)
    }
  }

  private func lookAtCollection() {
    guard let path = cachesIn, let collection, let names = try? FileCall.names(in: collection.root) else {
      return
    }
    let ownNames = Set(named.map(\.name))
    for name in names {
      guard let name = CacheName(name), caches[name] == nil else { continue }
      var about = stat()
      let entry = path.appending(name.description)
      guard entry.withPlatformString({ lstat($0, &about) }) == 0, about.st_mode & S_IFMT == S_IFDIR else { continue }
      add(name, entry)
    }
    let present = Set(names)
    for (name, cache) in caches where !ownNames.contains(name) && !present.contains(name.description) {
      cache.close()
      caches[name] = nil
    }
  }

  /// Connects, takes the shards, and serves until it ends.
  package func start() {
    let earlier = Set(keepers.flatMap(\.nonces)).subtracting([nonce])
    let claim: ShardWriter.Claim = takesOver ? .force : .unowned
    let record: TextMap<JSONValue> = [
      "agent": .string(name), "role": .string("home"), "since": .string(since.description),
    ]
    engine.observe { [weak self] event in self?.receive(event) }
    for shard in 0..<namespace.shardCount {
      owners.append(
        ShardOwner(
          engine, namespace, shard: shard, nonce: nonce, earlier: earlier, claim: claim, record: record
        ) { [weak self] news in
          self?.receive(news, of: shard)
        })
      let prefix = namespace.prefix(.in, shard)
      readers.append(
        LastPerSubject(engine, stream: namespace.stream(.in, shard), filter: prefix + ">", heartbeat: Self.heartbeat) {
          [weak self] event in
          switch event {
          case .beginning: break
          case .message(let message): self?.receive(message, in: shard)
          case .complete:
            self?.removeMissing(in: shard)
            self?.housekeeping.begin()
          }
        })
    }
    BridgeStatus.answer(engine, namespace) { [weak self] in self?.status }
    // An idle home writes nothing, so no rejected message would reveal that another bridge took over.
    _ = engine.subscribe("\(namespace.name).set._owner") { [weak self] _ in self?.lookAtOwners() }
    if engine.isConnected { receive(.connected) }
  }

  private func lookAtOwners() {
    for owner in owners where owner.isOwner {
      LoopActor.task { [self] in
        let found = try? await engine.lastFromLeader(
          namespace.ownerSubject(owner.shard), in: namespace.stream(.out, owner.shard))
        guard let record = found.flatMap({ JSONValue($0.payload) }), record["nonce"]?.string != nonce else { return }
        end(.deposed(Self.text(of: record)))
      }
    }
  }

  private nonisolated static func text(of owner: JSONValue?) -> String {
    EscapedText.forPeople("\(owner?["agent"]?.string ?? "?") since \(owner?["since"]?.string ?? "?")")
  }

  private func receive(_ event: Engine.Event) {
    troubles.record(event, waiting: "what is dropped there waits there")
    if event == .connected { compare(caches.keys.filter { owners[namespace.shard(of: $0)].isOwner }) }
  }

  private func receive(_ news: ShardOwner.News, of shard: Int) {
    switch news {
    case .owns:
      // Only the owner writes files. A second home must not write before it knows whether it is the owner.
      readers[shard].start()
      // The engine may have lost what it had.
      compare(caches.keys.filter { namespace.shard(of: $0) == shard })
      logger.info("writes for shard \(shard) of \(namespace.name)")
      if owners.allSatisfy(\.isOwner) { logger.notice("\(summary)") }
    case .deposed:
      let wasOwner = owners[shard].wasOwner
      LoopActor.task { [self] in
        let found = try? await engine.lastFromLeader(namespace.ownerSubject(shard), in: namespace.stream(.out, shard))
        let who = Self.text(of: found.flatMap { JSONValue($0.payload) })
        if !wasOwner { await releaseAll() }
        end(wasOwner ? .deposed(who) : .hasAnother(who))
      }
    case .released: break
    case .failing, .stored, .unacceptable: troubles.record(news, of: shard)
    }
  }

  /// Releases the shards that were free, because another bridge owns the rest.
  private func releaseAll() async {
    for owner in owners { owner.release() }
    let end = Uptime.now().nanoseconds + Self.longestRelease
    while engine.isConnected, owners.contains(where: \.isOwner), Uptime.now().nanoseconds < end {
      await LoopActor.sleep(.milliseconds(10))
    }
  }

  private var summary: String {
    let count = caches.count == 1 ? "1 cache" : "\(caches.count) caches"
    let shards = namespace.shardCount == 1 ? "1 shard" : "\(namespace.shardCount) shards"
    return "home of \(namespace.name): \(count), \(shards)\(StandardError.stopHint)"
  }

  // MARK: Session files

  private func readSoon(_ cache: CacheName) {
    let shard = namespace.shard(of: cache)
    guard readers.indices.contains(shard), isReadingWaiting.insert(shard).inserted else { return }
    Alarms.shared.set(after: Self.arrivalPause) { [weak self] in
      self?.isReadingWaiting.remove(shard)
      self?.readers[shard].restart()
    }
  }

  private func receive(_ stored: StoredMessage, in shard: Int) {
    let subject = stored.message.subject
    let text = subject.dropFirst(namespace.prefix(.in, shard).count)
    guard let key = SessionKey(text: text), namespace.shard(of: key.cache) == shard, caches[key.cache] != nil else {
      if stored.message.isDeletion { leftAlone.remove(subject.hashValue) } else { leftAlone.insert(subject.hashValue) }
      return
    }
    leftAlone.remove(subject.hashValue)
    housekeeping.record(stored, of: key)
    awaited.remove(key)
    arrived[key.cache, default: []].append(SessionFiles.Change(stored, of: key))
    flushSoon()
  }

  private func flushSoon() {
    guard !isFlushing else { return }
    isFlushing = true
    // After the messages that have already arrived, so that they share their flushes to disk.
    LoopActor.perform { [weak self] in self?.flush() }
  }

  /// Writes the changes of one cache, then gives everything else a turn. On a slow disk, many messages would otherwise
  /// delay a signal or the news of another owner.
  private func flush() {
    isFlushing = false
    // The next run or the next owner writes what this one does not.
    guard !engine.isClosed, let name = arrived.keys.first, let changes = arrived.removeValue(forKey: name) else {
      return
    }
    if let cache = caches[name] {
      let keys = cache.apply(changes).map(\.key)
      failed.subtract(changes.map(\.key))
      failed.formUnion(keys)
    }
    guard !arrived.isEmpty else { return retryLater() }
    isFlushing = true
    // A timer, because a chain of jobs would starve the descriptors, and a signal arrives through one.
    Alarms.shared.set(after: .zero) { [weak self] in self?.flush() }
  }

  private func retryLater() { retry.schedule(if: !failed.isEmpty) }

  /// Reads the shards of the failed keys again. The answer to a question for a single key could arrive after a newer
  /// version of it.
  private func readFailedAgain() {
    // When a cache comes back, all its keys are read.
    failed = failed.filter { caches[$0.cache]?.directory != nil }
    awaited.formUnion(failed)
    for shard in Set(failed.map { namespace.shard(of: $0.cache) }) { readers[shard].restart() }
    retryLater()
  }

  /// Forgets failed keys that the engine does not have any more.
  private func removeMissing(in shard: Int) {
    let missing = awaited.filter { namespace.shard(of: $0.cache) == shard }
    awaited.subtract(missing)
    failed.subtract(missing)
    for key in missing { caches[key.cache]?.removeFailure(of: key) }
  }

  // MARK: Sets

  private func publish(_ cache: HomeCache) {
    guard engine.isConnected, owners.count == namespace.shardCount, let set = cache.readSet() else { return }
    let message = set.message
    guard troubles.isAcceptable(message, of: cache.name, limit: engine.maxPayload) else { return }
    owners[namespace.shard(of: cache.name)].put(message, of: cache.name)
  }

  /// Compares sets after a connection: the engine may lack later publications, or may have lost data.
  private func compare(_ names: [CacheName]) {
    uncompared.formUnion(names)
    compareNext()
  }

  private func compareNext() {
    while comparisonCount < Self.mostComparisons, let name = uncompared.popFirst() {
      comparisonCount += 1
      LoopActor.task { [self] in
        await compare(name)
        comparisonCount -= 1
        compareNext()
      }
    }
  }

  private func compare(_ name: CacheName) async {
    let found = try? await engine.last(
      namespace.setSubject(of: name), in: namespace.stream(.out, namespace.shard(of: name)))
    // Read after the answer, so that every later publication causes an event.
    guard let cache = caches[name], let set = cache.readSet(), set.message != found?.message.payload else { return }
    publish(cache)
  }

  // MARK: Status

  private var status: JSONValue {
    let caches = caches.values.sorted { $0.name.token < $1.name.token }.map { cache in
      JSONValue.object([
        "cache": .string(EscapedText.forPeople(cache.name.bytes)),
        "path": .string(EscapedText.forPeople(cache.path)),
        "served": .bool(cache.directory != nil),
      ])
    }
    return .object([
      "name": .string(name), "role": .string("home"), "since": .string(since.description),
      "caches": .array(caches), "leftAlone": .integer(leftAlone.count), "unwritten": .integer(failed.count),
      "problems": troubles.value,
    ])
  }
}

import CacheSync
import CacheSyncPrograms
package import CacheSyncSystem
import Glibc
package import Logging
package import SystemPackage

/// The bridge beside one of several agents that share all caches of a namespace.
@LoopActor
package final class Pool {
  /// Why a member ended by itself.
  package enum End: Sendable, Equatable {
    case refused(DirectoryRefusal)
    case system(String, Errno)
    case member(PoolMember.End)
  }

  /// A shard that this member claims, owns or releases.
  private final class Holding {
    let nonce: String
    var owner: ShardOwner?
    /// nil: the claim has not been answered yet.
    var caches: PoolShard?
    var isLeaving = false
    /// The engine confirmed that the shard is free, or that another bridge owns it.
    var isReleased = false
    /// Its caches are not served any more, and the engine lacks nothing of them.
    var hasLeft = false
    /// The counts of its caches that the member already knows.
    var arrivalCount = 0
    var publicationCount = 0

    init(nonce: String) { self.nonce = nonce }
  }

  private let engine: Engine
  private let namespace: Namespace
  private let name: String
  private let cachesIn: FilePath
  private let takesOver: Bool
  private let logger: Logger
  private let troubles: Troubles
  private let end: @LoopActor (End) -> Void

  private let since = Instant.now
  /// The nonce of this run. Each claim has its own nonce, which begins with this one.
  private let nonce =
    String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
  private var claims = 0
  private var directory: PoolDirectory?
  private var watch: DirectoryWatch?
  private var agent: AgentAnswers?
  private var member: PoolMember
  private var holdings: [Int: Holding] = [:]
  private let start = Uptime.now().nanoseconds
  private var isEnding = false

  /// How long the end of the program may wait until the engine has stored that the shards are free.
  private nonisolated static let longestRelease: Int64 = 2_000_000_000

  /// - Parameters:
  ///   - name: that of this member, for the other members and for people. It must be unique in the pool.
  ///   - cachesIn: the directory of the agent's caches, which belongs to the bridge.
  ///   - takesOver: whether to take over a home's shards.
  package init(
    _ engine: Engine, _ namespace: Namespace, name: String, cachesIn: FilePath, takesOver: Bool, logger: Logger,
    _ end: @escaping @LoopActor (End) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.name = name
    self.cachesIn = cachesIn
    self.takesOver = takesOver
    self.end = end
    self.logger = logger
    troubles = Troubles(logger)
    member = PoolMember(
      shardCount: namespace.shardCount, name: name, nonce: nonce, earlier: [], takesOver: takesOver)
  }

  // MARK: Starting

  /// Opens the directory. Returns false, and ends the member, when the directory cannot be used.
  package func open() -> Bool {
    let watch: DirectoryWatch
    do throws(Errno) {
      watch = try DirectoryWatch { [weak self] in
        for holding in self?.holdings.values.map({ $0 }) ?? [] { holding.caches?.lookAgain() }
      }
    } catch {
      end(.system("cannot watch directories: raise fs.inotify.max_user_instances", error))
      return false
    }
    do throws(DirectoryRefusal) {
      let directory = try PoolDirectory(cachesIn)
      directory.start(engine, namespace, troubles)
      let earlier = Set(directory.bridge.nonces)
      do throws(Errno) {
        try directory.bridge.keep(nonce: nonce)
      } catch {
        throw DirectoryRefusal(directory.path, error)
      }
      member = PoolMember(
        shardCount: namespace.shardCount, name: name, nonce: nonce, earlier: earlier, takesOver: takesOver)
      agent = AgentAnswers(directory, watch: watch, troubles: troubles) { [weak self] in self?.notify(.agentAnswered) }
      self.directory = directory
    } catch {
      end(.refused(error))
      return false
    }
    self.watch = watch
    return true
  }

  /// Connects, joins the pool, and serves this member's shards until it ends.
  package func begin() {
    engine.observe { [weak self] event in self?.receive(event) }
    _ = engine.subscribe("\(namespace.name).agent") { [weak self] message in
      guard let announcement = Announcement(JSONValue(message.payload)) else { return }
      self?.notify(.received(announcement))
    }
    BridgeStatus.answer(engine, namespace) { [weak self] in self?.status }
    if engine.isConnected { receive(.connected) }
    let path = EscapedText.forPeople(cachesIn)
    logger.notice("\(name) of the pool of \(namespace.name): \(path)\(StandardError.stopHint)")
    tick()
  }

  private func receive(_ event: Engine.Event) {
    troubles.record(event, waiting: "what is dropped there waits there")
    switch event {
    case .connected: notify(.connected)
    case .disconnected: notify(.disconnected)
    case .refused: break
    }
  }

  private func tick() {
    guard !isEnding else { return }
    Alarms.shared.set(after: .nanoseconds(PoolMember.interval)) { [weak self] in self?.tick() }
    agent?.ask()
    recordCaches()
    recordAgent()
    notify(.tick)
  }

  private func recordCaches() {
    for holding in holdings.values {
      guard let caches = holding.caches else { continue }
      if caches.publicationCount != holding.publicationCount { notify(.agentPublished) }
      if caches.arrivalCount != holding.arrivalCount { notify(.arrived) }
      (holding.publicationCount, holding.arrivalCount) = (caches.publicationCount, caches.arrivalCount)
    }
  }

  private func recordAgent() {
    let now = Uptime.now().nanoseconds
    let path = EscapedText.forPeople(cachesIn)
    if member.hasAgent(at: now) {
      troubles.record("agent", nil)
    } else if now - start >= PoolMember.lease {
      let word = ShellWord.quoted(cachesIn)
      troubles.record("agent", "no agent answers in \(path): start cachesyncd run --caches-in \(word)")
    }
  }

  // MARK: Being a member

  private func notify(_ event: PoolMember.Event) {
    for action in member.handle(event, at: Uptime.now().nanoseconds) { act(action) }
  }

  private func act(_ action: PoolMember.Action) {
    switch action {
    case .announce(let state):
      let count = holdings.values.reduce(0) { $0 + ($1.caches?.cacheCount ?? 0) }
      let announcement = Announcement(name: name, nonce: nonce, state: state, cacheCount: count)
      engine.send(EngineMessage(subject: "\(namespace.name).agent", payload: announcement.value.bytes))
    case .ask(let shard): LoopActor.task { [self] in await ask(shard) }
    case .claim(let shard, let claim): self.claim(shard, claim)
    case .renew(let shard):
      holdings[shard]?.owner?.renew()
      if holdings[shard]?.caches?.isServing == true { notify(.serves(shard)) }
    case .letGo(let shard): letGo(shard)
    case .abandon(let shard): close(shard)
    case .end(let end):
      LoopActor.task { [self] in
        await shutDown()
        self.end(.member(end))
      }
    }
  }

  private func ask(_ shard: Int) async {
    do {
      // An answer after more than a lease is out of date.
      let found = try await engine.lastFromLeader(
        namespace.ownerSubject(shard), in: namespace.stream(.out, shard), within: .nanoseconds(PoolMember.lease))
      notify(.found(shard, found.flatMap { $0.payload.isEmpty ? nil : Self.record($0.sequence, $0.payload) }))
    } catch {
      notify(.unanswered(shard))
    }
  }

  /// A record without a role belongs to a home, which never renews its record. So does a record that cannot be read.
  private nonisolated static func record(_ sequence: UInt64, _ payload: [UInt8]) -> PoolMember.Record {
    let value = JSONValue(payload)
    return PoolMember.Record(
      sequence: sequence, nonce: value?["nonce"]?.string, role: value?["role"]?.string == "pool" ? .pool : .home,
      owner: EscapedText.forPeople("\(value?["agent"]?.string ?? "?") since \(value?["since"]?.string ?? "?")"))
  }

  // MARK: Shards

  private func claim(_ shard: Int, _ claim: ShardWriter.Claim) {
    claims += 1
    let record: TextMap<JSONValue> = [
      "agent": .string(name), "role": .string("pool"), "since": .string(Instant.now.description),
    ]
    // A nonce that was deposed must not be used again.
    let holding = Holding(nonce: "\(nonce)-\(claims)")
    holdings[shard] = holding
    holding.owner = ShardOwner(
      engine, namespace, shard: shard, nonce: holding.nonce, earlier: [], claim: claim, record: record
    ) { [weak self, weak holding] news in
      guard let self, let holding, holdings[shard] === holding else { return }
      receive(news, shard, holding)
    }
  }

  private func receive(_ news: ShardOwner.News, _ shard: Int, _ holding: Holding) {
    switch news {
    case .owns:
      serve(shard, holding)
      notify(.owns(shard))
    case .deposed, .released:
      holding.isReleased = true
      guard !holding.isLeaving else { return leave(shard, holding) }
      if holding.caches != nil { logger.notice("another bridge took shard \(shard) of \(namespace.name)") }
      holding.caches?.lose()
      close(shard)
      notify(.lost(shard))
    case .failing, .stored, .unacceptable: troubles.record(news, of: shard)
    }
  }

  private func serve(_ shard: Int, _ holding: Holding) {
    // The engine may have lost the record and everything else, so compare everything.
    if let caches = holding.caches { return caches.begin() }
    guard let directory, let watch else { return }
    logger.info("writes for shard \(shard) of \(namespace.name)")
    let caches = PoolShard(
      engine, namespace, shard: shard, nonce: holding.nonce, directory: directory, watch: watch, troubles: troubles,
      put: { [weak holding] set, cache in holding?.owner?.put(set, of: cache) },
      putGood: { [weak holding] message in await holding?.owner?.put(message) ?? false })
    holding.caches = caches
    caches.begin()
  }

  /// The other members need not wait until its copies are deleted, because the engine has everything.
  private func letGo(_ shard: Int) {
    guard let holding = holdings[shard] else { return }
    logger.info("lets shard \(shard) of \(namespace.name) go")
    holding.isLeaving = true
    holding.owner?.release()
    guard !isEnding else { return }
    LoopActor.task { [self] in
      await holding.caches?.letGo()
      holding.hasLeft = true
      leave(shard, holding)
    }
  }

  private func leave(_ shard: Int, _ holding: Holding) {
    guard holding.isReleased, holding.hasLeft || isEnding, holdings[shard] === holding else { return }
    close(shard)
    notify(.left(shard))
  }

  private func close(_ shard: Int) {
    holdings.removeValue(forKey: shard)?.owner?.close()
    troubles.record("shard \(shard)", nil)
  }

  // MARK: Ending

  /// Releases all shards. Their copies stay until the next start.
  package func shutDown() async {
    guard !isEnding else { return }
    isEnding = true
    for action in member.leave() { act(action) }
    let end = Uptime.now().nanoseconds + Self.longestRelease
    while engine.isConnected, !holdings.isEmpty, Uptime.now().nanoseconds < end {
      await LoopActor.sleep(.milliseconds(10))
    }
  }

  // MARK: Status

  private var status: JSONValue {
    let shards = holdings.compactMap { shard, holding in
      holding.isLeaving ? nil : holding.caches.map { (shard: shard, caches: $0) }
    }.sorted { $0.shard < $1.shard }
    let caches = shards.flatMap(\.caches.caches).sorted { $0.name.token < $1.name.token }.map { cache in
      JSONValue.object([
        "cache": .string(EscapedText.forPeople(cache.name.bytes)),
        "path": .string(EscapedText.forPeople(cachesIn) + "/" + EscapedText.forPeople(cache.name.bytes)),
        "served": .bool(cache.isServed),
      ])
    }
    return .object([
      "agentAnswers": .bool(member.hasAgent(at: Uptime.now().nanoseconds)), "caches": .array(caches),
      "leftAlone": .integer(shards.reduce(0) { $0 + $1.caches.leftAlone }),
      "members": .array(member.memberNames.map { .string(EscapedText.forPeople($0)) }),
      "name": .string(name), "problems": troubles.value, "role": .string("pool"),
      "shards": .array(shards.map { .integer($0.shard) }), "since": .string(since.description),
      "unwritten": .integer(shards.reduce(0) { $0 + $1.caches.unwritten }),
    ])
  }
}

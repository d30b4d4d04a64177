import CacheSync
import Glibc
import SystemPackage

/// What the owner of a shard does with its caches, from the takeover to the end of the ownership.
///
/// It reads all of `out`, then all of `in`, builds the caches and moves them into their place; from then on it follows `in`,
/// and sends what the agent publishes. After every new connection it reads both again: the engine may have lost something.
@BridgeActor
package final class PoolShard {
  private enum Phase {
    case waiting
    case takingOver
    case serving
    case over
  }

  private struct Cache {
    /// Of `snapshots/`, where the agent publishes.
    var snapshots: DirectoryWatch.Token?
    /// The keys that have a file in the engine, by their hashes.
    var live: Set<Int> = []
  }

  /// A last good version, as the engine has it.
  private struct Good: Equatable {
    var bytes: [UInt8]
    var modified: Int64
  }

  package let shard: Int
  private let nonce: String
  private let engine: Engine
  private let namespace: Namespace
  private let directory: PoolDirectory
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let put: @BridgeActor (_ set: [UInt8], _ cache: CacheName) -> Void
  private let putGood: @BridgeActor (_ message: ShardWriter.Message) async -> Bool

  private var phase = Phase.waiting
  private var observer: Int?
  private var known: [CacheName: Cache] = [:]
  private let arriving: ArrivingCaches
  private lazy var readers = (out: reader(.out), in: reader(.in))
  private lazy var housekeeping = Housekeeping(
    engine, namespace, troubles, pause: Self.housekeepingPause,
    names: { [weak self] in self?.known.keys.map { $0 } ?? [] },
    cache: { [weak self] in self?.housekept($0) })

  // What a reading has shown so far.
  private var isOutComplete = false
  private var hasOwnRecord = false
  private var setsInEngine: Set<CacheName> = []
  private var goodInEngine: [SessionKey: Good] = [:]
  private var found: [SessionKey: PutBack.Found] = [:]
  /// Counts the readings of `in`.
  private var round = 0
  /// Whether everything that was there when it began has come.
  private var isWhole = false

  // What came from the engine and is not written yet.
  private var arrived: [SessionFiles.Change] = []
  private var isFlushing = false
  /// Invalid versions that wait until the engine or the agent has the valid one.
  private var held: [SessionKey: SessionFiles.Change] = [:]
  private var good: [SessionKey: Good] = [:]
  /// Keys that could not be written, to be read again.
  private var failed: Set<SessionKey> = []
  /// Keys whose paths lead through other keys' files.
  private var impossible: Set<SessionKey> = []
  /// Caches that could not be built.
  private var broken: Set<CacheName> = []
  /// Whether the engine did not take back what it lost.
  private var isLacking = false
  private var failures = 0
  private var retry: Int?
  /// The subjects that no cache here takes, by their hashes.
  private var ignored: Set<Int> = []
  private var isLooking: Set<CacheName> = []

  /// Thousands of caches are looked at in an hour, which is felt by none of them.
  private nonisolated static let housekeepingPause = Duration.milliseconds(500)
  private nonisolated static let heartbeat = Duration.seconds(30)
  /// How long writing what failed is put off, doubling to the second.
  private nonisolated static let firstRetry = 10, lastRetry = 300
  /// A cache is forgotten by several messages: its keys go first, its set last.
  private nonisolated static let forgettingTime = Duration.seconds(2)

  /// - Parameters:
  ///   - nonce: whose record of ownership this is, by which a reading of `out` shows that nothing of an earlier owner's follows.
  ///   - put: sends a cache's set as the shard's owner.
  ///   - putGood: sends a last good version, or its deletion, as the shard's owner; returns whether the engine has it.
  package init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, nonce: String, directory: PoolDirectory,
    watch: DirectoryWatch, troubles: Troubles, put: @escaping @BridgeActor (_ set: [UInt8], _ cache: CacheName) -> Void,
    putGood: @escaping @BridgeActor (_ message: ShardWriter.Message) async -> Bool
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.nonce = nonce
    self.directory = directory
    self.watch = watch
    self.troubles = troubles
    self.put = put
    self.putGood = putGood
    arriving = ArrivingCaches(directory)
  }

  // MARK: Beginning and ending

  /// Takes the shard's caches over, and serves them from then on. Called again while it serves, as after the engine lost the
  /// owner's record, it compares everything with the engine.
  package func begin() {
    switch phase {
    case .waiting:
      phase = .takingOver
      directory.leavings?.take(shard)
      observer = engine.observe { [weak self] event in if event == .connected { self?.read() } }
    case .takingOver: return
    case .serving: break
    case .over: return
    }
    read()
  }

  /// Another member is the owner: writes nothing more, and lets the copies go.
  package func lose() {
    end()
    directory.leavings?.settleSoon()
  }

  /// Lets the copies go on purpose. Returns when the engine lacks nothing of them, or cannot be asked now.
  package func letGo() async {
    end()
    await directory.leavings?.settle(shard)
  }

  private func end() {
    guard phase != .over, phase != .waiting else { return phase = .over }
    phase = .over
    observer.map(engine.removeObserver)
    readers.out.stop()
    readers.in.stop()
    if let retry { BridgeActor.loop.cancel(retry) }
    for cache in known.values { cache.snapshots.map(watch.unwatch) }
    arriving.discard()
    directory.leavings?.leave(shard, known.keys)
    for name in known.keys { troubles.forget(prefix: Self.label(name)) }
    troubles.forget(prefix: trouble)
    (known, arrived, held, good, failed, impossible) = ([:], [], [:], [:], [], [])
  }

  // MARK: Asking

  /// Whether the takeover is over.
  package var isServing: Bool { phase == .serving }

  /// In no order. One that could not be built yet is not served.
  package var caches: [(name: CacheName, isServed: Bool)] {
    known.keys.map { ($0, true) } + broken.map { ($0, false) }
  }

  package var cacheCount: Int { known.count + broken.count }

  /// How many caches have been given to the agent so far.
  package private(set) var arrivalCount = 0

  /// How many publications of the agent have been heard so far.
  package private(set) var publicationCount = 0

  /// How many keys no cache here takes.
  package var leftAlone: Int { ignored.count }

  /// How many keys could not be written yet.
  package var unwritten: Int { failed.count + impossible.count }

  private nonisolated static func label(_ cache: CacheName) -> String { "cache \(EscapedText.forPeople(cache.bytes))" }

  private var trouble: String { "shard \(shard): caches" }

  // MARK: Reading

  private func reader(_ direction: Namespace.Direction) -> LastPerSubject {
    LastPerSubject(
      engine, stream: namespace.stream(direction, shard), filter: namespace.prefix(direction, shard) + ">",
      heartbeat: Self.heartbeat
    ) { [weak self] event in
      guard let self, phase != .over else { return }
      switch (direction, event) {
      case (.out, .beginning): beginOut()
      case (.out, .message(let stored)): takeOut(stored)
      case (.out, .complete):
        isOutComplete = true
        finishOut()
      case (.in, .beginning): (round, isWhole, found) = (round + 1, false, [:])
      case (.in, .message(let stored)): take(stored)
      case (.in, .complete): BridgeActor.task { [weak self] in await self?.finishIn() }
      }
    }
  }

  /// Reads what the engine has: `out` first, since it says which files have a last good version.
  private func read() {
    readers.in.stop()
    readers.out.stop()
    (isWhole, broken) = (false, [])
    arriving.discard()
    readers.out.start()
  }

  private func beginOut() {
    (setsInEngine, goodInEngine, isOutComplete, hasOwnRecord) = ([], [:], false, false)
    arriving.discard()
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
      goodInEngine[key] = Good(bytes: stored.message.payload, modified: Self.modified(stored))
    } else if let cache = CacheName(token: text), isOurs(cache), text.first != "_" {
      setsInEngine.insert(cache)
      if known[cache] == nil {
        PublishedSet(message: stored.message.payload).map { arriving.take($0, of: cache) }
      } else if let set = readSet(of: cache), set.message != stored.message.payload {
        publish(cache)
      }
    }
  }

  private nonisolated static let goodPrefix = "_good."

  /// A reading comes from any of the engine's servers, and one that lags behind may not have the last set of the owner before
  /// this one. That is before this one's record.
  private func finishOut() {
    guard isOutComplete, hasOwnRecord else { return }
    readers.out.stop()
    if phase == .takingOver {
      good = goodInEngine
    } else {
      for cache in known.keys where !setsInEngine.contains(cache) { publish(cache) }
      for (key, good) in good where goodInEngine[key] != good {
        BridgeActor.task { [self] in _ = await keep(good, key) }
      }
      for key in goodInEngine.keys where good[key] == nil { forgetGood(key) }
    }
    readers.in.start()
  }

  private func finishIn() async {
    let round = round
    guard phase == .takingOver else {
      await restoreOwn()
      guard round == self.round, phase == .serving else { return }
      (isWhole, found) = (true, [:])
      return flush()
    }
    let unsent = await restoreLeaving()
    guard round == self.round, phase == .takingOver else { return }
    (isWhole, found) = (true, [:])
    arrive()
    directory.leavings?.finish(shard)
    phase = .serving
    for name in unsent { publish(name) }
    housekeeping.begin()
  }

  /// What an earlier run had and the engine lacks counts as if it had been read. Returns the caches whose sets the engine lacks.
  private func restoreLeaving() async -> [CacheName] {
    guard let leavings = directory.leavings else { return [] }
    for change in await leavings.restore(shard, found: found) where phase == .takingOver { arriving.take(change) }
    guard phase == .takingOver else { return [] }
    let names = Set(arriving.names)
    var unsent: [CacheName] = []
    // What was forgotten meanwhile does not come back because of a set.
    for (cache, set) in leavings.sets(shard) where names.contains(cache) {
      let generation = arriving.generation(of: cache)
      arriving.take(set, of: cache)
      if arriving.generation(of: cache) != generation { unsent.append(cache) }
    }
    return unsent
  }

  /// What the engine has lost of what is served.
  private func restoreOwn() async {
    guard let leavings = directory.leavings else { return }
    let copies = directory.files.kept.filter { isOurs($0.key.cache) }
    let outcome = await leavings.settle(copies, found: found, from: directory.root)
    // After a connection all is read again.
    let error = outcome.failed.values.first { $0 != .notConnected }
    isLacking = error != nil && phase == .serving
    guard phase == .serving else { return }
    let text = error.map { "shard \(shard): the engine does not take back what it lost: \($0); trying on" }
    troubles.note("\(trouble): lost", text)
  }

  // MARK: Session files

  private func isOurs(_ cache: CacheName) -> Bool {
    namespace.shard(of: cache) == shard && cache.bytes != Array(PoolDirectory.ownCache.utf8)
  }

  private func key(_ text: Substring) -> SessionKey? {
    SessionKey(text: text).flatMap { isOurs($0.cache) ? $0 : nil }
  }

  private nonisolated static func modified(_ stored: StoredMessage) -> Int64 {
    stored.message.headers[Header.modified].flatMap { Int64($0) } ?? stored.version
  }

  private func take(_ stored: StoredMessage) {
    let subject = stored.message.subject
    guard let key = key(subject.dropFirst(namespace.prefix(.in, shard).count)) else {
      if stored.message.isDeletion { ignored.remove(subject.hashValue) } else { ignored.insert(subject.hashValue) }
      return
    }
    let isDeletion = stored.message.isDeletion
    if !isWhole { found[key] = PutBack.Found(stored) }
    let change = SessionFiles.Change(
      key: key, version: stored.version, isPutBack: stored.putBackVersion != nil,
      content: isDeletion ? .deletion : .file(stored.message.payload, modified: Self.modified(stored)),
      sequence: stored.sequence)
    housekeeping.note(stored, of: key)
    if phase == .takingOver { return arriving.take(change) }
    note(change)
    arrived.append(change)
    guard !isFlushing else { return }
    isFlushing = true
    // After the messages that have come already, so that they share a flush to disk.
    BridgeActor.perform { [weak self] in self?.flush() }
  }

  /// Takes in which keys the engine has files of.
  private func note(_ change: SessionFiles.Change) {
    let cache = change.key.cache
    switch change.content {
    case .file: known[cache]?.live.insert(change.key.hashValue)
    case .deletion:
      guard known[cache]?.live.remove(change.key.hashValue) != nil, known[cache]?.live.isEmpty == true else { return }
      lookWhetherForgotten(cache)
    }
  }

  private func flush() {
    isFlushing = false
    guard phase == .serving else { return }
    let changes = arrived
    arrived = []
    var ready: [SessionFiles.Change] = []
    var keys: Set<SessionKey> = []
    for change in changes {
      if known[change.key.cache] == nil {
        // Built when all of it is read; so one that could not be built waits until all is read again.
        if !broken.contains(change.key.cache), directory.files.wants(change) { arriving.take(change) }
        continue
      }
      // What stands there, which an invalid version may replace, is told by the file.
      if keys.contains(change.key), Self.judge(change) == .invalid {
        write(ready)
        (ready, keys) = ([], [])
      }
      guard let step = step(change) else { continue }
      if step == .keepThenWrite {
        hold(change)
      } else {
        ready.append(change)
        keys.insert(change.key)
      }
    }
    write(ready)
    if isWhole { arrive() }
    retryLater()
  }

  /// How a change is to be made; nil: it is not wanted, or waits.
  private func step(_ change: SessionFiles.Change) -> LastGood.Change? {
    let key = change.key
    let new = Self.judge(change)
    if let waiting = held[key] {
      guard change.version != waiting.version else { return nil }
      if new == .invalid {
        if change.replaces(waiting) { held[key] = change }
        return nil
      }
      held[key] = nil
    }
    guard directory.files.wants(change) else {
      if directory.files.kept(key)?.version == change.version { directory.files.note(change.sequence, of: key) }
      return nil
    }
    var old = LastGood.Content.absent
    if new == .invalid {
      old = directory.files.unchangedFile(key).map { Self.judge($0.bytes, key) } ?? .absent
    }
    return LastGood.change(from: old, to: new, hasGood: good[key] != nil)
  }

  private static func judge(_ change: SessionFiles.Change) -> LastGood.Content {
    switch change.content {
    case .deletion: .absent
    case .file(let bytes, _): judge(bytes, change.key)
    }
  }

  private static func judge(_ bytes: [UInt8], _ key: SessionKey) -> LastGood.Content {
    CachePlace(path: key.path).accepts(bytes) ? .valid : .invalid
  }

  private func write(_ changes: [SessionFiles.Change]) {
    guard !changes.isEmpty else { return }
    let results = directory.files.apply(changes)
    let unwritten = Set(results.map(\.change.key))
    for (change, reason) in results {
      let file = EscapedText.forPeople(change.key.path)
      let label = Self.label(change.key.cache)
      troubles.note("\(label): \(change.key.text)", "\(label): cannot write \(file): \(reason)")
    }
    for change in changes where !unwritten.contains(change.key) {
      let wasUnwritten = [failed.remove(change.key), impossible.remove(change.key)].contains { $0 != nil }
      if wasUnwritten { troubles.note("\(Self.label(change.key.cache)): \(change.key.text)", nil) }
      if good[change.key] != nil, Self.judge(change) != .invalid { forgetGood(change.key) }
    }
    for (change, reason) in results {
      if ArrivingCaches.isImpossible(reason) { impossible.insert(change.key) } else { failed.insert(change.key) }
    }
  }

  private func retryLater() {
    let mustRead = !failed.isEmpty || !broken.isEmpty || isLacking
    if !mustRead { failures = 0 }
    guard retry == nil, mustRead else { return }
    let seconds = min(Self.lastRetry, Self.firstRetry << min(failures, 5))
    failures += 1
    retry = BridgeActor.loop.after(.seconds(seconds)) { [weak self] in
      guard let self, phase == .serving else { return }
      retry = nil
      failed = []
      read()
    }
  }

  // MARK: Last good versions

  /// Lets an invalid version wait until the engine has the valid one that it replaces.
  private func hold(_ change: SessionFiles.Change) {
    let key = change.key
    guard let file = directory.files.unchangedFile(key) else { return write([change]) }
    held[key] = change
    BridgeActor.task { [self] in
      if await keep(Good(bytes: file.bytes, modified: file.modified), key) { release(key) }
    }
  }

  private func release(_ key: SessionKey) {
    guard phase == .serving, let change = held.removeValue(forKey: key) else { return }
    write([change])
    retryLater()
  }

  /// Gives the engine a last good version. Returns when it has it; false: it is not needed any more.
  private func keep(_ version: Good, _ key: SessionKey) async -> Bool {
    good[key] = version
    let message = ShardWriter.Message(
      subject: namespace.goodSubject(of: key), payload: version.bytes,
      headers: [Header.modified: String(version.modified)])
    // The headers that the owner adds to a message.
    guard version.bytes.count + 512 <= engine.maxPayload || !engine.isConnected else { return true }
    var backoff = Backoff()
    while phase != .over, good[key] == version {
      if await putGood(message) { return phase != .over && good[key] == version }
      await BridgeActor.sleep(backoff.next())
    }
    return false
  }

  private func forgetGood(_ key: SessionKey) {
    good[key] = nil
    let message = ShardWriter.Message(
      subject: namespace.goodSubject(of: key), payload: [], headers: [Header.operation: "DEL"])
    BridgeActor.task { [self] in
      var backoff = Backoff()
      while phase != .over, good[key] == nil, !(await putGood(message)) { await BridgeActor.sleep(backoff.next()) }
    }
  }

  /// In caches that are about to come, the good version of a file whose last one is invalid lies first.
  private func placeGood() {
    var waiting: Set<CacheName> = []
    for (key, version) in good where known[key.cache] == nil && !broken.contains(key.cache) {
      let file = arriving.content(of: key)
      let content = file.map { Self.judge($0.bytes, key) } ?? .absent
      switch LastGood.arrival(of: content, hasGood: true) {
      case .asItIs: break
      case .asItIsThenForget: forgetGood(key)
      case .goodFirst:
        guard let file, let kept = arriving.kept[key] else { continue }
        held[key] = SessionFiles.Change(
          key: key, version: kept.version, isPutBack: false, content: .file(file.bytes, modified: file.modified),
          sequence: kept.sequence)
        arriving.put(version.bytes, modified: version.modified, inPlaceOf: key)
        waiting.insert(key.cache)
      }
    }
    if !waiting.isEmpty { BridgeActor.task { [self] in await releaseOnceRead(waiting) } }
  }

  /// Renames the invalid versions into place once the agent has read the good ones.
  private func releaseOnceRead(_ names: Set<CacheName>) async {
    var waiting = names
    var backoff = Backoff()
    while phase != .over, !waiting.isEmpty {
      for name in waiting {
        guard known[name] != nil, await AgentProgram.hasPublished(in: directory.path(of: name)) else { continue }
        waiting.remove(name)
        for key in held.keys where key.cache == name { release(key) }
      }
      if !waiting.isEmpty { await BridgeActor.sleep(backoff.next()) }
    }
  }

  // MARK: Caches

  /// Moves what is built into its place.
  private func arrive() {
    placeGood()
    let names = arriving.names
    let kept = arriving.kept
    for (key, reason) in arriving.impossible {
      impossible.insert(key)
      let label = Self.label(key.cache)
      troubles.note("\(label): \(key.text)", "\(label): cannot write \(EscapedText.forPeople(key.path)): \(reason)")
    }
    let failures = arriving.arrive { name in
      let path = directory.arrivingPath(of: name).appending("snapshots")
      known[name] = Cache(
        snapshots: try? watch.watch(path) { [weak self] event in
          guard event.has(IN_MOVED_TO), event.name == Array("manifest.json".utf8) else { return }
          self?.publicationCount += 1
          self?.publish(name)
        })
    }
    arrivalCount += names.count { failures[$0] == nil }
    for name in names where failures[name] != nil { known.removeValue(forKey: name)?.snapshots.map(watch.unwatch) }
    for (key, kept) in kept where kept.digest != nil { known[key.cache]?.live.insert(key.hashValue) }
    for key in held.keys { known[key.cache]?.live.insert(key.hashValue) }
    broken = broken.subtracting(names).union(failures.keys)
    let first = failures.first.map { "\(Self.label($0.key)) cannot be built: \($0.value)" }
    troubles.note(trouble, first.map { failures.count == 1 ? $0 : "\($0); \(failures.count) caches like it" })
    retryLater()
  }

  private func leave(_ name: CacheName) {
    known.removeValue(forKey: name)?.snapshots.map(watch.unwatch)
    for key in good.keys where key.cache == name { forgetGood(key) }
    for key in held.keys where key.cache == name { held[key] = nil }
    troubles.forget(prefix: Self.label(name))
    do throws(Errno) {
      // Its deletions are kept: an engine that lost them must not bring it back.
      try directory.leave(name.bytes)
      try FileCall.removeTree(name.bytes, in: directory.leaving)
    } catch {
      troubles.note(trouble, "\(Self.label(name)) cannot be deleted: \(error)")
    }
  }

  /// A cache without any file in the engine, and without a set, was forgotten: it goes.
  private func lookWhetherForgotten(_ name: CacheName) {
    guard isLooking.insert(name).inserted else { return }
    BridgeActor.task { [self] in
      await BridgeActor.sleep(Self.forgettingTime)
      var backoff = Backoff()
      while phase == .serving, known[name]?.live.isEmpty == true {
        do throws(EngineError) {
          let set = try await engine.last(namespace.setSubject(of: name), in: namespace.stream(.out, shard))
          guard phase == .serving, known[name]?.live.isEmpty == true else { break }
          if set.map(\.message.isDeletion) ?? true { leave(name) } else { send(name) }
          break
        } catch {
          await BridgeActor.sleep(backoff.next())
        }
      }
      isLooking.remove(name)
    }
  }

  private func housekept(_ name: CacheName) -> (any HousekeptCache)? {
    // Deletions of caches that are forgotten are this owner's to remove too.
    guard phase == .serving, isOurs(name) else { return nil }
    return HousekeptCopy(directory: directory, name: name, hasFiles: known[name]?.live.isEmpty == false)
  }

  private struct HousekeptCopy: HousekeptCache {
    let directory: PoolDirectory
    let name: CacheName
    let hasFiles: Bool

    var path: FilePath { directory.path(of: name) }
    func versionOfUnchangedFile(_ key: SessionKey) -> Int64? { directory.files.versionOfUnchangedFile(key) }
    func versionOfDeletion(_ key: SessionKey) -> Int64? { directory.files.versionOfDeletion(key) }
  }

  // MARK: Sets

  /// Looks at every cache, after events were lost.
  package func lookAgain() {
    guard phase == .serving else { return }
    for name in known.keys { publish(name) }
  }

  /// Sends the set of a cache; one without any file only in place of another, since it may be about to be forgotten.
  private func publish(_ name: CacheName) {
    guard phase == .serving, let cache = known[name] else { return }
    if cache.live.isEmpty { lookWhetherForgotten(name) } else { send(name) }
  }

  private func send(_ name: CacheName) {
    guard engine.isConnected, let set = readSet(of: name) else { return }
    let message = set.message
    let (label, limit) = (Self.label(name), engine.maxPayload)
    guard message.count <= limit else {
      let text = "\(label): its set of \(message.count) bytes is larger than the engine takes"
      return troubles.note("\(label): size", "\(text) (max_payload: \(limit)); readers keep the last one")
    }
    put(message, name)
  }

  private func readSet(of name: CacheName) -> PublishedSet? {
    guard let folder = try? FileCall.directory(name.bytes, in: directory.root) else { return nil }
    defer { close(folder) }
    return SetFiles.set(in: folder, Self.label(name), troubles)
  }
}

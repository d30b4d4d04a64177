package import CacheSyncSystem
import SystemPackage

/// Runs the caches of an owned shard, from the takeover to the end of the ownership.
///
/// It reads all of `out`, then all of `in`, builds the caches and moves them into place. Then it follows `in`, and
/// sends what the agent publishes. After every new connection it reads both again, because the engine may have lost
/// something.
@LoopActor
package final class PoolShard {
  private enum Phase {
    case waiting
    case takingOver
    case serving
    case over
  }

  package let shard: Int
  private let nonce: String
  private let engine: Engine
  private let namespace: Namespace
  private let directory: PoolDirectory
  private let watch: DirectoryWatch
  private let troubles: Troubles
  private let put: @LoopActor (_ set: [UInt8], _ cache: CacheName) -> Void

  private var phase = Phase.waiting
  private var observer: Int?
  private let good: GoodVersions
  private let arriving: ArrivingCaches
  private lazy var reading = ShardReading(engine, namespace, shard: shard, nonce: nonce) { [weak self] event in
    self?.receive(event)
  }
  private lazy var served = ServedCaches(
    engine, namespace, directory, watch, troubles, put: put, isForgotten: { [weak self] in self?.leave($0) })
  private lazy var files = ShardFiles(
    directory, troubles, good, isServed: { [weak self] in self?.served.has($0) == true },
    isReleased: { [weak self] in self?.retryLater() })
  private lazy var housekeeping = Housekeeping(
    engine, namespace, troubles, pause: Self.housekeepingPause,
    names: { [weak self] in self?.served.names ?? [] },
    cache: { [weak self] in self?.housekept($0) })

  /// Changes from the engine that are not written yet.
  private var arrived: [SessionFiles.Change] = []
  private var isFlushing = false
  /// Caches that could not be built.
  private var broken: Set<CacheName> = []
  /// Whether something that the engine lost could not be put back.
  private var isLacking = false
  private lazy var retry = FailureRetry { [weak self] in self?.readAgain() }

  /// How many caches the agent has received so far.
  package private(set) var arrivalCount = 0

  /// Slow enough that no cache is affected. Thousands of caches are still checked within an hour.
  private nonisolated static let housekeepingPause = Duration.milliseconds(500)

  /// - Parameters:
  ///   - nonce: of this owner's record. A reading of `out` that contains the record has passed every message of earlier
  ///     owners.
  ///   - put: sends a cache's set as the shard's owner.
  ///   - putGood: sends a last good version, or its deletion, as the shard's owner; returns whether the engine has it.
  package init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, nonce: String, directory: PoolDirectory,
    watch: DirectoryWatch, troubles: Troubles, put: @escaping @LoopActor (_ set: [UInt8], _ cache: CacheName) -> Void,
    putGood: @escaping @LoopActor (_ message: ShardWriter.Message) async -> Bool
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.nonce = nonce
    self.directory = directory
    self.watch = watch
    self.troubles = troubles
    self.put = put
    good = GoodVersions(engine, namespace, put: putGood)
    arriving = ArrivingCaches(directory)
  }

  // MARK: Beginning and ending

  /// Takes over the shard's caches, and then serves them. Called again while it serves, for example after the engine
  /// lost the owner's record, it compares everything with the engine.
  package func begin() {
    switch phase {
    case .waiting:
      phase = .takingOver
      directory.leavings?.beginTakeover(of: shard)
      observer = engine.observe { [weak self] event in if event == .connected { self?.read() } }
    case .takingOver: return
    case .serving: break
    case .over: return
    }
    read()
  }

  /// Stops because another member is the owner: writes nothing more, and releases the copies.
  package func lose() {
    end()
    directory.leavings?.settleSoon()
  }

  /// Releases the copies on purpose. Returns when the engine lacks nothing of them, or cannot be reached now.
  package func letGo() async {
    end()
    await directory.leavings?.settle(shard)
  }

  private func end() {
    guard phase != .over, phase != .waiting else { return phase = .over }
    phase = .over
    observer.map(engine.removeObserver)
    reading.stop()
    retry.cancel()
    let names = served.names
    served.removeAll()
    arriving.discard()
    directory.leavings?.leave(shard, names)
    for name in names { troubles.remove(prefix: name.label) }
    troubles.remove(prefix: trouble)
    files.end()
    good.end()
    arrived = []
  }

  // MARK: Asking

  /// Whether the takeover is complete.
  package var isServing: Bool { phase == .serving }

  /// The shard's caches, in no particular order. A cache that could not be built yet is not served.
  package var caches: [(name: CacheName, isServed: Bool)] {
    served.names.map { ($0, true) } + broken.map { ($0, false) }
  }

  package var cacheCount: Int { served.count + broken.count }

  /// How many publications of the agent were received so far.
  package var publicationCount: Int { served.publicationCount }

  /// How many keys fit no cache here, and are ignored.
  package var leftAlone: Int { reading.leftAlone }

  /// How many keys could not be written yet.
  package var unwritten: Int { files.unwritten }

  /// Looks at every cache. Called after events were lost.
  package func lookAgain() { served.lookAgain() }

  private var trouble: String { "shard \(shard): caches" }

  // MARK: Reading

  private func read() {
    broken = []
    arriving.discard()
    reading.start()
  }

  private func receive(_ event: ShardReading.Event) {
    guard phase != .over else { return }
    switch event {
    case .beginning: arriving.discard()
    case .set(let message, let cache):
      if served.has(cache) {
        served.compare(cache, with: message)
      } else {
        PublishedSet(message: message).map { arriving.add($0, of: cache) }
      }
    case .outIsRead:
      guard phase != .takingOver else { return good.begin(with: reading.good) }
      for cache in served.names where !reading.sets.contains(cache) { served.publish(cache) }
      good.restore(reading.good)
    case .key(let key, let stored): receive(stored, of: key)
    case .inIsRead: LoopActor.task { [weak self] in await self?.finishReading() }
    }
  }

  private func finishReading() async {
    let round = reading.round
    guard phase == .takingOver else {
      await restoreOwn()
      guard round == reading.round, phase == .serving else { return }
      reading.recordComparison()
      return flush()
    }
    let found = reading.found
    let unsent =
      await directory.leavings?.restore(shard, found: found, into: arriving, while: { phase == .takingOver }) ?? []
    guard round == reading.round, phase == .takingOver else { return }
    reading.recordComparison()
    arrive()
    directory.leavings?.finish(shard)
    phase = .serving
    for name in unsent { served.publish(name) }
    housekeeping.begin()
  }

  /// Puts back what the engine has lost of the served caches.
  private func restoreOwn() async {
    let copies = directory.files.kept.filter { reading.covers($0.key.cache) }
    let outcome = await LostKeys(engine, namespace).settle(copies, found: reading.found, from: directory.root)
    // Everything is read again after a connection.
    let error = outcome.failed.values.first { $0 != .notConnected }
    isLacking = error != nil && phase == .serving
    guard phase == .serving else { return }
    let text = error.map { "shard \(shard): the engine does not take back what it lost: \($0); trying on" }
    troubles.record("\(trouble): lost", text)
  }

  // MARK: Session files

  private func receive(_ stored: StoredMessage, of key: SessionKey) {
    let isDeletion = stored.message.isDeletion
    let change = SessionFiles.Change(stored, of: key)
    housekeeping.record(stored, of: key)
    if phase == .takingOver { return arriving.add(change) }
    if isDeletion { served.removeFile(key) } else { served.addFile(key) }
    arrived.append(change)
    guard !isFlushing else { return }
    isFlushing = true
    // After the messages that have already arrived, so that they share a flush to disk.
    LoopActor.perform { [weak self] in self?.flush() }
  }

  private func flush() {
    isFlushing = false
    guard phase == .serving else { return }
    let changes = arrived
    arrived = []
    for change in changes where !served.has(change.key.cache) {
      // Caches are built when everything has been read. One that could not be built waits until everything is read
      // again.
      if !broken.contains(change.key.cache), directory.files.wants(change) { arriving.add(change) }
    }
    files.apply(changes.filter { served.has($0.key.cache) })
    if reading.isWhole { arrive() }
    retryLater()
  }

  private func retryLater() { retry.schedule(if: files.hasFailures || !broken.isEmpty || isLacking) }

  private func readAgain() {
    guard phase == .serving else { return }
    files.removeFailures()
    read()
  }

  // MARK: Caches

  /// Moves the finished caches into place.
  private func arrive() {
    files.placeGood(in: arriving) { !served.has($0) && !broken.contains($0) }
    let names = arriving.names
    let kept = arriving.kept
    for (key, reason) in arriving.impossible { files.recordImpossible(key, "\(reason)") }
    let failures = arriving.arrive { served.add($0) }
    arrivalCount += names.count { failures[$0] == nil }
    for name in names where failures[name] != nil { served.remove(name) }
    for (key, kept) in kept where kept.digest != nil { served.addFile(key) }
    for key in files.heldKeys { served.addFile(key) }
    broken = broken.subtracting(names).union(failures.keys)
    let first = failures.first.map { "\($0.key.label) cannot be built: \($0.value)" }
    troubles.record(trouble, first.map { failures.count == 1 ? $0 : "\($0); \(failures.count) caches like it" })
    retryLater()
  }

  /// Removes a cache that was forgotten.
  private func leave(_ name: CacheName) {
    served.remove(name)
    good.remove(name)
    files.remove(name)
    troubles.remove(prefix: name.label)
    do throws(Errno) {
      // The record of its deletions stays: an engine that lost them must not bring the cache back.
      try directory.leave(name.bytes)
      try FileCall.removeTree(name.bytes, in: directory.leaving)
    } catch {
      troubles.record(trouble, "\(name.label) cannot be deleted: \(error)")
    }
  }

  private func housekept(_ name: CacheName) -> (any HousekeptCache)? {
    // This owner also removes the deletions of forgotten caches.
    guard phase == .serving, reading.covers(name) else { return nil }
    return HousekeptCopy(directory: directory, name: name, hasFiles: served.hasFiles(name))
  }
}

/// A cache in a pool's directory, as housekeeping needs it.
struct HousekeptCopy: HousekeptCache {
  let directory: PoolDirectory
  let name: CacheName
  let hasFiles: Bool

  var path: FilePath { directory.path(of: name) }
  func versionOfUnchangedFile(_ key: SessionKey) -> Int64? { directory.files.versionOfUnchangedFile(key) }
  func versionOfDeletion(_ key: SessionKey) -> Int64? { directory.files.versionOfDeletion(key) }
}

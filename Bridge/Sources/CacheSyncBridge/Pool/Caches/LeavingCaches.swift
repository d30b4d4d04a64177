import CacheSyncSystem
import Glibc
import SystemPackage

/// Holds copies that this member does not need any more. Each is deleted once the engine lacks nothing of it.
@LoopActor
final class LeavingCaches {
  private typealias Copies = [SessionKey: KeptVersion]

  private let engine: Engine
  private let namespace: Namespace
  private unowned let directory: PoolDirectory
  private let troubles: Troubles
  private let lost: LostKeys

  /// The record of each cache when it left. A cache with only a record has no directory.
  private var caches: [CacheName: Copies] = [:]
  /// Shards that are being taken over. The takeover checks their caches itself.
  private var takenOver: Set<Int> = []
  /// Caches of those shards with something that could not be put back.
  private var unsettled: Set<CacheName> = []
  private var isSettling = false
  private var timer: Int?

  /// After a start this member usually gets its earlier shards back, and the takeover then settles their copies.
  private nonisolated static let firstPause = Duration.seconds(10)
  private nonisolated static let pause = Duration.seconds(10)
  private nonisolated static let trouble = "leaving"

  init(_ engine: Engine, _ namespace: Namespace, _ directory: PoolDirectory, _ troubles: Troubles) {
    self.engine = engine
    self.namespace = namespace
    self.directory = directory
    self.troubles = troubles
    lost = LostKeys(engine, namespace)
    for (key, kept) in directory.files.kept { caches[key.cache, default: [:]][key] = kept }
    for entry in (try? FileCall.entries(in: directory.leaving)) ?? [] {
      if let name = CacheName(bytes: entry.name) { caches[name] = caches[name] ?? [:] }
    }
    if !caches.isEmpty { settleLater(Self.firstPause) }
  }

  private func caches(of shard: Int) -> [CacheName] { caches.keys.filter { namespace.shard(of: $0) == shard } }

  // MARK: Leaving

  /// Moves the caches of a shard out of the agent's sight.
  func leave(_ shard: Int, _ names: some Sequence<CacheName>) {
    for name in names {
      do throws(Errno) {
        try directory.leave(name.bytes)
      } catch {
        troubles.record(Self.trouble, "cannot move \(EscapedText.forPeople(name.bytes)) out of the way: \(error)")
      }
      caches[name] = [:]
    }
    for (key, kept) in directory.files.kept where namespace.shard(of: key.cache) == shard {
      caches[key.cache, default: [:]][key] = kept
    }
    takenOver.remove(shard)
  }

  // MARK: A takeover

  /// Leaves the shard's caches to the takeover that begins now.
  func beginTakeover(of shard: Int) { takenOver.insert(shard) }

  /// Adds what a shard had, and the engine lacks, to the arriving caches, as if it had been read. Returns the caches
  /// whose sets the engine lacks.
  ///
  /// - Parameter isWanted: whether the takeover continues.
  func restore(
    _ shard: Int, found: [SessionKey: PutBack.Found], into arriving: ArrivingCaches, while isWanted: () -> Bool
  ) async -> [CacheName] {
    for change in await putBack(shard, found) where isWanted() { arriving.add(change) }
    guard isWanted() else { return [] }
    let names = Set(arriving.names)
    var unsent: [CacheName] = []
    // A set alone must not bring back a cache that was forgotten meanwhile.
    for (cache, set) in sets(shard) where names.contains(cache) {
      let generation = arriving.generation(of: cache)
      arriving.add(set, of: cache)
      if arriving.generation(of: cache) != generation { unsent.append(cache) }
    }
    return unsent
  }

  /// Puts back what the engine lacks of a shard, compared with what was read. Returns it as messages that arrive now.
  private func putBack(_ shard: Int, _ found: [SessionKey: PutBack.Found]) async -> [SessionFiles.Change] {
    let copies = caches(of: shard).flatMap { caches[$0] ?? [:] }.map { (key: $0.key, kept: $0.value) }
    let outcome = await lost.settle(copies, found: found, from: directory.leaving)
    if let error = outcome.failed.values.first { record(error) }
    unsettled.formUnion(outcome.failed.keys)
    try? directory.files.remove(outcome.missing)
    return outcome.restored
  }

  /// The set that a cache of a shard showed when it left.
  private func sets(_ shard: Int) -> [(cache: CacheName, set: PublishedSet)] {
    caches(of: shard).compactMap { name in
      guard let folder = try? FileCall.directory(name.bytes, in: directory.leaving) else { return nil }
      defer { close(folder) }
      guard case .set(let set) = SetFiles.read(in: folder) else { return nil }
      return (name, set)
    }
  }

  /// Deletes the shard's copies, because its caches are in place again.
  func finish(_ shard: Int) {
    takenOver.remove(shard)
    for name in caches(of: shard) where unsettled.remove(name) == nil { finish(name, except: { _ in true }) }
    if !caches.isEmpty { settleLater(Self.pause) }
  }

  // MARK: Settling

  func settleSoon() { settleLater(.zero) }

  private func settleLater(_ time: Duration) {
    if let timer { Alarms.shared.cancel(timer) }
    timer = Alarms.shared.set(after: time) { [weak self] in
      self?.timer = nil
      LoopActor.task { [weak self] in await self?.settleAll() }
    }
  }

  private func settleAll() async {
    guard !isSettling else { return settleLater(Self.pause) }
    isSettling = true
    for name in Array(caches.keys) where !takenOver.contains(namespace.shard(of: name)) { await settle(name) }
    isSettling = false
    if !caches.isEmpty { settleLater(Self.pause) }
  }

  /// Checks the caches of a shard. Returns when all are deleted, or when the engine does not answer.
  func settle(_ shard: Int) async {
    for name in caches(of: shard) where engine.isConnected { await settle(name) }
    if !caches(of: shard).isEmpty { settleLater(Self.pause) }
  }

  private func settle(_ name: CacheName) async {
    guard engine.isConnected, let copies = caches[name] else { return }
    let outcome = await lost.settle(
      copies.map { (key: $0.key, kept: $0.value) }, found: nil, from: directory.leaving)
    if let error = outcome.failed[name] { return record(error) }
    troubles.record(Self.trouble, nil)
    // The shard was taken over meanwhile.
    guard !takenOver.contains(namespace.shard(of: name)) else { return }
    finish(name, except: { [directory] in directory.isPresent($0) })
  }

  private func record(_ error: any Error) {
    guard engine.isConnected, (error as? EngineError) != .notConnected else { return }
    troubles.record(Self.trouble, "the engine does not take back what it lacks: \(error); the copies stay in .bridge")
  }

  /// - Parameter isKept: whether the cache has come back, so that its record stays.
  private func finish(_ name: CacheName, except isKept: (CacheName) -> Bool) {
    do throws(Errno) {
      try FileCall.removeTree(name.bytes, in: directory.leaving)
      if !isKept(name), let copies = caches[name] { try directory.files.remove(Array(copies.keys)) }
      caches[name] = nil
    } catch {
      troubles.record(Self.trouble, "cannot delete \(EscapedText.forPeople(name.bytes)) in .bridge/leaving: \(error)")
    }
  }
}

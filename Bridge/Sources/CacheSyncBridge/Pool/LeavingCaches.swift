import CacheSync
import Glibc
import SystemPackage

/// Copies that this member has no more use for: each is deleted once the engine lacks nothing of it.
@BridgeActor
final class LeavingCaches {
  private typealias Copies = [SessionKey: KeptVersions.Kept]

  private let engine: Engine
  private let namespace: Namespace
  private unowned let directory: PoolDirectory
  private let troubles: Troubles

  /// What was kept of each cache when it left; one that has a record alone has no directory.
  private var caches: [CacheName: Copies] = [:]
  /// Shards that are being taken over, which look at their own.
  private var taken: Set<Int> = []
  /// Caches of those shards of which something could not be put back.
  private var unsettled: Set<CacheName> = []
  private var isSettling = false
  private var timer: Int?

  /// After a start the shards that were this member's are usually its own again, and what they read tells all.
  private nonisolated static let firstPause = Duration.seconds(10)
  private nonisolated static let pause = Duration.seconds(10)
  /// How many keys are asked for at the same time.
  private nonisolated static let width = 16
  private nonisolated static let trouble = "leaving"

  init(_ engine: Engine, _ namespace: Namespace, _ directory: PoolDirectory, _ troubles: Troubles) {
    self.engine = engine
    self.namespace = namespace
    self.directory = directory
    self.troubles = troubles
    for (key, kept) in directory.files.kept { caches[key.cache, default: [:]][key] = kept }
    for entry in (try? FileCall.entries(in: directory.leaving)) ?? [] {
      if let name = CacheName(bytes: entry.name) { caches[name] = caches[name] ?? [:] }
    }
    if !caches.isEmpty { settleLater(Self.firstPause) }
  }

  private func caches(of shard: Int) -> [CacheName] { caches.keys.filter { namespace.shard(of: $0) == shard } }

  // MARK: Coming

  /// Moves the caches of a shard out of the agent's sight.
  func leave(_ shard: Int, _ names: some Sequence<CacheName>) {
    for name in names {
      do throws(Errno) {
        try directory.leave(name.bytes)
      } catch {
        troubles.note(Self.trouble, "cannot move \(EscapedText.forPeople(name.bytes)) out of the way: \(error)")
      }
      caches[name] = [:]
    }
    for (key, kept) in directory.files.kept where namespace.shard(of: key.cache) == shard {
      caches[key.cache, default: [:]][key] = kept
    }
    taken.remove(shard)
  }

  // MARK: A takeover

  /// The shard's caches are looked at by the one who takes it over, from now on.
  func take(_ shard: Int) { taken.insert(shard) }

  /// Puts back what a shard lacks, going by what was read of it. Returns what was put back, as messages that come now.
  func restore(_ shard: Int, found: [SessionKey: PutBack.Found]) async -> [SessionFiles.Change] {
    let copies = caches(of: shard).flatMap { caches[$0] ?? [:] }.map { (key: $0.key, kept: $0.value) }
    let outcome = await settle(copies, found: found, from: directory.leaving)
    if let error = outcome.failed.values.first { note(error) }
    unsettled.formUnion(outcome.failed.keys)
    try? directory.files.forget(outcome.missing)
    return outcome.restored
  }

  /// The set that a cache of a shard showed when it left.
  func sets(_ shard: Int) -> [(cache: CacheName, set: PublishedSet)] {
    caches(of: shard).compactMap { name in
      guard let folder = try? FileCall.directory(name.bytes, in: directory.leaving) else { return nil }
      defer { close(folder) }
      guard case .set(let set) = SetFiles.read(in: folder) else { return nil }
      return (name, set)
    }
  }

  /// The shard's caches are in place again: what left is deleted.
  func finish(_ shard: Int) {
    taken.remove(shard)
    for name in caches(of: shard) where unsettled.remove(name) == nil { finish(name, except: { _ in true }) }
    if !caches.isEmpty { settleLater(Self.pause) }
  }

  // MARK: Settling

  func settleSoon() { settleLater(.zero) }

  private func settleLater(_ time: Duration) {
    if let timer { BridgeActor.loop.cancel(timer) }
    timer = BridgeActor.loop.after(time) { [weak self] in
      self?.timer = nil
      BridgeActor.task { [weak self] in await self?.settleAll() }
    }
  }

  private func settleAll() async {
    guard !isSettling else { return settleLater(Self.pause) }
    isSettling = true
    for name in Array(caches.keys) where !taken.contains(namespace.shard(of: name)) { await settle(name) }
    isSettling = false
    if !caches.isEmpty { settleLater(Self.pause) }
  }

  /// Asks for the caches of a shard, and returns when all are deleted, or when the engine does not answer.
  func settle(_ shard: Int) async {
    for name in caches(of: shard) where engine.isConnected { await settle(name) }
    if !caches(of: shard).isEmpty { settleLater(Self.pause) }
  }

  private func settle(_ name: CacheName) async {
    guard engine.isConnected, let copies = caches[name] else { return }
    let outcome = await settle(
      copies.map { (key: $0.key, kept: $0.value) }, found: nil, from: directory.leaving)
    if let error = outcome.failed[name] { return note(error) }
    troubles.note(Self.trouble, nil)
    // Taken over meanwhile.
    guard !taken.contains(namespace.shard(of: name)) else { return }
    finish(name, except: { [directory] in directory.isPresent($0) })
  }

  private func note(_ error: any Error) {
    guard engine.isConnected, (error as? EngineError) != .notConnected else { return }
    troubles.note(Self.trouble, "the engine does not take back what it lacks: \(error); the copies stay in .bridge")
  }

  /// - Parameter isKept: whether the record of a cache belongs to one that came again.
  private func finish(_ name: CacheName, except isKept: (CacheName) -> Bool) {
    do throws(Errno) {
      try FileCall.removeTree(name.bytes, in: directory.leaving)
      if !isKept(name), let copies = caches[name] { try directory.files.forget(Array(copies.keys)) }
      caches[name] = nil
    } catch {
      troubles.note(Self.trouble, "cannot delete \(EscapedText.forPeople(name.bytes)) in .bridge/leaving: \(error)")
    }
  }

  // MARK: Keys

  struct Settlement: Sendable {
    /// What was put back, as messages that come now.
    var restored: [SessionFiles.Change] = []
    /// What the engine lacks, and of which there is no copy.
    var missing: [SessionKey] = []
    var failed: [CacheName: EngineError] = [:]
  }

  /// Puts back what the engine lacks, several keys at the same time.
  ///
  /// - Parameters:
  ///   - found: what the engine has of all keys; nil: it is asked for each.
  ///   - folder: where the caches' directories are.
  func settle(
    _ copies: [(key: SessionKey, kept: KeptVersions.Kept)], found: [SessionKey: PutBack.Found]?, from folder: Int32
  ) async -> Settlement {
    let doubtful = copies.filter { copy in found.map { Self.expected(copy.kept, $0[copy.key]) != nil } ?? true }
    return await withTaskGroup(of: (SessionKey, Result<Outcome, EngineError>).self) { group in
      var settlement = Settlement()
      func take(_ key: SessionKey, _ result: Result<Outcome, EngineError>) {
        switch result {
        case .success(.putBack(let change)): settlement.restored.append(change)
        case .success(.hasNoCopy): settlement.missing.append(key)
        case .success(.lacksNothing): break
        case .failure(let error): settlement.failed[key.cache] = error
        }
      }
      for (index, copy) in doubtful.enumerated() {
        if index >= Self.width, let (key, result) = await group.next() { take(key, result) }
        group.addTask(executorPreference: BridgeActor.loop) { [self] in
          do throws(EngineError) {
            let known = found.map { $0[copy.key] }
            return (copy.key, .success(try await settle(copy.key, copy.kept, known, from: folder)))
          } catch {
            return (copy.key, .failure(error))
          }
        }
      }
      for await (key, result) in group { take(key, result) }
      return settlement
    }
  }

  private enum Outcome: Sendable {
    case lacksNothing
    /// The copy's bytes are not those that were kept.
    case hasNoCopy
    case putBack(SessionFiles.Change)
  }

  private static func expected(_ kept: KeptVersions.Kept, _ found: PutBack.Found?) -> UInt64? {
    PutBack.expectedSequence(
      .init(version: kept.version, isDeletion: kept.digest == nil, sequence: kept.sequence), found, now: now())
  }

  /// Nanoseconds since 1970.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Puts a key back if the engine lacks it.
  ///
  /// - Parameters:
  ///   - found: what the engine has; nil: it is asked.
  ///   - folder: where the cache's directory is.
  private func settle(_ key: SessionKey, _ kept: KeptVersions.Kept, _ found: PutBack.Found??, from folder: Int32)
    async throws(EngineError) -> Outcome
  {
    // Version 0 stands for a key that must come again.
    guard kept.version != 0 else { return .lacksNothing }
    var found = found
    // Each round but the first is after another client's message came in between.
    for _ in 0..<8 {
      let known: PutBack.Found?
      if let found { known = found } else { known = try await read(key) }
      guard let expected = Self.expected(kept, known) else { return .lacksNothing }
      var message = EngineMessage(
        subject: namespace.subject(of: key),
        headers: [Header.again: String(kept.version), Header.expectedLastSubjectSequence: String(expected)])
      var content = SessionFiles.Change.Content.deletion
      if let digest = kept.digest {
        guard let file = Self.file(key, in: folder), SHA256.hex(file.bytes) == digest else { return .hasNoCopy }
        message.payload = file.bytes
        message.headers[Header.modified] = String(file.modified)
        content = .file(file.bytes, modified: file.modified)
      } else {
        message.headers[Header.operation] = "DEL"
      }
      do throws(EngineError) {
        let sequence = try await engine.put(message)
        return .putBack(
          .init(key: key, version: kept.version, isPutBack: true, content: content, sequence: sequence))
      } catch {
        guard error == .wrongLastSequence else { throw error }
      }
      found = nil
    }
    throw .wrongLastSequence
  }

  private static func file(_ key: SessionKey, in folder: Int32) -> (bytes: [UInt8], modified: Int64)? {
    guard
      let place = try? FileCall.parent(of: key.cache.bytes + [UInt8(ascii: "/")] + key.path, in: folder, making: false)
    else { return nil }
    defer { close(place.parent) }
    return try? FileCall.readDated(place.name, in: place.parent)
  }

  private func read(_ key: SessionKey) async throws(EngineError) -> PutBack.Found? {
    try await engine.last(namespace.subject(of: key), in: namespace.stream(.in, namespace.shard(of: key.cache)))
      .map(PutBack.Found.init)
  }
}

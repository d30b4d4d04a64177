import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// Puts back keys that the engine lost and this member has copies of.
@LoopActor
final class LostKeys {
  private let engine: Engine
  private let namespace: Namespace

  /// How many keys are checked at the same time.
  private nonisolated static let width = 16

  init(_ engine: Engine, _ namespace: Namespace) {
    self.engine = engine
    self.namespace = namespace
  }

  struct Settlement: Sendable {
    /// The keys that were put back, as messages that arrive now.
    var restored: [SessionFiles.Change] = []
    /// The keys that the engine lacks, and of which no copy exists.
    var missing: [SessionKey] = []
    var failed: [CacheName: EngineError] = [:]
  }

  /// Checks several keys at the same time.
  ///
  /// - Parameters:
  ///   - found: what the engine has of all keys; nil: ask for each.
  ///   - folder: the parent directory of the caches.
  func settle(
    _ copies: [(key: SessionKey, kept: KeptVersion)], found: [SessionKey: PutBack.Found]?, from folder: Int32
  ) async -> Settlement {
    let doubtful = copies.filter { copy in found.map { Self.expected(copy.kept, $0[copy.key]) != nil } ?? true }
    return await withTaskGroup(of: (SessionKey, Result<Outcome, EngineError>).self) { group in
      var settlement = Settlement()
      func add(_ key: SessionKey, _ result: Result<Outcome, EngineError>) {
        switch result {
        case .success(.putBack(let change)): settlement.restored.append(change)
        case .success(.hasNoCopy): settlement.missing.append(key)
        case .success(.lacksNothing): break
        case .failure(let error): settlement.failed[key.cache] = error
        }
      }
      for (index, copy) in doubtful.enumerated() {
        if index >= Self.width, let (key, result) = await group.next() { add(key, result) }
        group.addTask(executorPreference: LoopActor.shared.loop) { [self] in
          do throws(EngineError) {
            let known = found.map { $0[copy.key] }
            return (copy.key, .success(try await settle(copy.key, copy.kept, known, from: folder)))
          } catch {
            return (copy.key, .failure(error))
          }
        }
      }
      for await (key, result) in group { add(key, result) }
      return settlement
    }
  }

  private enum Outcome: Sendable {
    case lacksNothing
    /// The copy is missing, or its bytes do not match the record.
    case hasNoCopy
    case putBack(SessionFiles.Change)
  }

  private static func expected(_ kept: KeptVersion, _ found: PutBack.Found?) -> UInt64? {
    PutBack.expectedSequence(kept, found, now: Instant.now.nanoseconds)
  }

  /// Puts a key back if the engine lacks it.
  ///
  /// - Parameters:
  ///   - found: what the engine has; nil: ask.
  ///   - folder: the parent directory of the cache.
  private func settle(_ key: SessionKey, _ kept: KeptVersion, _ found: PutBack.Found??, from folder: Int32)
    async throws(EngineError) -> Outcome
  {
    // Version 0 marks a key that must come again.
    guard kept.version != 0 else { return .lacksNothing }
    var found = found
    // Another round is needed when another client's message came in between.
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
    try? FileCall.readDated(at: key.cache.bytes + [UInt8(ascii: "/")] + key.path, in: folder)
  }

  private func read(_ key: SessionKey) async throws(EngineError) -> PutBack.Found? {
    try await engine.last(namespace.subject(of: key), in: namespace.stream(.in, namespace.shard(of: key.cache)))
      .map(PutBack.Found.init)
  }
}

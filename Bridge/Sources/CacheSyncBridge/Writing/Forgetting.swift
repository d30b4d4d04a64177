import CacheSync
package import CacheSyncSystem

/// Removes a cache from a namespace (wire.md section 7): it deletes every key of the cache in the engine.
@LoopActor
package struct Forgetting {
  package enum Service: Sendable, Equatable {
    case none
    /// A bridge reports that it has the cache; the role is `home` or `away`.
    case bridge(role: String, name: String, path: String)
    /// A bridge wrote for the cache's shard, and no bridge that could be its owner answers now.
    case unknown(lastOwner: String)
  }

  package struct Count: Sendable, Equatable {
    package var files = 0
    package var sets = 0
    package var goodVersions = 0
  }

  package enum Failure: Error, Sendable, Equatable {
    case engine(EngineError)
    /// Other clients keep writing to the cache.
    case isWritten
  }

  private let engine: Engine
  private let namespace: Namespace
  private let cache: CacheName

  package init(engine: Engine, namespace: Namespace, cache: CacheName) {
    self.engine = engine
    self.namespace = namespace
    self.cache = cache
  }

  private var shard: Int { namespace.shard(of: cache) }

  /// How often messages that other clients wrote meanwhile are deleted too.
  private nonisolated static let attempts = 5

  // MARK: Who serves it

  package func service() async throws(EngineError) -> Service {
    // First, because it fails for a client without the permission.
    let record = try await engine.lastFromLeader(namespace.ownerSubject(shard), in: namespace.stream(.out, shard))
    let bridges = await BridgeStatus.ask(engine, namespace)
    let name = EscapedText.forPeople(cache.bytes)
    // A pool releases a cache whose keys and set are gone. Other bridges keep what they have.
    for bridge in bridges where bridge["role"]?.string != "pool" {
      guard let found = bridge["caches"]?.array?.first(where: { $0["cache"]?.string == name }) else { continue }
      return .bridge(role: Self.text(bridge["role"]), name: Self.text(bridge["name"]), path: Self.text(found["path"]))
    }
    let hasOwner = bridges.contains { $0["role"]?.string != "away" }
    guard let record, !record.payload.isEmpty, !hasOwner else { return .none }
    return .unknown(lastOwner: Self.text(JSONValue(record.payload)?["agent"]))
  }

  private nonisolated static func text(_ value: JSONValue?) -> String { EscapedText.forPeople(value?.string ?? "?") }

  // MARK: Deleting

  package func forget() async throws(Failure) -> Count {
    var count = Count()
    let token = cache.token
    let out = namespace.prefix(.out, shard)
    // Producers' files come first, because a missing set means that everything is deleted.
    count.files = try await delete(namespace.prefix(.in, shard) + token + ".>", in: .in)
    count.goodVersions = try await delete(out + "_good.\(token).>", in: .out)
    count.sets = try await delete(namespace.setSubject(of: cache), in: .out)
    return count
  }

  /// Deletes every key of a filter; returns how many there were.
  private func delete(_ filter: String, in direction: Namespace.Direction) async throws(Failure) -> Int {
    var subjects: Set<String> = []
    for _ in 0..<Self.attempts {
      do throws(EngineError) {
        let stored = try await last(filter, in: namespace.stream(direction, shard)).filter { !$0.message.isDeletion }
        if stored.isEmpty { return subjects.count }
        for stored in stored where try await delete(stored, in: direction) { subjects.insert(stored.message.subject) }
      } catch {
        throw .engine(error)
      }
    }
    throw .isWritten
  }

  /// - Returns: whether it was still the last message of its subject.
  private func delete(_ stored: StoredMessage, in direction: Namespace.Direction) async throws(EngineError) -> Bool {
    do {
      switch direction {
      case .in: try await engine.putDeletion(of: stored)
      case .out: try await engine.putDeletion(of: stored, inLogOf: namespace.stream(.out, shard))
      }
      return true
    } catch .wrongLastSequence {
      return false
    }
  }

  /// The last message of every subject of a filter.
  private func last(_ filter: String, in stream: String) async throws(EngineError) -> [StoredMessage] {
    var found: [String: StoredMessage] = [:]
    var finish: CheckedContinuation<Bool, Never>?
    let reader = LastPerSubject(engine, stream: stream, filter: filter, heartbeat: .seconds(5)) { event in
      switch event {
      case .beginning: break
      case .message(let stored): found[stored.message.subject] = stored
      case .complete:
        finish?.resume(returning: true)
        finish = nil
      }
    }
    let isComplete = await withCheckedContinuation { continuation in
      finish = continuation
      Alarms.shared.set(after: .seconds(30)) {
        finish?.resume(returning: false)
        finish = nil
      }
      reader.start()
    }
    reader.stop()
    guard isComplete else { throw .unanswered }
    return Array(found.values)
  }
}

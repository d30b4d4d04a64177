package import CacheSyncSystem

/// The headers of the bridge's own messages (wire.md section 3).
package enum Header {
  /// The file's modification time: decimal nanoseconds since 1970.
  package static let modified = "Cachesync-Modified"
  /// The version of a put-back, which differs from that of its message: decimal nanoseconds since 1970.
  package static let again = "Cachesync-Again"
  /// The author of the message: the nonce of an owner's record.
  package static let owner = "Cachesync-Owner"
  package static let expectedLastSequence = "Nats-Expected-Last-Sequence"
  package static let expectedLastSubjectSequence = "Nats-Expected-Last-Subject-Sequence"
  /// The header of a KV client's message that deletes a key.
  package static let operation = "KV-Operation"
}

/// Sends a session file to the engine, for the home that serves the cache.
@LoopActor
package struct Dropping {
  private let engine: Engine
  private let namespace: Namespace

  package init(engine: Engine, namespace: Namespace) {
    self.engine = engine
    self.namespace = namespace
  }

  /// How long a drop is retried when the engine does not answer.
  private nonisolated static let patience: Int64 = 10_000_000_000

  /// Returns when the engine has acknowledged the file. Without an acknowledgement it reads the key before it puts the
  /// file again. So a file that did arrive does not replace another producer's newer one.
  ///
  /// Throws `unanswered` when the key does not reveal whether the file arrived.
  package func drop(_ bytes: [UInt8], key: SessionKey, modified: Int64) async throws(EngineError) {
    let message = EngineMessage(
      subject: namespace.subject(of: key), headers: [Header.modified: String(modified)], payload: bytes)
    let end = Uptime.now().nanoseconds + Self.patience
    while true {
      do {
        _ = try await engine.put(message)
        return
      } catch .unanswered, .notConnected {
        if try await isStored(message, key, until: end) { return }
      }
    }
  }

  private func isStored(_ message: EngineMessage, _ key: SessionKey, until end: Int64) async throws(EngineError) -> Bool
  {
    let stored = try await read(message.subject, key, until: end)
    guard let stored, let own = message.modified else { return false }
    let found = stored.message.modified ?? stored.time
    if found < own { return false }
    // Another producer's file must not be replaced. It also does not reveal whether this one came before it.
    guard found == own, stored.message.payload == message.payload else { throw .unanswered }
    return true
  }

  private func read(_ subject: String, _ key: SessionKey, until end: Int64) async throws(EngineError) -> StoredMessage?
  {
    var backoff = Backoff.engine
    while Uptime.now().nanoseconds < end {
      do {
        return try await engine.last(subject, in: namespace.stream(.in, namespace.shard(of: key.cache)))
      } catch .notPermitted {
        // A producer may not have the permission to read.
        throw .unanswered
      } catch {
        await LoopActor.sleep(backoff.next())
      }
    }
    throw .unanswered
  }
}

package import CacheSync
package import CacheSyncSystem

/// Carries out the actions of a shard's writer: asks the engine, and passes the answers back to the writer.
@LoopActor
package final class ShardOwner {
  package enum News: Sendable, Equatable {
    case owns
    /// Another bridge owns the shard. This one writes nothing more to it.
    case deposed(by: String)
    /// The shard was released, and is free for another bridge.
    case released
    /// The engine does not accept messages, with the reason. nil: it accepts them again.
    case failing(String?)
    case stored(CacheName)
    /// The engine rejects this cache's set. Other pending messages are still written.
    case unacceptable(CacheName, EngineError)
  }

  package let shard: Int
  private let engine: Engine
  private let namespace: Namespace
  private let notify: @LoopActor (News) -> Void
  private var writer: ShardWriter
  private let free: ShardWriter.Message
  private var backoff = Backoff.engine
  private var isFailing = false
  private var isClosed = false
  private var observer: Int?
  /// The callers that wait until a message is stored, by its subject. A newer message of the subject answers all of
  /// them.
  private var waiting: [String: (message: ShardWriter.Message, callers: [CheckedContinuation<Bool, Never>])] = [:]

  /// - Parameters:
  ///   - earlier: the nonces of this bridge's earlier runs.
  ///   - record: what the record states about the owner, for people.
  package init(
    _ engine: Engine, _ namespace: Namespace, shard: Int, nonce: String, earlier: Set<String>,
    claim: ShardWriter.Claim, record: TextMap<JSONValue>, _ notify: @escaping @LoopActor (News) -> Void
  ) {
    self.engine = engine
    self.namespace = namespace
    self.shard = shard
    self.notify = notify
    func message(nonce: String) -> ShardWriter.Message {
      let payload = JSONValue.object(record.merging(["nonce": .string(nonce)]) { _, own in own }).bytes
      return ShardWriter.Message(subject: namespace.ownerSubject(shard), payload: payload)
    }
    writer = ShardWriter(nonce: nonce, earlier: earlier, claim: claim, record: message(nonce: nonce))
    free = message(nonce: "")
    observer = engine.observe { [weak self] event in
      switch event {
      case .connected: self?.handle(.connected)
      case .disconnected: self?.handle(.disconnected)
      case .refused: break
      }
    }
    if engine.isConnected { handle(.connected) }
  }

  /// Sends a cache's set as soon as this is the owner. Replaces a pending set of the cache.
  package func put(_ set: [UInt8], of cache: CacheName) {
    handle(.put(ShardWriter.Message(subject: namespace.setSubject(of: cache), payload: set)))
  }

  /// Sends a message of the owner other than a set.
  ///
  /// - Returns: true when the engine has the message, or a newer one of its subject. false when the engine rejects it,
  ///   or when this bridge has lost the shard.
  package func put(_ message: ShardWriter.Message) async -> Bool {
    guard !isClosed, !writer.isOver else { return false }
    return await withCheckedContinuation { continuation in
      waiting[message.subject] = (message, (waiting[message.subject]?.callers ?? []) + [continuation])
      handle(.put(message))
    }
  }

  /// Writes the record of ownership again.
  package func renew() { handle(.renew) }

  /// Writes a record that marks the shard as free, and nothing after it.
  package func release() { handle(.release(free)) }

  /// Stops at once, whatever is in progress.
  package func close() {
    isClosed = true
    if let observer { engine.removeObserver(observer) }
    answerAll()
  }

  private func answer(_ message: ShardWriter.Message, _ isStored: Bool) {
    guard waiting[message.subject]?.message == message else { return }
    for caller in waiting.removeValue(forKey: message.subject)?.callers ?? [] { caller.resume(returning: isStored) }
  }

  private func answerAll() { for entry in waiting.values { answer(entry.message, false) } }

  /// Whether this was ever the owner.
  package var wasOwner: Bool { writer.isOwner }

  package var isOwner: Bool { writer.isOwner && !writer.isOver }

  private func handle(_ event: ShardWriter.Event) {
    guard !isClosed else { return }
    if case .release = event { answerAll() }
    for action in writer.handle(event) {
      switch action {
      case .publish(let attempt, let message, let last):
        LoopActor.task { [self] in await publish(attempt, message, last) }
      case .readLast(let attempt): LoopActor.task { [self] in await readLast(attempt) }
      case .readOwner(let attempt): LoopActor.task { [self] in await readOwner(attempt) }
      case .deposed(let nonce):
        answerAll()
        notify(.deposed(by: nonce))
      case .released: notify(.released)
      case .owns: notify(.owns)
      }
    }
  }

  private func publish(_ attempt: Int, _ message: ShardWriter.Message, _ last: UInt64) async {
    var headers = message.headers
    headers[Header.owner] = writer.nonce
    headers[Header.expectedLastSequence] = String(last)
    do {
      let sequence = try await engine.put(
        EngineMessage(subject: message.subject, headers: headers, payload: message.payload))
      succeed()
      if let cache = cache(of: message) { notify(.stored(cache)) }
      answer(message, true)
      handle(.accepted(attempt: attempt, sequence: sequence))
    } catch .wrongLastSequence {
      handle(.refused(attempt: attempt))
    } catch {
      if Self.isAbout(size: error), message.subject != free.subject {
        if let cache = cache(of: message) { notify(.unacceptable(cache, error)) }
        answer(message, false)
        return handle(.unacceptable(attempt: attempt))
      }
      await fail(error, attempt)
    }
  }

  /// The cache whose set the message is; nil for another message of the owner.
  private func cache(of message: ShardWriter.Message) -> CacheName? {
    CacheName(token: message.subject.dropFirst(namespace.prefix(.out, shard).count))
  }

  /// Whether the error is about this message's size alone: too large for the server (`max_payload`) or for the stream
  /// (`max_msg_size`).
  private nonisolated static func isAbout(size error: EngineError) -> Bool {
    switch error {
    case .tooLarge, .refused(code: 10_054, _): true
    default: false
    }
  }

  private func readLast(_ attempt: Int) async {
    do {
      let last = try await engine.lastSequence(of: namespace.stream(.out, shard))
      handle(.foundLast(attempt: attempt, last))
    } catch {
      await fail(error, attempt)
    }
  }

  private func readOwner(_ attempt: Int) async {
    do {
      let found = try await engine.lastFromLeader(namespace.ownerSubject(shard), in: namespace.stream(.out, shard))
      // A deleted record belongs to no owner. A record that cannot be read belongs to another one.
      let owner = found.flatMap { found in
        found.payload.isEmpty
          ? nil
          : ShardWriter.Record(nonce: JSONValue(found.payload)?["nonce"]?.string, sequence: found.sequence)
      }
      handle(.foundOwner(attempt: attempt, owner))
      // No write is pending that could report the engine's recovery.
      if writer.isQuiet { succeed() }
    } catch {
      await fail(error, attempt)
    }
  }

  private func fail(_ error: EngineError, _ attempt: Int) async {
    // The engine reports a lost connection itself, also to the writer. A retry here would repeat for ever.
    guard engine.isConnected, !isClosed else { return }
    if !isFailing || error != .unanswered { notify(.failing("shard \(shard): \(error)")) }
    isFailing = true
    await LoopActor.sleep(backoff.next())
    handle(.unanswered(attempt: attempt))
  }

  private func succeed() {
    backoff.reset()
    guard isFailing else { return }
    isFailing = false
    notify(.failing(nil))
  }
}

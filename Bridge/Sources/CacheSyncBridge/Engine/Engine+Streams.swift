package import CacheSync
import CacheSyncSystem

/// The bridge's requests to JetStream (docs.nats.io, "JetStream wire API reference").
extension Engine {
  // MARK: Putting

  /// Publishes to a stream and waits for the acknowledgement.
  ///
  /// - Returns: the sequence of the message.
  package func put(_ message: EngineMessage, within time: Duration = Engine.answerTime) async throws(EngineError)
    -> UInt64
  {
    // The limit is known only with a connection.
    guard isConnected else { throw .notConnected }
    guard message.byteCount <= maxPayload else { throw .tooLarge(limit: maxPayload) }
    let answer = try await request(message, within: time)
    guard let value = JSONValue(answer.payload) else { throw .unreadable }
    try Self.check(value)
    guard let sequence = value["seq"]?.int else { throw .unreadable }
    return UInt64(sequence)
  }

  /// Deletes a key, unless it has a newer message. Then it throws `wrongLastSequence`.
  package func putDeletion(of stored: StoredMessage) async throws(EngineError) {
    _ = try await put(
      EngineMessage(
        subject: stored.message.subject,
        headers: [Header.operation: "DEL", Header.expectedLastSubjectSequence: String(stored.sequence)]))
  }

  /// Deletes a key in a stream whose every message carries a condition on the stream's last sequence.
  package func putDeletion(of stored: StoredMessage, inLogOf stream: String) async throws(EngineError) {
    var backoff = Backoff.engine
    while true {
      let last = try await lastSequence(of: stream)
      guard let found = try await lastFromLeader(stored.message.subject, in: stream), found.sequence == stored.sequence
      else { throw .wrongLastSequence }
      do {
        _ = try await put(
          EngineMessage(
            subject: stored.message.subject,
            headers: [Header.operation: "DEL", Header.expectedLastSequence: String(last)]))
        return
      } catch .wrongLastSequence {
        // The owner wrote another message.
        await LoopActor.sleep(backoff.next())
      }
    }
  }

  /// Removes one message of a stream. Does nothing when it is gone. The stream's last sequence stays.
  ///
  /// After a power failure an engine may show again what that message had replaced (tried: nats-server 2.15.1, killed
  /// 200 s after the replacement).
  package func remove(_ sequence: UInt64, from stream: String) async throws(EngineError) {
    let body = JSONValue.object(["seq": .integer(Int(sequence)), "no_erase": .bool(true)]).bytes
    do {
      _ = try await ask("STREAM.MSG.DELETE.\(stream)", body)
    } catch .refused(code: Self.noSequence, _) {
      return
    }
  }

  // MARK: Reading

  /// The last message of a subject, from any server that has the stream; nil when there is none. A client with a
  /// reader's permissions may ask in this way too.
  package func last(_ subject: String, in stream: String, within time: Duration = Engine.answerTime)
    async throws(EngineError) -> StoredMessage?
  {
    let answer = try await request(
      EngineMessage(subject: "$JS.API.DIRECT.GET.\(stream).\(subject)"), within: time)
    // Every stored message has these headers. Its producer may have added others, such as a status.
    guard let sequence = answer.headers["Nats-Sequence"].flatMap({ UInt64($0) }),
      let time = answer.headers["Nats-Time-Stamp"].flatMap(EngineText.nanoseconds),
      let subject = answer.headers["Nats-Subject"]
    else {
      switch answer.status {
      case 404?: return nil
      case let status?: throw .refused(code: status, EscapedText.forPeople(answer.headers["Description"] ?? ""))
      case nil: throw .unreadable
      }
    }
    var message = answer
    message.subject = subject
    message.reply = ""
    return StoredMessage(message: message, sequence: sequence, time: time)
  }

  /// The last message of a subject, from the stream's leader; nil when there is none.
  package func lastFromLeader(_ subject: String, in stream: String, within time: Duration = Engine.answerTime)
    async throws(EngineError) -> (sequence: UInt64, payload: [UInt8])?
  {
    let body = JSONValue.object(["last_by_subj": .string(subject)]).bytes
    let value: JSONValue
    do {
      value = try await ask("STREAM.MSG.GET.\(stream)", body, within: time)
    } catch .refused(code: Self.noMessage, _) {
      return nil
    }
    guard let sequence = value["message"]?["seq"]?.int,
      let payload = EngineText.bytes(base64: value["message"]?["data"]?.string ?? "")
    else { throw .unreadable }
    return (UInt64(sequence), payload)
  }

  /// The stream's last sequence, as its leader has it.
  package func lastSequence(of stream: String) async throws(EngineError) -> UInt64 {
    guard let sequence = try await info(stream)?["state"]?["last_seq"]?.int else { throw .noResponders }
    return UInt64(sequence)
  }

  // MARK: Streams

  /// A stream's configuration and state; nil when it is missing.
  package func info(_ stream: String) async throws(EngineError) -> JSONValue? {
    do {
      return try await ask("STREAM.INFO.\(stream)", [])
    } catch .refused(code: Self.noStream, _) {
      return nil
    }
  }

  package func create(_ stream: StreamConfiguration) async throws(EngineError) {
    _ = try await ask("STREAM.CREATE.\(stream.name)", stream.request)
  }

  /// The namespace, with the number of shards from its first stream.
  package func namespace(_ name: String) async throws(EngineError) -> Namespace {
    guard let one = Namespace(name, shardCount: 1), let info = try await info(one.stream(.out, 0)),
      let description = info["config"]?["description"]?.string,
      let count = StreamConfiguration.shardCount(description: description),
      let namespace = Namespace(name, shardCount: count)
    else { throw .noResponders }
    return namespace
  }

  private nonisolated static var noMessage: Int { 10_037 }
  private nonisolated static var noStream: Int { 10_059 }
  private nonisolated static var noSequence: Int { 10_043 }
  private nonisolated static var isWrongLastSequence: Set<Int> { [10_071, 10_164] }

  func ask(_ api: String, _ body: [UInt8], within time: Duration = Engine.answerTime) async throws(EngineError)
    -> JSONValue
  {
    let answer = try await request(EngineMessage(subject: "$JS.API.\(api)", payload: body), within: time)
    guard let value = JSONValue(answer.payload) else { throw .unreadable }
    try Self.check(value)
    return value
  }

  private nonisolated static func check(_ value: JSONValue) throws(EngineError) {
    guard let error = value["error"] else { return }
    let code = error["err_code"]?.int ?? error["code"]?.int ?? 0
    if isWrongLastSequence.contains(code) { throw .wrongLastSequence }
    throw .refused(code: code, EscapedText.forPeople(error["description"]?.string ?? "no reason given"))
  }
}

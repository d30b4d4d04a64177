import CacheSync
import CacheSyncSystem
import Glibc
import SystemPackage

/// Sends the session files of one cache to the engine: carries out the decisions of its ``Outbox``, and records what
/// was agreed.
@LoopActor
final class SessionSender {
  private let engine: Engine
  private let namespace: Namespace
  private let cache: CacheName
  private let directory: BridgeDirectory
  private let tree: SessionTree
  private let versions: KeptVersions
  private let troubles: Troubles
  /// The beginning of messages to people.
  private let label: String

  private var outbox = Outbox()
  private var isPumping = false
  private var timer: Int?
  private var isOver = false
  /// Pending records, and the work that continues when they are on disk.
  private var keeping: [(key: String, kept: KeptVersion, done: CheckedContinuation<Errno?, Never>)] = []

  /// A file above this cannot be sent (docs.nats.io: max_payload is at most 64 MB). Applies while the engine's own
  /// limit is unknown.
  private nonisolated static let greatestLimit = 64 << 20

  init(
    _ engine: Engine, _ namespace: Namespace, _ cache: CacheName, _ directory: BridgeDirectory, _ tree: SessionTree,
    _ versions: KeptVersions, _ troubles: Troubles, label: String
  ) {
    self.engine = engine
    self.namespace = namespace
    self.cache = cache
    self.directory = directory
    self.tree = tree
    self.versions = versions
    self.troubles = troubles
    self.label = label
  }

  func close() {
    isOver = true
    if let timer { Alarms.shared.cancel(timer) }
    timer = nil
  }

  /// How many files are not sent yet.
  var pendingCount: Int { outbox.pendingCount }

  // MARK: Events

  func receive(_ place: SessionTree.Place) {
    switch place {
    case .file(let path): key(path).map { outbox.receive($0) }
    case .directory(let directory):
      for key in keptKeys where key.path.starts(with: directory + [UInt8(ascii: "/")]) { outbox.receive(key) }
    }
    pumpSoon()
  }

  /// Looks at every file, and asks the engine about each. Called after a connection, because the engine may have lost
  /// data.
  func compareEverything() {
    for key in keptKeys { outbox.doubt(key) }
    tree.scan()
    pumpSoon()
  }

  /// Looks at every file, to find changes that no event reported.
  func sweep() {
    for key in keptKeys { outbox.receive(key) }
    tree.scan()
    pumpSoon()
  }

  /// The key of a path. Notes a trouble for a path whose key is too long for the engine.
  private func key(_ path: [UInt8]) -> SessionKey? {
    guard let key = SessionKey(cache: cache, path: path) else { return nil }
    guard namespace.subject(of: key).utf8.count <= Namespace.longestSubject else {
      troubles.record(
        name(path), "\(label): the path \(EscapedText.forPeople(path)) is too long for the engine: use a shorter name")
      return nil
    }
    return key
  }

  private func name(_ path: [UInt8]) -> String { "\(label): file \(EscapedText.forPeople(path))" }

  // MARK: Keeping

  /// The keys that have a record, including those with only a message that was about to be sent.
  private var keptKeys: [SessionKey] {
    let texts = Array(versions.kept.keys) + versions.sent.keys.filter { versions.kept[$0] == nil }
    return texts.compactMap { SessionKey(text: "\(cache.token).\($0)") }
  }

  private func text(_ key: SessionKey) -> String { String(key.text.dropFirst(cache.token.utf8.count + 1)) }

  private func kept(_ key: SessionKey) -> Outbox.Kept? {
    // Version 0 marks a key whose record was removed.
    guard let kept = versions.kept[text(key)], kept.version != 0 else { return nil }
    guard let digest = kept.digest else {
      let isOld = kept.version < Instant.now.nanoseconds - PutBack.deletionAge
      return isOld ? nil : Outbox.Kept(version: kept.version, content: .gone)
    }
    return Outbox.Kept(version: kept.version, content: kept.isLeft ? .goneElsewhere(digest) : .file(digest))
  }

  private func sent(_ key: SessionKey) -> [Outbox.Sent] { versions.sent[text(key)] ?? [] }

  /// Records a value. Returns when it is on disk, together with other pending records.
  private func recordKept(_ key: SessionKey, _ value: Outbox.Kept?) async throws(Errno) {
    guard value != kept(key) || !sent(key).isEmpty else { return }
    let record =
      switch value?.content {
      case nil, .gone?: KeptVersion(version: value?.version ?? 0)
      case .file(let digest)?: KeptVersion(version: value?.version ?? 0, digest: digest)
      case .goneElsewhere(let digest)?: KeptVersion(version: value?.version ?? 0, digest: digest, isLeft: true)
      }
    let text = text(key)
    let reason = await withCheckedContinuation { done in
      keeping.append((text, record, done))
      if keeping.count == 1 { LoopActor.perform { [self] in recordAllKept() } }
    }
    if let reason { throw reason }
  }

  private func recordAllKept() {
    let batch = keeping
    keeping = []
    var failure: Errno?
    do throws(Errno) {
      try versions.record(batch.map { ($0.key, $0.kept) })
    } catch {
      failure = error
    }
    let message = failure.map { "\(label): cannot keep what the engine has in .bridge: \($0); trying on" }
    troubles.record("\(label): kept", message)
    for one in batch { one.done.resume(returning: failure) }
  }

  // MARK: Sending

  private func pumpSoon() {
    guard !isPumping else { return }
    isPumping = true
    // After the events that have already arrived.
    LoopActor.perform { [weak self] in
      self?.isPumping = false
      self?.pump()
    }
  }

  private func pump() {
    // While the cache's directory is being deleted, nothing is deleted in the engine.
    guard !isOver, engine.isConnected, directory.isInPlace else { return }
    while let key = outbox.next(now: Uptime.now().nanoseconds) { look(at: key) }
    if outbox.pendingCount == 0 { record(sending: nil) }
    if let timer { Alarms.shared.cancel(timer) }
    timer = outbox.due.map { due in
      Alarms.shared.set(after: .nanoseconds(max(0, due - Uptime.now().nanoseconds))) { [weak self] in
        self?.timer = nil
        self?.pump()
      }
    }
  }

  private func look(at key: SessionKey) {
    let limit = engine.maxPayload > 0 ? engine.maxPayload : Self.greatestLimit
    let content: SessionTree.Content
    do throws(Errno) {
      content = try tree.content(of: key.path, limit: limit)
    } catch {
      record(key, "cannot read \(EscapedText.forPeople(key.path)): \(error); trying on")
      return outbox.fail(key, now: Uptime.now().nanoseconds, pause: Self.longPause)
    }
    switch content {
    case .absent: decide(on: key, nil, .absent)
    case .file(let file):
      let isWhole = JSONValue(file.bytes) != nil
      decide(on: key, file, .file(digest: file.digest, isWhole: isWhole, stamp: file.stamp))
    case .tooLarge(let count):
      recordTooLarge(key, count, limit)
      outbox.fail(key, now: Uptime.now().nanoseconds, pause: nil)
    }
  }

  private func decide(on key: SessionKey, _ file: SessionTree.File?, _ look: Outbox.Look) {
    let verdict = outbox.look(key, look, kept: kept(key), sent: sent(key), now: Uptime.now().nanoseconds)
    guard case .work(_, let mustRead) = verdict else { return record(key, nil) }
    LoopActor.task { [self] in await work(on: key, file, mustRead: mustRead) }
  }

  private func work(on key: SessionKey, _ file: SessionTree.File?, mustRead: Bool) async {
    do {
      if let agreed = try await agree(on: key, file, mustRead: mustRead) {
        try await recordKept(key, agreed.kept)
        versions.recordSequence(agreed.sequence, of: text(key))
      }
      outbox.finish(key)
      record(key, nil)
      record(sending: nil)
    } catch let error as EngineError {
      fail(key, file, error)
    } catch {
      outbox.fail(key, now: Uptime.now().nanoseconds, pause: Self.longPause)
    }
    pumpSoon()
  }

  private func fail(_ key: SessionKey, _ file: SessionTree.File?, _ error: EngineError) {
    let now = Uptime.now().nanoseconds
    switch error {
    case .tooLarge(let limit):
      recordTooLarge(key, file?.bytes.count ?? 0, limit)
      outbox.fail(key, now: now, pause: nil)
    case .notConnected: outbox.fail(key, now: now, isPassing: true, pause: Self.pause)
    case .unanswered, .noResponders, .wrongLastSequence, .unreadable, .cannotConnect:
      record(sending: error)
      outbox.fail(key, now: now, isPassing: true, pause: Self.pause)
    case .notPermitted, .refused:
      let verb = file == nil ? "delete" : "send"
      record(key, "cannot \(verb) \(EscapedText.forPeople(key.path)): \(error); trying on")
      outbox.fail(key, now: now, pause: Self.longPause)
    }
  }

  /// 0.1 to 10 s, in nanoseconds.
  private nonisolated static func pause(_ attempt: Int) -> Int64 {
    Int64(Backoff.engine.pause(after: attempt) / .nanoseconds(1))
  }

  /// 3 s to 5 min, for errors that a person must fix.
  private nonisolated static func longPause(_ attempt: Int) -> Int64 { pause(attempt) * 30 }

  private func record(_ key: SessionKey, _ message: String?) {
    troubles.record(name(key.path), message.map { "\(label): \($0)" })
  }

  private func recordTooLarge(_ key: SessionKey, _ count: Int, _ limit: Int) {
    let path = EscapedText.forPeople(key.path)
    record(key, "\(path) of \(count) bytes is larger than the engine takes (max_payload: \(limit)): it is not sent")
  }

  /// - Parameter failure: why the engine cannot be asked now; nil: it answers.
  private func record(sending failure: EngineError?) {
    troubles.record("\(label): sending", failure.map { "\(label): files cannot be sent: \($0); trying on" })
  }

  // MARK: The engine

  /// Brings the engine up to date about a key. Returns what to record, with the sequence of the engine's last message.
  /// nil: look at the file again.
  private func agree(on key: SessionKey, _ file: SessionTree.File?, mustRead: Bool) async throws
    -> (kept: Outbox.Kept?, sequence: UInt64)?
  {
    var found: Outbox.Found??
    if mustRead { found = .some(try await read(key)) }
    // Each message that this call sends is accepted or rejected, or the call throws.
    let unanswered = sent(key)
    // Another round is needed when another client's message came in between.
    for _ in 0..<8 {
      let kept = Outbox.arrived(unanswered, kept: kept(key), found: found ?? nil) ?? kept(key)
      let last = found.map { $0?.sequence ?? 0 } ?? versions.kept[text(key)]?.sequence ?? 0
      switch Outbox.decide(local: file?.digest, kept: kept, found: found, sent: unanswered) {
      case .settled(let value): return (value, last)
      case .read: break
      case .put(let expecting):
        guard let file else { return nil }
        let content = Outbox.Sent.Content.file(digest: file.digest, modified: file.modified)
        if let sequence = try await send(content, key, file, expecting: expecting ?? last) {
          return try await confirm(key, .file(file.digest), sequence)
        }
      case .delete(let expecting):
        guard try isAbsent(key) else { return nil }
        if let sequence = try await send(.deletion, key, nil, expecting: expecting) {
          return try await confirm(key, .gone, sequence)
        }
      case .putBack(let version, let expecting), .deleteAgain(let version, let expecting):
        let isFile = if case .file? = kept?.content { true } else { false }
        let message = message(key, isFile ? file : nil, expecting: expecting, [Header.again: String(version)])
        if let sequence = try await putUnlessChanged(message) { return (kept, sequence) }
      }
      found = .some(try await read(key))
    }
    throw EngineError.wrongLastSequence
  }

  /// Sends a message, and records it first. If no answer arrives, this run or the next one recognises the message in
  /// the engine.
  ///
  /// - Returns: its sequence; nil: the engine's last message of the key is another one.
  private func send(_ content: Outbox.Sent.Content, _ key: SessionKey, _ file: SessionTree.File?, expecting: UInt64)
    async throws -> UInt64?
  {
    // A full disk must not stop a drop: delivering it matters more than recording it.
    try? versions.recordSending(Outbox.Sent(content: content, expecting: expecting), of: text(key))
    return try await putUnlessChanged(message(key, file, expecting: expecting))
  }

  /// Looks once more before a deletion, because the file may have come back while the engine was asked.
  private func isAbsent(_ key: SessionKey) throws(Errno) -> Bool {
    guard directory.isInPlace else { throw .interrupted }
    if case .absent = try tree.content(of: key.path, limit: 0) { return true }
    outbox.receive(key)
    return false
  }

  /// Puts a message on condition that its key has not changed. nil: it has.
  private func putUnlessChanged(_ message: EngineMessage) async throws(EngineError) -> UInt64? {
    do throws(EngineError) {
      return try await engine.put(message)
    } catch {
      if error == .wrongLastSequence { return nil }
      throw error
    }
  }

  /// Asks for the version of a message that was acknowledged.
  private func confirm(_ key: SessionKey, _ content: Outbox.Kept.Content, _ sequence: UInt64)
    async throws(EngineError) -> (kept: Outbox.Kept?, sequence: UInt64)
  {
    // The answer may come from a server that does not have the message yet.
    var backoff = Backoff.engine
    for _ in 0..<8 {
      let found = try await read(key)
      if let found, let kept = Outbox.acknowledged(content, sequence: sequence, found: found) {
        return (kept, found.sequence)
      }
      await LoopActor.sleep(backoff.next())
    }
    throw .unanswered
  }

  private func message(
    _ key: SessionKey, _ file: SessionTree.File?, expecting sequence: UInt64, _ more: [String: String] = [:]
  ) -> EngineMessage {
    var headers = more
    headers[Header.expectedLastSubjectSequence] = String(sequence)
    if let file { headers[Header.modified] = String(file.modified) } else { headers[Header.operation] = "DEL" }
    return EngineMessage(subject: namespace.subject(of: key), headers: headers, payload: file?.bytes ?? [])
  }

  private func read(_ key: SessionKey) async throws(EngineError) -> Outbox.Found? {
    let stored = try await engine.last(
      namespace.subject(of: key), in: namespace.stream(.in, namespace.shard(of: cache)))
    guard let stored else { return nil }
    return Outbox.Found(
      version: stored.version, sequence: stored.sequence,
      digest: stored.message.isDeletion ? nil : SHA256.hex(stored.message.payload), modified: stored.modified)
  }
}

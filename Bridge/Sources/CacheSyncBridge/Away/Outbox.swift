/// Decides what `away` must still send to the engine of one cache's session files: which file to look at next, and what
/// to do about it.
///
/// It does nothing itself. Its owner looks at files, asks the engine, reports the results, and carries out the
/// decisions.
package struct Outbox: Sendable {
  /// The last state of a key on which this bridge and the engine agreed.
  package struct Kept: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      /// The engine acknowledged these bytes, by their SHA-256.
      case file(String)
      /// The key is deleted.
      case gone
      /// Another client deleted the key. The file with these bytes stays in the directory, and is not sent again.
      case goneElsewhere(String)
    }

    /// Nanoseconds since 1970. Not a sequence, because an engine that was wiped assigns the same numbers again.
    package var version: Int64
    package var content: Content
  }

  /// What the engine has under a key.
  package struct Found: Sendable, Hashable {
    package var version: Int64
    package var sequence: UInt64
    /// The SHA-256 of its bytes; nil: the key is deleted.
    package var digest: String?
    /// The modification time of the file: nanoseconds since 1970.
    package var modified: Int64

    package init(version: Int64, sequence: UInt64, digest: String?, modified: Int64? = nil) {
      self.version = version
      self.sequence = sequence
      self.digest = digest
      self.modified = modified ?? version
    }
  }

  /// A message that was about to be sent, and whose outcome is not recorded. The engine may have it, or may still
  /// receive it. This bridge may also have been killed before the answer arrived.
  package struct Sent: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      /// - Parameter modified: the modification time of the file: nanoseconds since 1970.
      case file(digest: String, modified: Int64)
      case deletion
    }

    package var content: Content
    /// The engine accepts it only while its last message of the key has this sequence. 0: only while there is none.
    package var expecting: UInt64
  }

  /// What to do next about a key.
  package enum Decision: Sendable, Hashable {
    /// Ask the engine what it has.
    case read
    /// Put the file as a new version, whatever the engine has. If its last message of the key has another sequence,
    /// read and put again. nil: the engine was not asked, so expect the last known sequence.
    case put(expecting: UInt64?)
    /// Put the file back with its version, if the engine's last message of the key still has this sequence. 0: if there
    /// is none.
    case putBack(version: Int64, expecting: UInt64)
    /// Delete the key, if the engine's last message of it still has this sequence.
    case delete(expecting: UInt64)
    case deleteAgain(version: Int64, expecting: UInt64)
    /// Nothing is left to send. Record this value; nil: record nothing.
    case settled(Kept?)
  }

  /// - Parameters:
  ///   - local: the SHA-256 of the file's bytes; nil: the file is missing, and that counts as deleted.
  ///   - found: what the engine has; nil: it was not asked yet.
  ///   - sent: the messages with an unknown outcome, if ``arrived(_:kept:found:)`` cannot determine it.
  package static func decide(local: String?, kept: Kept?, found: Found??, sent: [Sent] = []) -> Decision {
    if !sent.isEmpty {
      guard let asked = found else { return .read }
      let last = asked?.sequence ?? 0
      // The engine accepts only one of the messages that expect the same sequence. If it was an earlier one, the next
      // try finds that.
      if mayArrive(sent, found: asked) {
        return local == nil ? .delete(expecting: last) : .put(expecting: last)
      }
    }
    guard let local else { return decideAbsent(kept, found) }
    if case .goneElsewhere(local)? = kept?.content { return decideDeleted(kept, found) }
    guard let kept, kept.content == .file(local) else {
      // An edit is put whatever the engine has, so that nothing written offline is lost.
      guard case .some(.some(let found)) = found else { return .put(expecting: found.map { $0?.sequence ?? 0 }) }
      if found.digest == local { return .settled(Kept(version: found.version, content: .file(local))) }
      // A file that was modified later wins: ours arrived before it, or must not replace it. A message that existed
      // when the engine was last asked does not count as later, whatever its time.
      let isOlder = sent.contains { sent in
        guard case .file(digest: local, let modified) = sent.content else { return false }
        return found.modified > modified
      }
      guard isOlder, found.version > kept?.version ?? 0 else { return .put(expecting: found.sequence) }
      return .settled(Kept(version: found.version - 1, content: .file(local)))
    }
    guard let asked = found else { return .read }
    guard let found = asked, found.version >= kept.version else {
      return .putBack(version: kept.version, expecting: asked?.sequence ?? 0)
    }
    let isDeletedElsewhere = found.version > kept.version && found.digest == nil
    return .settled(isDeletedElsewhere ? Kept(version: found.version, content: .goneElsewhere(local)) : kept)
  }

  private static func decideAbsent(_ kept: Kept?, _ found: Found??) -> Decision {
    guard let kept else { return .settled(nil) }
    guard case .file = kept.content else { return decideDeleted(Kept(version: kept.version, content: .gone), found) }
    guard let asked = found else { return .read }
    guard let found = asked, found.version > kept.version else { return .delete(expecting: asked?.sequence ?? 0) }
    // The key belongs to another client now.
    return .settled(found.digest == nil ? Kept(version: found.version, content: .gone) : nil)
  }

  /// Sends a deletion again that the engine has lost. Otherwise another client's file would come back.
  private static func decideDeleted(_ kept: Kept?, _ found: Found??) -> Decision {
    guard let kept else { return .settled(nil) }
    guard let asked = found else { return .read }
    guard let found = asked, found.version >= kept.version else {
      return .deleteAgain(version: kept.version, expecting: asked?.sequence ?? 0)
    }
    return .settled(kept)
  }

  /// What to record if the engine has a message whose answer did not arrive; nil: it has something else.
  package static func arrived(_ sent: [Sent], kept: Kept?, found: Found?) -> Kept? {
    guard let found, found.version > kept?.version ?? 0, !mayArrive(sent, found: found) else { return nil }
    // With another modification time the message is another client's.
    let content = found.digest.map { Sent.Content.file(digest: $0, modified: found.modified) } ?? .deletion
    guard sent.contains(where: { $0.content == content }) else { return nil }
    return Kept(version: found.version, content: found.digest.map { .file($0) } ?? .gone)
  }

  /// Whether the engine would accept one of these messages if it arrived now.
  private static func mayArrive(_ sent: [Sent], found: Found?) -> Bool {
    sent.contains { $0.expecting == found?.sequence ?? 0 }
  }

  /// What to record after the engine acknowledged a new version of a key, and was then asked for the key.
  ///
  /// - Parameters:
  ///   - sequence: the sequence of the acknowledged message.
  ///   - found: what the engine has by then.
  /// - Returns: nil if the answer is older than the acknowledgement. Then ask the engine again.
  package static func acknowledged(_ content: Kept.Content, sequence: UInt64, found: Found?) -> Kept? {
    guard let found, found.sequence >= sequence else { return nil }
    // Another client's message came after ours, so ours has an older version.
    return Kept(version: found.sequence == sequence ? found.version : found.version - 1, content: content)
  }

  // MARK: Looking at files

  /// The state of a key's path.
  package enum Look: Sendable, Equatable {
    case absent
    /// - Parameters:
    ///   - isWhole: whether it is JSON up to its end.
    ///   - stamp: changes whenever the file changes.
    case file(digest: String, isWhole: Bool, stamp: [Int64])
  }

  package enum Verdict: Sendable, Equatable {
    /// There is nothing to send, or it is too early to decide.
    case nothing
    /// Work on the key begins: call ``decide(local:kept:found:)`` until it is settled, and then ``finish(_:)``.
    ///
    /// - Parameter mustRead: whether to ask the engine first.
    case work(local: String?, mustRead: Bool)
  }

  private enum Suspicion: Equatable {
    /// A producer may still be writing the file.
    case unfinished([Int64])
    /// The file may come back.
    case absent
  }

  /// Keys to look at again after ``patience``, in the order in which they were added. All wait equally long.
  private struct Waits {
    private var entries: [SessionKey: (suspicion: Suspicion, until: Int64)] = [:]
    private var queue = Queue()
    private(set) var absentCount = 0

    var count: Int { entries.count }

    var due: Int64? { queue.first.flatMap { entries[$0]?.until } }

    mutating func add(_ key: SessionKey, _ suspicion: Suspicion, until: Int64) {
      remove(key)
      entries[key] = (suspicion, until)
      queue.append(key)
      if suspicion == .absent { absentCount += 1 }
    }

    mutating func remove(_ key: SessionKey) {
      guard let entry = entries.removeValue(forKey: key) else { return }
      queue.remove(key)
      if entry.suspicion == .absent { absentCount -= 1 }
    }

    mutating func popFirst(now: Int64) -> (key: SessionKey, suspicion: Suspicion)? {
      guard let key = queue.first, let entry = entries[key], entry.until <= now else { return nil }
      remove(key)
      return (key, entry.suspicion)
    }
  }

  private struct Retry {
    var due: Int64
    /// Whether the engine could not be asked, which is temporary.
    var isPassing: Bool
  }

  /// How long a file must be unchanged, or missing, before that counts (contract.md section 6): nanoseconds.
  package static let patience: Int64 = 250_000_000

  /// How many keys are worked on at the same time.
  package static let greatestWorkCount = 16

  private var ready = Queue()
  /// Keys whose files stayed missing. They come after all others, so that a rename puts the new file before it deletes
  /// the old one.
  private var absences = Queue()
  private var waits = Waits()
  /// The suspicion about each key that is now being checked again.
  private var suspicions: [SessionKey: Suspicion] = [:]
  /// Keys that need a question to the engine.
  private var unread: Set<SessionKey> = []
  private var working: [SessionKey: Bool] = [:]
  private var changedMeanwhile: Set<SessionKey> = []
  private var retries: [SessionKey: Retry] = [:]
  private var attempts: [SessionKey: Int] = [:]

  package init() {}

  /// Handles an event about a key, or another reason to look at it.
  package mutating func receive(_ key: SessionKey) {
    waits.remove(key)
    (suspicions[key], retries[key]) = (nil, nil)
    if working[key] != nil { changedMeanwhile.insert(key) } else { ready.append(key) }
  }

  /// Marks a key whose state in the engine may differ from the last agreement, for example after a connection.
  package mutating func doubt(_ key: SessionKey) {
    unread.insert(key)
    attempts[key] = nil
    receive(key)
  }

  /// The next key to look at; nil when there is none, or when enough keys are in progress.
  package mutating func next(now: Int64) -> SessionKey? {
    while let (key, suspicion) = waits.popFirst(now: now) {
      suspicions[key] = suspicion
      if suspicion == .absent { absences.append(key) } else { ready.append(key) }
    }
    for (key, retry) in retries where retry.due <= now {
      retries[key] = nil
      ready.append(key)
    }
    guard working.count < Self.greatestWorkCount else { return nil }
    if let key = ready.popFirst() { return key }
    // While files keep vanishing, the whole cache may be about to be deleted. That must not delete anything in the
    // engine.
    let mayDelete =
      waits.absentCount == 0 && !working.values.contains(false) && !retries.values.contains(where: \.isPassing)
    return mayDelete ? absences.popFirst() : nil
  }

  /// When to ask for the next key again, if no event comes first.
  package var due: Int64? {
    [waits.due, retries.values.map(\.due).min()].compactMap { $0 }.min()
  }

  /// Handles the state that was found at a key from ``next(now:)``.
  package mutating func look(_ key: SessionKey, _ look: Look, kept: Kept?, sent: [Sent] = [], now: Int64) -> Verdict {
    let suspicion = suspicions.removeValue(forKey: key)
    let mustRead = unread.contains(key) || !sent.isEmpty
    switch look {
    case .absent:
      guard kept != nil || !sent.isEmpty else { return drop(key) }
      let isGone = kept?.content == .gone && sent.isEmpty
      if isGone, !mustRead { return .nothing }
      if !isGone, suspicion != .absent { return wait(key, .absent, now) }
      return work(key, local: nil, mustRead)
    case .file(let digest, let isWhole, let stamp):
      let isKnown = kept?.content == .file(digest) || kept?.content == .goneElsewhere(digest)
      if isKnown { return mustRead ? work(key, local: digest, true) : .nothing }
      guard isWhole || suspicion == .unfinished(stamp) else { return wait(key, .unfinished(stamp), now) }
      return work(key, local: digest, mustRead)
    }
  }

  private mutating func wait(_ key: SessionKey, _ suspicion: Suspicion, _ now: Int64) -> Verdict {
    waits.add(key, suspicion, until: now + Self.patience)
    return .nothing
  }

  private mutating func work(_ key: SessionKey, local: String?, _ mustRead: Bool) -> Verdict {
    working[key] = local == nil
    return .work(local: local, mustRead: mustRead)
  }

  private mutating func drop(_ key: SessionKey) -> Verdict {
    unread.remove(key)
    attempts[key] = nil
    return .nothing
  }

  /// Ends the work on a key that is settled.
  package mutating func finish(_ key: SessionKey) {
    // A doubt that arrived meanwhile concerns the time after this work.
    if !changedMeanwhile.contains(key) { unread.remove(key) }
    attempts[key] = nil
    release(key)
  }

  /// Ends the work on a key that failed; the engine's state is unknown. The key is retried after the pause, or at once
  /// after an event.
  ///
  /// - Parameters:
  ///   - isPassing: whether the engine could not be asked. Then all deletions wait until it can.
  ///   - pause: nanoseconds by the number of the attempt, from 1; nil: wait for an event.
  package mutating func fail(_ key: SessionKey, now: Int64, isPassing: Bool = false, pause: ((Int) -> Int64)?) {
    unread.insert(key)
    if let pause {
      let attempt = attempts[key, default: 0] + 1
      attempts[key] = attempt
      retries[key] = Retry(due: now + pause(attempt), isPassing: isPassing)
    }
    release(key)
  }

  private mutating func release(_ key: SessionKey) {
    working[key] = nil
    if changedMeanwhile.remove(key) != nil { receive(key) }
  }

  /// How many keys are queued, in progress, or waiting for a retry.
  package var pendingCount: Int { ready.count + absences.count + waits.count + retries.count + working.count }

  /// Keys in the order of their arrival, each once.
  private struct Queue {
    /// The numbers only grow. A removed key leaves nothing behind, even if the queue never becomes empty.
    private var keys: [Int: SessionKey] = [:]
    private var numbers: [SessionKey: Int] = [:]
    private var (start, end) = (0, 0)

    var count: Int { keys.count }

    var first: SessionKey? { keys[start] }

    mutating func append(_ key: SessionKey) {
      guard numbers[key] == nil else { return }
      (keys[end], numbers[key]) = (key, end)
      end += 1
    }

    mutating func remove(_ key: SessionKey) {
      guard let number = numbers.removeValue(forKey: key) else { return }
      keys[number] = nil
      while start < end, keys[start] == nil { start += 1 }
    }

    mutating func popFirst() -> SessionKey? {
      guard let key = first else { return nil }
      remove(key)
      return key
    }
  }
}

/// The only writer of a shard's `out` stream, as a state machine: it receives events and returns the next actions. It
/// knows neither an engine nor a clock (wire.md section 5).
///
/// The stream is a log; the author of its last `_owner` record is its writer. Every message carries a condition: the
/// stream's last sequence must be the one that the writer knows. Only one message is in flight. If a writer
/// predicted the next sequence, the stream would accept its message even after another writer's message took that
/// number.
package struct ShardWriter: Sendable, Hashable {
  /// A message for a subject. A newer one replaces one that is pending.
  package struct Message: Sendable, Hashable {
    package var subject: String
    package var payload: [UInt8]
    /// In addition to those that every message of a writer has.
    package var headers: [String: String] = [:]
  }

  /// What a new writer may replace.
  package enum Claim: Sendable, Hashable {
    /// Only a shard without an owner, or whose last owner released it.
    case unowned
    /// Any owner's record: the operator confirmed that the host is gone, or a lease ran out.
    case force
    /// Only this record of the owner, which a candidate saw unchanged. nil: there was no record.
    case unchanged(UInt64?)
  }

  /// The last record of ownership, as the stream's leader has it.
  package struct Record: Sendable, Hashable {
    /// Empty: the last owner released the shard. nil: the record cannot be read, and belongs to another owner.
    package var nonce: String?
    package var sequence: UInt64

    package var isFree: Bool { nonce == "" }
  }

  /// Answers carry the attempt that they belong to. The writer ignores answers to earlier attempts.
  package enum Event: Sendable, Hashable {
    case put(Message)
    /// Write the record of ownership again, before all pending messages. Without it, other bridges assume that this
    /// writer is gone.
    case renew
    /// Release the shard: write this record, which names no writer, and nothing more. Pending messages are dropped.
    case release(Message)
    /// The engine can be reached.
    case connected
    case disconnected
    case accepted(attempt: Int, sequence: UInt64)
    /// The stream had another last sequence (error 10071).
    case refused(attempt: Int)
    case unanswered(attempt: Int)
    /// The engine rejects this message, but may accept others.
    case unacceptable(attempt: Int)
    /// The stream's last sequence.
    case foundLast(attempt: Int, UInt64)
    /// The stream's record of ownership; nil: it is missing.
    case foundOwner(attempt: Int, Record?)
  }

  package enum Action: Sendable, Hashable {
    case publish(attempt: Int, Message, expecting: UInt64)
    /// Ask the stream's leader for the last sequence.
    case readLast(attempt: Int)
    /// Ask the stream's leader for the record of ownership.
    case readOwner(attempt: Int)
    /// Another bridge writes this shard. This one must write nothing more.
    case deposed(by: String)
    /// This writer's record is stored.
    case owns
    /// The record that marks the shard as free is stored.
    case released
  }

  private enum Phase: Hashable {
    case disconnected
    case readingLast
    case readingOwner(last: UInt64)
    case claiming(expecting: UInt64)
    case idle(last: UInt64)
    case writing(Message, expecting: UInt64)
    /// Deposed, or released.
    case over
  }

  package let nonce: String
  /// The nonces of earlier runs. Records with them are this writer's own, and may be replaced at any time.
  private let earlier: Set<String>
  private let claim: Claim
  private let record: Message
  private var phase = Phase.disconnected
  private var attempt = 0
  /// Whether this writer's record was stored. From then on another writer's record deposes it.
  package private(set) var isOwner = false
  /// In the order of their arrival. The newest message of a subject takes the place of the oldest.
  private var waiting: [Message] = []
  /// The record that releases the shard, once a release was requested.
  private var release: Message?

  /// - Parameters:
  ///   - earlier: the nonces of runs that have certainly ended, such as those of the same locked directory.
  ///   - record: the message that makes this writer the owner; its subject is the shard's `_owner`.
  package init(nonce: String, earlier: Set<String> = [], claim: Claim, record: Message) {
    self.nonce = nonce
    self.earlier = earlier
    self.claim = claim
    self.record = record
  }

  /// Whether it will write nothing more: another writer owns the shard, or it was released.
  package var isOver: Bool { phase == .over }

  /// Whether the stream has everything that was put.
  package var isQuiet: Bool {
    guard waiting.isEmpty, case .idle = phase else { return false }
    return true
  }

  package mutating func handle(_ event: Event) -> [Action] {
    if phase == .over { return [] }
    switch event {
    case .put(let message):
      if release == nil { enqueue(message) }
      return proceed()
    case .renew:
      // Before this is the owner, its claim is the record.
      if release == nil, isOwner, !waiting.contains(record) { waiting.insert(record, at: 0) }
      return proceed()
    case .release(let message):
      (release, waiting) = (message, [message])
      return proceed()
    case .connected:
      guard phase == .disconnected else { return [] }
      return read()
    case .disconnected:
      putBack()
      phase = .disconnected
      attempt += 1
      return []
    case .accepted(let answered, let sequence):
      guard answered == attempt else { return [] }
      return accepted(sequence)
    case .refused(let answered), .unanswered(let answered):
      guard answered == attempt else { return [] }
      putBack()
      return read()
    case .unacceptable(let answered):
      guard answered == attempt else { return [] }
      // Not put back, because it would block all pending messages.
      return read()
    case .foundLast(let answered, let last):
      guard answered == attempt, phase == .readingLast else { return [] }
      phase = .readingOwner(last: last)
      return [.readOwner(attempt: attempt)]
    case .foundOwner(let answered, let owner):
      guard answered == attempt, case .readingOwner(let last) = phase else { return [] }
      return found(last, owner)
    }
  }

  private mutating func enqueue(_ message: Message) {
    if let index = waiting.firstIndex(where: { $0.subject == message.subject }) {
      waiting[index] = message
    } else {
      waiting.append(message)
    }
  }

  /// Queues a message with an unknown outcome again, unless a newer one is pending. Its condition prevents a write
  /// after another writer's message, and writing the same message twice does no harm.
  private mutating func putBack() {
    guard case .writing(let message, _) = phase, !waiting.contains(where: { $0.subject == message.subject }),
      release == nil || release == message
    else { return }
    waiting.insert(message, at: 0)
  }

  /// Reads the last sequence before the record. In the other order it would miss a record that was written between the
  /// two.
  private mutating func read() -> [Action] {
    phase = .readingLast
    attempt += 1
    return [.readLast(attempt: attempt)]
  }

  private mutating func accepted(_ sequence: UInt64) -> [Action] {
    switch phase {
    case .claiming:
      isOwner = true
      phase = .idle(last: sequence)
      return [.owns] + proceed()
    case .writing(let message, _):
      if message == release {
        phase = .over
        return [.released]
      }
      phase = .idle(last: sequence)
      return proceed()
    case .disconnected, .readingLast, .readingOwner, .idle, .over: return []
    }
  }

  private mutating func found(_ last: UInt64, _ owner: Record?) -> [Action] {
    if owner?.nonce == nonce {
      // The answer to the claim may have been lost.
      let isNew = !isOwner
      isOwner = true
      phase = .idle(last: last)
      return (isNew ? [.owns] : []) + proceed()
    }
    // This writer's record is missing, or an earlier run's is in its place: the engine lost data, or was rolled back.
    let isOwn = owner.map { $0.nonce.map(earlier.contains) ?? false } ?? isOwner
    guard isOwn || !isOwner && mayReplace(owner) else {
      phase = .over
      return [.deposed(by: owner?.nonce ?? "")]
    }
    phase = .claiming(expecting: last)
    attempt += 1
    return [.publish(attempt: attempt, record, expecting: last)]
  }

  private func mayReplace(_ owner: Record?) -> Bool {
    switch claim {
    case .force: true
    case .unowned: owner?.isFree ?? true
    case .unchanged(let sequence): owner?.sequence == sequence
    }
  }

  private mutating func proceed() -> [Action] {
    guard case .idle(let last) = phase, !waiting.isEmpty else { return [] }
    let message = waiting.removeFirst()
    phase = .writing(message, expecting: last)
    attempt += 1
    return [.publish(attempt: attempt, message, expecting: last)]
  }
}

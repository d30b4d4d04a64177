/// The one writer of a shard's `out` stream, as a state machine: events in, what is to be done next out. It knows no engine
/// and no clock (wire.md section 5).
///
/// The stream is a log, and who wrote its last `_owner` record is its writer. Every message is sent on condition that the
/// stream's last sequence is the one that the writer knows. One message is under way at a time: a writer that predicted the
/// next sequence would be believed when another's message took that number.
package struct ShardWriter: Sendable, Hashable {
  /// What is to be written under a subject. A newer one replaces one that waits.
  package struct Message: Sendable, Hashable {
    package var subject: String
    package var payload: [UInt8]
    /// Beside those that every message of a writer has.
    package var headers: [String: String]

    package init(subject: String, payload: [UInt8], headers: [String: String] = [:]) {
      self.subject = subject
      self.payload = payload
      self.headers = headers
    }
  }

  /// What a writer may replace when it begins.
  package enum Claim: Sendable, Hashable {
    /// Only a shard that has no owner, or whose last one gave it up.
    case unowned
    /// Replaces any owner's record: a person said that the host is gone, or a lease ran out.
    case force
    /// Only as long as the owner's record is this one: what a candidate saw unchanged. nil: there was none.
    case unchanged(UInt64?)
  }

  /// The last record of ownership, as the stream's leader has it.
  package struct Record: Sendable, Hashable {
    /// Empty: the last owner gave the shard up. nil: it cannot be read, and is another's.
    package var nonce: String?
    package var sequence: UInt64

    package init(nonce: String?, sequence: UInt64) {
      self.nonce = nonce
      self.sequence = sequence
    }

    package var isFree: Bool { nonce == "" }
  }

  /// Answers carry the attempt that they belong to; an answer to an earlier one says nothing any more.
  package enum Event: Sendable, Hashable {
    case put(Message)
    /// The record of ownership is to be written again, before all that waits: others take its silence for this writer's end.
    case renew
    /// This writer gives the shard up: it writes this record, which is no writer's, and nothing more. What waits is dropped.
    case release(Message)
    /// The engine can be asked.
    case connected
    case disconnected
    case accepted(attempt: Int, sequence: UInt64)
    /// The stream's last sequence was another one (error 10071).
    case refused(attempt: Int)
    case unanswered(attempt: Int)
    /// The engine does not take this message, whatever else it takes.
    case unacceptable(attempt: Int)
    /// The stream's last sequence.
    case foundLast(attempt: Int, UInt64)
    /// The stream's record of ownership; nil: there is none.
    case foundOwner(attempt: Int, Record?)
  }

  package enum Action: Sendable, Hashable {
    case publish(attempt: Int, Message, expecting: UInt64)
    /// Ask the stream's leader for the last sequence.
    case readLast(attempt: Int)
    /// Ask the stream's leader for the record of ownership.
    case readOwner(attempt: Int)
    /// Another writes this shard: nothing is written to it any more.
    case deposed(by: String)
    /// This writer's record is written.
    case owns
    /// The record that says that the shard is free is written.
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
  /// The nonces of earlier runs: their records are this writer's own, and are replaced at any time.
  private let earlier: Set<String>
  private let claim: Claim
  private let record: Message
  private var phase = Phase.disconnected
  private var attempt = 0
  /// Whether this writer's record was written, so that another's deposes it.
  package private(set) var isOwner = false
  /// In the order in which they came; of a subject the newest, in the place of the oldest.
  private var waiting: [Message] = []
  /// The record that gives the shard up, once it is to be.
  private var release: Message?

  /// - Parameters:
  ///   - earlier: the nonces of runs that are over for certain, as those of the same locked directory are.
  ///   - record: the message that makes this writer the owner; its subject is the shard's `_owner`.
  package init(nonce: String, earlier: Set<String> = [], claim: Claim, record: Message) {
    self.nonce = nonce
    self.earlier = earlier
    self.claim = claim
    self.record = record
  }

  /// Whether it writes nothing more: another writer has the shard, or it was released.
  package var isOver: Bool { phase == .over }

  /// Whether everything that was put is in the stream.
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
      // Before it is the owner, its claim is the record.
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
      // Not put back: it would keep all that waits from being written.
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

  /// A message whose fate is unknown is written again, unless a newer one waits. The condition keeps it from being written
  /// after a foreign message, and writing the same twice does no harm.
  private mutating func putBack() {
    guard case .writing(let message, _) = phase, !waiting.contains(where: { $0.subject == message.subject }),
      release == nil || release == message
    else { return }
    waiting.insert(message, at: 0)
  }

  /// The last sequence first: in the other order a record that came between the two would be overlooked.
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
    // No record where this writer's was, or an earlier run's: the engine lost what it had, or was rolled back.
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

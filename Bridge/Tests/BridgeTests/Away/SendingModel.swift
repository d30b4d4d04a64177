import CacheSync

@testable import CacheSyncBridge

/// One session file in an away's directory, the engine, and what the away keeps, as one value. Every order of edits,
/// lost messages, lost answers and deaths is a path through such values.
///
/// The away takes the steps of `SessionSender` one at a time, as an ``Outbox`` decides them, and may die before each. A
/// message may arrive immediately, without an answer, at any later time, or never.
struct SendingModel: Hashable {
  /// Possible faults of an away. The search must find each of them.
  enum Fault: Hashable {
    case none
    /// Does not note what it is about to send.
    case notesNothing
    /// Keeps its note when it agrees with the engine on what was kept before.
    case leavesNotes
    /// Puts a file unconditionally.
    case expectsNothing
    /// Assumes that its message is lost if the engine does not have it yet.
    case trustsAnswers
    /// Notes only the last of the messages with an unknown outcome.
    case notesOnlyTheLast
  }

  /// The parameters of a run of the model.
  struct Plan: Hashable {
    /// How often the file is written or deleted.
    var edits: Int
    /// How often another client puts or deletes the key.
    var others = 0
    /// How many losses and deaths may happen.
    var mishaps: Int
  }

  struct File: Hashable {
    var digest: String
    var modified: Int64
  }

  struct Message: Hashable {
    var version: Int64
    /// nil if it deletes the key.
    var file: File?
    var isOwn: Bool
  }

  /// A message that is under way for longer than the away waits for an answer.
  struct Late: Hashable {
    var message: Message
    /// The engine accepts it only while its last message has this sequence; nil for always.
    var expecting: UInt64?
  }

  /// What the away is about to do.
  enum Step: Hashable {
    case rest
    case read(File?)
    case decide(File?, found: Outbox.Found??)
    case send(File?, Outbox.Decision)
    case confirm(Outbox.Kept.Content, sequence: UInt64)
    case keep(Outbox.Kept?)
  }

  /// The last change of the key by another than the away.
  enum Last: Hashable {
    case edit
    case other
    /// The last time when the away had nothing to do.
    case otherAlone
  }

  let fault: Fault
  private let isAlone: Bool
  private var plan: Plan
  private var now: Int64 = 10
  private var file: File?
  private var engine: Message?
  private var sequence: UInt64 = 0
  private var late: Set<Late> = []
  // On disk.
  private var kept: Outbox.Kept?
  private var sent: [Outbox.Sent] = []
  // In the memory of the away.
  private var step = Step.rest
  /// The messages that were sent before and not answered, while it works.
  private var unanswered: [Outbox.Sent] = []
  /// The sequence of the engine's last message when it was last asked, or 0 if it was not asked.
  private var known: UInt64 = 0
  private var isHeard = false
  private var isDoubted = false
  private var last = Last.edit
  /// What is wrong with the engine's state.
  private(set) var violation: String?

  init(fault: Fault = .none, _ plan: Plan) {
    self.fault = fault
    self.plan = plan
    isAlone = plan.others == 0
  }

  /// Whether the away has nothing to do.
  var isQuiet: Bool { step == .rest && !isHeard }

  // MARK: Steps

  /// Every value that is one step away.
  func steps() -> [SendingModel] {
    guard violation == nil else { return [] }
    var next: [SendingModel] = []
    for edit in plan.edits > 0 ? edits : [] { next.append(stepping { $0.changeFile(to: edit) }) }
    if plan.others > 0 {
      let digest = "other \(plan.others)"
      next.append(stepping { $0.storeOther(File(digest: digest, modified: $0.now)) })
      next.append(stepping { $0.storeOther(nil) })
    }
    if plan.mishaps > 0 { next.append(stepping { $0.die() }) }
    for late in late { next.append(stepping { $0.arrive(late) }) }
    return (next + work()).map { model in
      var model = model
      if model.violation == nil, model.isQuiet { model.violation = model.disagreement }
      return model
    }
  }

  private func stepping(_ change: (inout SendingModel) -> Void) -> SendingModel {
    var model = self
    change(&model)
    return model
  }

  /// A change of the file by a person. An older file may replace it.
  private var edits: [File?] {
    // With another client every content is new, so that the origin of the last one is known.
    guard isAlone else { return [nil, File(digest: "\(plan.edits)", modified: now)] }
    let files = [File(digest: "a", modified: now), File(digest: "b", modified: now), File(digest: "a", modified: 1)]
    return [nil] + files.filter { $0.digest != file?.digest }
  }

  private mutating func changeFile(to edit: File?) {
    now += 10
    plan.edits -= 1
    (file, isHeard, last) = (edit, true, .edit)
  }

  private mutating func storeOther(_ file: File?) {
    plan.others -= 1
    last = isQuiet ? .otherAlone : .other
    store(file, isOwn: false)
  }

  /// The away is killed and restarts: it looks at the file and at what it kept.
  private mutating func die() {
    plan.mishaps -= 1
    isDoubted = kept != nil || !sent.isEmpty
    (step, isHeard, known) = (.rest, file != nil || isDoubted, 0)
  }

  /// The engine's answer was lost, so the away asks again.
  private mutating func fail() {
    plan.mishaps -= 1
    (step, isHeard, isDoubted) = (.rest, true, true)
  }

  // MARK: The away

  private func work() -> [SendingModel] {
    let failed = plan.mishaps > 0 ? [stepping { $0.fail() }] : []
    switch step {
    case .rest: return isHeard ? [stepping { $0.look() }] : []
    case .read(let local):
      return failed
        + [
          stepping {
            $0.known = $0.lastSequence
            $0.step = .decide(local, found: .some($0.found))
          }
        ]
    case .decide(let local, let found): return [stepping { $0.decide(local, found) }]
    case .send(let local, let decision):
      let answered = [stepping { $0.send(local, decision) }]
      guard plan.mishaps > 0 else { return answered }
      let unheard = stepping {
        $0.send(local, decision)
        $0.fail()
      }
      // It arrives later or never.
      let delayed = stepping {
        $0.late.insert($0.message(local, decision))
        $0.fail()
      }
      return answered + [unheard, delayed]
    case .confirm(let content, let sequence):
      return failed
        + [
          stepping {
            $0.known = $0.lastSequence
            $0.step = .keep(Outbox.acknowledged(content, sequence: sequence, found: $0.found))
          }
        ]
    case .keep(let value):
      return [
        stepping {
          $0.keep(value)
          $0.step = .rest
          if !$0.isHeard { $0.isDoubted = false }
        }
      ]
    }
  }

  private static let key = CacheName("x").flatMap { SessionKey(cache: $0, path: Array("tasks/a.json".utf8)) }

  private mutating func look() {
    guard let key = Self.key else { preconditionFailure("the path is a session file's") }
    let seen = file.map { Outbox.Look.file(digest: $0.digest, isWhole: true, stamp: [$0.modified]) } ?? .absent
    isHeard = false
    var outbox = Outbox()
    if isDoubted { outbox.doubt(key) } else { outbox.receive(key) }
    var verdict = Outbox.Verdict.nothing
    for time in [0, Outbox.patience] where outbox.next(now: time) == key {
      verdict = outbox.look(key, seen, kept: kept, sent: sent, now: time)
    }
    switch verdict {
    case .nothing: isDoubted = false
    case .work(_, let mustRead):
      step = mustRead ? .read(file) : .decide(file, found: nil)
      unanswered = sent
    }
  }

  private mutating func decide(_ local: File?, _ found: Outbox.Found??) {
    let kept = Outbox.arrived(unanswered, kept: kept, found: found ?? nil) ?? kept
    var sent = unanswered
    if fault == .trustsAnswers { for index in sent.indices { sent[index].expecting = .max } }
    let decision = Outbox.decide(local: local?.digest, kept: kept, found: found, sent: sent)
    switch decision {
    case .settled(let value): step = .keep(value)
    case .read: step = .read(local)
    case .put(let expecting):
      let expecting = expecting ?? (kept == nil ? 0 : known)
      record(local, expecting)
      step = .send(local, .put(expecting: expecting))
    // The file exists again, so the away starts over.
    case .delete where file != nil: (step, isHeard) = (.rest, true)
    case .delete(let expecting):
      record(nil, expecting)
      step = .send(nil, decision)
    case .putBack, .deleteAgain: step = .send(local, decision)
    }
  }

  private mutating func record(_ file: File?, _ expecting: UInt64) {
    guard fault != .notesNothing else { return }
    let content = file.map { Outbox.Sent.Content.file(digest: $0.digest, modified: $0.modified) } ?? .deletion
    let message = Outbox.Sent(content: content, expecting: expecting)
    if fault == .notesOnlyTheLast { sent = [] }
    if !sent.contains(message) { sent.append(message) }
  }

  /// The message that a decision sends.
  private func message(_ local: File?, _ decision: Outbox.Decision) -> Late {
    switch decision {
    case .put(let last):
      Late(message: Message(version: 0, file: local, isOwn: true), expecting: fault == .expectsNothing ? nil : last)
    case .delete(let last): Late(message: Message(version: 0, file: nil, isOwn: true), expecting: last)
    case .putBack(let version, let last):
      Late(message: Message(version: version, file: local, isOwn: true), expecting: last)
    case .deleteAgain(let version, let last):
      Late(message: Message(version: version, file: nil, isOwn: true), expecting: last)
    case .read, .settled: preconditionFailure("nothing is sent")
    }
  }

  private mutating func send(_ local: File?, _ decision: Outbox.Decision) {
    guard receive(message(local, decision)) else { return step = .read(local) }
    switch decision {
    case .put: step = .confirm(.file(local?.digest ?? ""), sequence: sequence)
    case .delete: step = .confirm(.gone, sequence: sequence)
    case .putBack, .deleteAgain: step = .keep(kept)
    case .read, .settled: preconditionFailure("nothing is sent")
    }
  }

  private mutating func keep(_ value: Outbox.Kept?) {
    let leaves = fault == .leavesNotes && value == kept
    kept = value
    if !leaves { (sent, unanswered) = ([], []) }
  }

  // MARK: The engine

  private mutating func store(_ file: File?, isOwn: Bool, version: Int64? = nil) {
    now += 10
    sequence += 1
    engine = Message(version: version ?? now, file: file, isOwn: isOwn)
  }

  /// Returns whether the message is stored.
  private mutating func receive(_ late: Late) -> Bool {
    guard late.expecting ?? lastSequence == lastSequence else { return false }
    if late.message.file == nil, let engine, !engine.isOwn, engine.file != nil, !isPutOverLast {
      violation = "it deletes another client's file"
    }
    store(late.message.file, isOwn: true, version: late.message.version == 0 ? nil : late.message.version)
    return true
  }

  private mutating func arrive(_ message: Late) {
    late.remove(message)
    _ = receive(message)
  }

  /// Whether the away has put a file over the engine's last message, and does not know whether that arrives.
  private var isPutOverLast: Bool {
    sent.contains { $0.expecting == lastSequence && $0.content != .deletion }
  }

  private var lastSequence: UInt64 { engine == nil ? 0 : sequence }

  private var found: Outbox.Found? {
    engine.map {
      Outbox.Found(version: $0.version, sequence: sequence, digest: $0.file?.digest, modified: $0.file?.modified)
    }
  }

  /// What is wrong once the away has nothing to do.
  private var disagreement: String? {
    if !sent.isEmpty { return "a note is left, for which the engine is asked at every start" }
    let (there, here) = (engine?.file?.digest, file?.digest)
    switch last {
    case .edit where here != nil: return there == here ? nil : "the engine has \(there ?? "none") of \(here ?? "none")"
    case .edit: return engine?.isOwn == true && there != nil ? "the engine has what was deleted" : nil
    case .otherAlone: return engine?.isOwn == true ? "another client's message was replaced" : nil
    case .other: return engine?.isOwn == true && there != here ? "the engine has what is not in the file" : nil
    }
  }
}

import CacheSync

@testable import CacheSyncBridge

/// One session file in an away's directory, the engine, and what the away keeps, as one value: every order of edits, lost
/// messages, lost answers and deaths is a path through such values.
///
/// The away takes the steps of `SessionSender` one at a time, as an ``Outbox`` decides them, and may die before each. A message
/// arrives at once or never.
struct SendingModel: Hashable {
  /// Ways in which an away could be wrong, each of which the search must find.
  enum Fault: Hashable {
    case none
    /// Notes nothing of what it is about to send.
    case notesNothing
    /// Sends the next message, and notes it in place of the last one, without keeping that the last one arrived.
    case forgetsWhatArrived
    /// Leaves a note when what it agrees on with the engine is what was kept before.
    case leavesNotes
  }

  /// What a run of the model begins with.
  struct Plan: Hashable {
    /// How often the file is written or deleted.
    var edits: Int
    /// How often another client puts or deletes the key.
    var others = 0
    /// How many losses and deaths there are.
    var mishaps: Int
  }

  struct File: Hashable {
    var digest: String
    var modified: Int64
  }

  struct Message: Hashable {
    var version: Int64
    /// nil: it says that the key is deleted.
    var file: File?
    var isOwn: Bool
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

  /// What happened last to the key, apart from what the away does.
  enum Last: Hashable {
    case edit
    case other
    /// The away had nothing to do at that time.
    case otherAlone
  }

  let fault: Fault
  private let isAlone: Bool
  private var plan: Plan
  private var now: Int64 = 10
  private var file: File?
  private var engine: Message?
  private var sequence: UInt64 = 0
  // On disk.
  private var kept: Outbox.Kept?
  private var sent: Outbox.Sent?
  // In the memory of the away.
  private var step = Step.rest
  private var isHeard = false
  private var isDoubted = false
  private var last = Last.edit
  /// What is wrong with what the engine has.
  private(set) var violation: String?

  init(fault: Fault = .none, _ plan: Plan) {
    self.fault = fault
    self.plan = plan
    isAlone = plan.others == 0
  }

  /// Whether the away has nothing to do.
  var isQuiet: Bool { step == .rest && !isHeard }

  // MARK: Steps

  /// Every value that one step leads to.
  func steps() -> [SendingModel] {
    guard violation == nil else { return [] }
    var next: [SendingModel] = []
    for edit in plan.edits > 0 ? edits : [] { next.append(stepping { $0.take(edit) }) }
    if plan.others > 0 {
      let digest = "other \(plan.others)"
      next.append(stepping { $0.takeOther(File(digest: digest, modified: $0.now)) })
      next.append(stepping { $0.takeOther(nil) })
    }
    if plan.mishaps > 0 { next.append(stepping { $0.die() }) }
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

  /// What a person does to the file. An older file may be put in its place.
  private var edits: [File?] {
    // With another client every content is new, so that it is clear whose is the last.
    guard isAlone else { return [nil, File(digest: "\(plan.edits)", modified: now)] }
    let files = [File(digest: "a", modified: now), File(digest: "b", modified: now), File(digest: "a", modified: 1)]
    return [nil] + files.filter { $0.digest != file?.digest }
  }

  private mutating func take(_ edit: File?) {
    now += 10
    plan.edits -= 1
    (file, isHeard, last) = (edit, true, .edit)
  }

  private mutating func takeOther(_ file: File?) {
    plan.others -= 1
    last = isQuiet ? .otherAlone : .other
    store(file, isOwn: false)
  }

  /// The away is killed, and begins again: it looks at the file, and at what it kept.
  private mutating func die() {
    plan.mishaps -= 1
    isDoubted = kept != nil || sent != nil
    (step, isHeard) = (.rest, file != nil || isDoubted)
  }

  /// The engine was not heard to answer: the away asks it again.
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
      return failed + [stepping { $0.step = .decide(local, found: .some($0.found)) }]
    case .decide(let local, let found): return [stepping { $0.decide(local, found) }]
    case .send(let local, let decision):
      return failed + [stepping { $0.send(local, decision) }]
        + (plan.mishaps > 0
          ? [
            stepping {
              $0.send(local, decision)
              $0.fail()
            }
          ] : [])
    case .confirm(let content, let sequence):
      return failed
        + [
          stepping {
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
    if isDoubted { outbox.doubt(key) } else { outbox.hear(key) }
    var verdict = Outbox.Verdict.nothing
    for time in [0, Outbox.patience] where outbox.next(now: time) == key {
      verdict = outbox.look(key, seen, kept: kept, sent: sent, now: time)
    }
    switch verdict {
    case .nothing: isDoubted = false
    case .work(_, let mustRead): step = mustRead ? .read(file) : .decide(file, found: nil)
    }
  }

  private mutating func decide(_ local: File?, _ found: Outbox.Found??) {
    var known = kept
    if let value = Outbox.arrived(sent, kept: kept, found: found ?? nil) {
      // It is kept before anything else is done.
      if fault != .forgetsWhatArrived { return keep(value) }
      known = value
    }
    let decision = Outbox.decide(local: local?.digest, kept: known, found: found, sent: sent)
    switch decision {
    case .settled(let value): step = .keep(value)
    case .read: step = .read(local)
    case .put:
      note(local)
      step = .send(local, decision)
    case .delete where file != nil: (step, isHeard) = (.keep(known), true)
    case .delete:
      note(nil)
      step = .send(nil, decision)
    case .putBack, .deleteAgain: step = .send(local, decision)
    }
  }

  private mutating func note(_ file: File?) {
    guard fault != .notesNothing else { return }
    sent = file.map { .file(digest: $0.digest, modified: $0.modified) } ?? .deletion
  }

  private mutating func send(_ local: File?, _ decision: Outbox.Decision) {
    switch decision {
    case .put:
      store(local, isOwn: true)
      step = .confirm(.file(local?.digest ?? ""), sequence: sequence)
    case .delete(let last):
      guard last == lastSequence else { return step = .read(local) }
      if let engine, !engine.isOwn, engine.file != nil { violation = "it deletes another client's file" }
      store(nil, isOwn: true)
      step = .confirm(.gone, sequence: sequence)
    case .putBack(let version, let last):
      guard last == lastSequence else { return step = .read(local) }
      store(local, isOwn: true, version: version)
      step = .keep(kept)
    case .deleteAgain(let version, let last):
      guard last == lastSequence else { return step = .read(local) }
      store(nil, isOwn: true, version: version)
      step = .keep(kept)
    case .read, .settled: preconditionFailure("nothing is sent")
    }
  }

  private mutating func keep(_ value: Outbox.Kept?) {
    let leaves = fault == .leavesNotes && value == kept
    kept = value
    if !leaves { sent = nil }
  }

  // MARK: The engine

  private mutating func store(_ file: File?, isOwn: Bool, version: Int64? = nil) {
    now += 10
    sequence += 1
    engine = Message(version: version ?? now, file: file, isOwn: isOwn)
  }

  private var lastSequence: UInt64 { engine == nil ? 0 : sequence }

  private var found: Outbox.Found? {
    engine.map {
      Outbox.Found(version: $0.version, sequence: sequence, digest: $0.file?.digest, modified: $0.file?.modified)
    }
  }

  /// What is wrong now that the away has nothing to do.
  private var disagreement: String? {
    if sent != nil { return "a note is left, for which the engine is asked at every start" }
    let (there, here) = (engine?.file?.digest, file?.digest)
    switch last {
    case .edit where here != nil: return there == here ? nil : "the engine has \(there ?? "none") of \(here ?? "none")"
    case .edit: return engine?.isOwn == true && there != nil ? "the engine has what was deleted" : nil
    case .otherAlone: return engine?.isOwn == true ? "another client's message was replaced" : nil
    case .other: return engine?.isOwn == true && there != here ? "the engine has what is not in the file" : nil
    }
  }
}

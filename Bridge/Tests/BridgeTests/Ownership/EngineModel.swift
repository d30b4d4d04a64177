@testable import CacheSyncBridge

/// Two bridges, a stream, and the messages between them, as one value. Every order of deliveries, losses, time-outs and
/// disconnections is a path through such values.
///
/// A message under way may arrive late, even after its sender gave it up, and answers may be lost. There is no clock: a
/// candidate may claim at any time what it saw at any time. So no path is correct only because a lease is long enough.
struct EngineModel: Hashable {
  /// Possible faults of a writer. The search must find each of them.
  enum Fault: Hashable {
    case none
    /// Reads the record of ownership first, and then the last sequence.
    case readsOwnerFirst
    /// Sends the next message before the previous answer, with the sequence that it predicts.
    case predictsSequence
    /// Sends unconditionally.
    case hasNoCondition
    /// Claims any record, and not only the one that it saw unchanged.
    case claimsWhatItDidNotSee
  }

  /// What a bridge does in a model, and how often at most.
  struct Plan: Hashable {
    /// Its claim at the start, or nil for a candidate, which looks first.
    var first: ShardWriter.Claim?
    var puts = 0
    var renewals = 0
    var releases = 0
    /// How often it may claim what it saw, each time with a new nonce.
    var claims = 0
  }

  struct Bridge: Hashable {
    var plan: Plan
    var writer: ShardWriter?
    /// The sequence of the record that it last saw; nil inside if there was none.
    var sighting: UInt64??

    var isFree: Bool { writer?.isOver ?? true }
  }

  struct Entry: Hashable {
    /// nil for the record that marks the shard as free.
    var nonce: String?
    var isRecord: Bool
  }

  enum Request: Hashable {
    case publish(nonce: String, attempt: Int, ShardWriter.Message, expecting: UInt64)
    case readLast(nonce: String, attempt: Int)
    case readOwner(nonce: String, attempt: Int)

    var sender: (nonce: String, attempt: Int) {
      switch self {
      case .publish(let nonce, let attempt, _, _), .readLast(let nonce, let attempt),
        .readOwner(let nonce, let attempt):
        (nonce, attempt)
      }
    }
  }

  struct Answer: Hashable {
    var nonce: String
    var attempt: Int
    var event: ShardWriter.Event
  }

  let fault: Fault
  var bridges: [Bridge]
  var log: [Entry] = []
  /// Sets, because the order in which they were sent does not matter.
  var requests: Set<Request> = []
  var answers: Set<Answer> = []
  /// How many losses, time-outs and disconnections may still happen.
  var mishaps: Int
  /// What each nonce may replace when it claims.
  private var claims: [String: ShardWriter.Claim] = [:]
  /// With the fault `readsOwnerFirst`, the record that each writer has read before the last sequence.
  private var earlyOwners: [String: ShardWriter.Record?] = [:]
  /// What a reader of the stream would find wrong.
  var violation: String?

  private static let free = ShardWriter.Message(subject: "_owner", payload: [])

  init(fault: Fault = .none, _ plans: [Plan], mishaps: Int) {
    self.fault = fault
    self.mishaps = mishaps
    bridges = plans.map { Bridge(plan: $0) }
    for (index, plan) in plans.enumerated() { if let claim = plan.first { begin(index, claim) } }
  }

  /// A home, and one that a person makes take over.
  init(fault: Fault = .none, puts: Int, mishaps: Int) {
    self.init(
      fault: fault, [Plan(first: .unowned, puts: puts), Plan(first: .force, puts: puts)], mishaps: mishaps)
  }

  /// Each claim has its own nonce: the bridge's number, and the number of the claim.
  private mutating func begin(_ bridge: Int, _ claim: ShardWriter.Claim) {
    let nonce = "\(bridge)\(claims.count)"
    claims[nonce] = claim
    bridges[bridge].writer = ShardWriter(
      nonce: nonce, claim: fault == .claimsWhatItDidNotSee ? .force : claim,
      record: ShardWriter.Message(subject: "_owner", payload: [1]))
  }

  /// Whether the bridge has finished and all its work is written.
  func isDone(_ bridge: Int) -> Bool {
    bridges[bridge].writer?.isQuiet == true && bridges[bridge].plan.puts == 0 && bridges[bridge].plan.renewals == 0
  }

  // MARK: Steps

  /// Every value that is one step away.
  func steps() -> [EngineModel] {
    var next: [EngineModel] = []
    for bridge in bridges.indices { next += steps(of: bridge) }
    for request in requests {
      next.append(
        stepping { model in
          model.requests.remove(request)
          model.deliver(request)
        })
      guard mishaps > 0 else { continue }
      // The sender stops waiting, and the request arrives later or never.
      next.append(stepping { $0.giveUp(request.sender) })
      next.append(
        stepping { model in
          model.requests.remove(request)
          model.giveUp(request.sender)
        })
    }
    for answer in answers {
      next.append(
        stepping { model in
          model.answers.remove(answer)
          model.notify(answer.nonce, answer.event)
        })
      if mishaps > 0 {
        next.append(
          stepping { model in
            model.answers.remove(answer)
            model.giveUp((answer.nonce, answer.attempt))
          })
      }
    }
    return next.filter { $0 != self }
  }

  private func steps(of number: Int) -> [EngineModel] {
    var next: [EngineModel] = []
    let (bridge, plan) = (bridges[number], bridges[number].plan)
    if let writer = bridge.writer, !writer.isOver {
      let nonce = writer.nonce
      next.append(stepping { $0.notify(nonce, .connected) })
      if plan.puts > 0 {
        next.append(
          stepping { model in
            model.bridges[number].plan.puts -= 1
            model.notify(nonce, .put(ShardWriter.Message(subject: "a", payload: [UInt8(plan.puts)])))
          })
      }
      if plan.renewals > 0, writer.isOwner {
        next.append(
          stepping { model in
            model.bridges[number].plan.renewals -= 1
            model.notify(nonce, .renew)
          })
      }
      if plan.releases > 0, writer.isOwner {
        next.append(
          stepping { model in
            model.bridges[number].plan.releases -= 1
            model.notify(nonce, .release(Self.free))
          })
      }
      if mishaps > 0 {
        next.append(
          stepping { model in
            model.mishaps -= 1
            model.notify(nonce, .disconnected)
          })
      }
    } else if plan.claims > 0 {
      next.append(stepping { $0.bridges[number].sighting = .some($0.owner?.sequence) })
      if let sighting = bridge.sighting {
        next.append(
          stepping { model in
            model.bridges[number].plan.claims -= 1
            model.begin(number, .unchanged(sighting))
          })
      }
    }
    return next
  }

  private func stepping(_ change: (inout EngineModel) -> Void) -> EngineModel {
    var model = self
    change(&model)
    return model
  }

  private mutating func notify(_ nonce: String, _ event: ShardWriter.Event) {
    // An event for a writer that its bridge has replaced is ignored.
    guard let number = bridges.firstIndex(where: { $0.writer?.nonce == nonce }) else { return }
    for action in bridges[number].writer?.handle(event) ?? [] {
      switch action {
      case .publish(let attempt, let message, let last):
        requests.insert(.publish(nonce: nonce, attempt: attempt, message, expecting: last))
        if fault == .predictsSequence, message.subject != "_owner", bridges[number].plan.puts > 0 {
          bridges[number].plan.puts -= 1
          let next = ShardWriter.Message(subject: "a", payload: [UInt8(bridges[number].plan.puts)])
          requests.insert(.publish(nonce: nonce, attempt: -1, next, expecting: last + 1))
        }
      case .readLast(let attempt):
        requests.insert(
          fault == .readsOwnerFirst
            ? .readOwner(nonce: nonce, attempt: attempt) : .readLast(nonce: nonce, attempt: attempt))
      case .readOwner(let attempt):
        if fault == .readsOwnerFirst {
          notify(nonce, .foundOwner(attempt: attempt, earlyOwners[nonce] ?? nil))
        } else {
          requests.insert(.readOwner(nonce: nonce, attempt: attempt))
        }
      case .deposed, .owns, .released: break
      }
    }
  }

  private mutating func giveUp(_ sender: (nonce: String, attempt: Int)) {
    mishaps -= 1
    notify(sender.nonce, .unanswered(attempt: sender.attempt))
  }

  // MARK: The stream

  private var owner: ShardWriter.Record? {
    log.lastIndex(where: \.isRecord).map {
      ShardWriter.Record(nonce: log[$0].nonce ?? "", sequence: UInt64($0 + 1))
    }
  }

  private mutating func deliver(_ request: Request) {
    let (nonce, attempt) = request.sender
    func answer(_ event: ShardWriter.Event) -> Answer { Answer(nonce: nonce, attempt: attempt, event: event) }
    switch request {
    case .publish(_, _, let message, let last):
      guard last == UInt64(log.count) || fault == .hasNoCondition else {
        answers.insert(answer(.refused(attempt: attempt)))
        return
      }
      let isRecord = message.subject == "_owner"
      check(nonce, isRecord: isRecord)
      log.append(Entry(nonce: message == Self.free ? nil : nonce, isRecord: isRecord))
      answers.insert(answer(.accepted(attempt: attempt, sequence: UInt64(log.count))))
    case .readLast:
      answers.insert(answer(.foundLast(attempt: attempt, UInt64(log.count))))
    case .readOwner:
      if fault == .readsOwnerFirst {
        earlyOwners[nonce] = owner
        requests.insert(.readLast(nonce: nonce, attempt: attempt))
      } else {
        answers.insert(answer(.foundOwner(attempt: attempt, owner)))
      }
    }
  }

  /// Records a violation if the stream must not accept this message.
  private mutating func check(_ nonce: String, isRecord: Bool) {
    let isClaim = isRecord && !log.contains { $0.isRecord && $0.nonce == nonce }
    switch isClaim ? claims[nonce] : nil {
    case .force: break
    case .unowned: if owner?.isFree == false { violation = "\(nonce) took a shard that had an owner" }
    case .unchanged(let sequence):
      if owner?.sequence != sequence { violation = "\(nonce) replaced a record that it did not see unchanged" }
    case nil:
      if owner?.nonce != nonce { violation = "\(nonce) wrote behind the record of \(owner?.nonce ?? "another")" }
    }
  }
}

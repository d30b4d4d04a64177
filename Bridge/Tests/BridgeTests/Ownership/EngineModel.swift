@testable import CacheSyncBridge

/// Two writers, a stream, and the messages between them, as one value: every order of deliveries, losses, time-outs and
/// disconnections is a path through such values.
///
/// What is under way may arrive late, also after its sender gave it up, and answers may be lost.
struct EngineModel: Hashable {
  /// Ways in which a writer could be wrong, each of which the search must find.
  enum Fault: Hashable {
    case none
    /// Reads the record of ownership first, and then the last sequence.
    case readsOwnerFirst
    /// Sends the next message before the answer to the one before, with the sequence that it will have.
    case predictsSequence
    /// Sends without a condition.
    case hasNoCondition
  }

  struct Entry: Hashable {
    var writer: Int
    var isRecord: Bool
    var payload: [UInt8]
  }

  enum Request: Hashable {
    case publish(writer: Int, attempt: Int, ShardWriter.Message, expecting: UInt64)
    case readLast(writer: Int, attempt: Int)
    case readOwner(writer: Int, attempt: Int)
  }

  struct Answer: Hashable {
    var writer: Int
    var event: ShardWriter.Event
  }

  let fault: Fault
  var writers: [ShardWriter]
  var log: [Entry] = []
  /// Sets, since the order in which they were sent decides nothing.
  var requests: Set<Request> = []
  var answers: Set<Answer> = []
  /// How many messages each writer is still given.
  var puts: [Int]
  /// How many losses, time-outs and disconnections are left.
  var mishaps: Int
  /// With the fault `readsOwnerFirst`, the record that each writer has read before the last sequence.
  private var earlyOwners: [ShardWriter.Record?] = [nil, nil]
  /// What a reader of the stream would find wrong.
  var violation: String?

  init(fault: Fault = .none, puts: Int, mishaps: Int) {
    self.fault = fault
    self.mishaps = mishaps
    self.puts = [puts, puts]
    writers = (0..<2).map { number in
      ShardWriter(
        nonce: "\(number)", claim: number == 0 ? .unowned : .force,
        record: ShardWriter.Message(subject: "_owner", payload: []))
    }
  }

  /// Every value that one step leads to.
  func steps() -> [EngineModel] {
    var next: [EngineModel] = []
    for writer in writers.indices {
      next.append(stepping { $0.tell(writer, .connected) })
      if puts[writer] > 0 {
        next.append(
          stepping { model in
            model.puts[writer] -= 1
            model.tell(writer, .put(ShardWriter.Message(subject: "a", payload: [UInt8(model.puts[writer])])))
          })
      }
      if mishaps > 0 {
        next.append(
          stepping { model in
            model.mishaps -= 1
            model.tell(writer, .disconnected)
          })
      }
    }
    for request in requests {
      next.append(
        stepping { model in
          model.requests.remove(request)
          model.deliver(request)
        })
      guard mishaps > 0 else { continue }
      // The sender gives up waiting, and the request arrives later or never.
      next.append(
        stepping { model in
          model.mishaps -= 1
          model.giveUp(request)
        })
      next.append(
        stepping { model in
          model.mishaps -= 1
          model.requests.remove(request)
          model.giveUp(request)
        })
    }
    for answer in answers {
      next.append(
        stepping { model in
          model.answers.remove(answer)
          model.tell(answer.writer, answer.event)
        })
      if mishaps > 0 {
        next.append(
          stepping { model in
            model.mishaps -= 1
            model.answers.remove(answer)
            model.giveUp(answer)
          })
      }
    }
    return next.filter { $0 != self }
  }

  private func stepping(_ change: (inout EngineModel) -> Void) -> EngineModel {
    var model = self
    change(&model)
    return model
  }

  private mutating func tell(_ writer: Int, _ event: ShardWriter.Event) {
    for action in writers[writer].handle(event) {
      switch action {
      case .publish(let attempt, let message, let last):
        requests.insert(.publish(writer: writer, attempt: attempt, message, expecting: last))
        if fault == .predictsSequence, message.subject != "_owner", puts[writer] > 0 {
          puts[writer] -= 1
          let next = ShardWriter.Message(subject: "a", payload: [UInt8(puts[writer])])
          requests.insert(.publish(writer: writer, attempt: -1, next, expecting: last + 1))
        }
      case .readLast(let attempt):
        requests.insert(
          fault == .readsOwnerFirst
            ? .readOwner(writer: writer, attempt: attempt) : .readLast(writer: writer, attempt: attempt))
      case .readOwner(let attempt):
        if fault == .readsOwnerFirst {
          tell(writer, .foundOwner(attempt: attempt, earlyOwners[writer]))
        } else {
          requests.insert(.readOwner(writer: writer, attempt: attempt))
        }
      case .deposed, .owns: break
      }
    }
  }

  private var owner: ShardWriter.Record? {
    log.lastIndex(where: \.isRecord).map {
      ShardWriter.Record(nonce: "\(log[$0].writer)", sequence: UInt64($0 + 1))
    }
  }

  private mutating func deliver(_ request: Request) {
    switch request {
    case .publish(let writer, let attempt, let message, let last):
      guard last == UInt64(log.count) || fault == .hasNoCondition else {
        answers.insert(Answer(writer: writer, event: .refused(attempt: attempt)))
        return
      }
      let isRecord = message.subject == "_owner"
      // Writer 1 may replace the other's record, at its start.
      if !isRecord || writer == 0, let owner, owner.nonce != "\(writer)" {
        violation = "writer \(writer) wrote behind the record of writer \(owner.nonce)"
      }
      log.append(Entry(writer: writer, isRecord: isRecord, payload: message.payload))
      answers.insert(Answer(writer: writer, event: .accepted(attempt: attempt, sequence: UInt64(log.count))))
    case .readLast(let writer, let attempt):
      answers.insert(Answer(writer: writer, event: .foundLast(attempt: attempt, UInt64(log.count))))
    case .readOwner(let writer, let attempt):
      if fault == .readsOwnerFirst {
        earlyOwners[writer] = owner
        requests.insert(.readLast(writer: writer, attempt: attempt))
      } else {
        answers.insert(Answer(writer: writer, event: .foundOwner(attempt: attempt, owner)))
      }
    }
  }

  private mutating func giveUp(_ request: Request) {
    switch request {
    case .publish(let writer, let attempt, _, _), .readLast(let writer, let attempt),
      .readOwner(let writer, let attempt):
      tell(writer, .unanswered(attempt: attempt))
    }
  }

  private mutating func giveUp(_ answer: Answer) {
    switch answer.event {
    case .accepted(let attempt, _), .refused(let attempt), .foundLast(let attempt, _), .foundOwner(let attempt, _):
      tell(answer.writer, .unanswered(attempt: attempt))
    case .put, .connected, .disconnected, .unanswered, .unacceptable: break
    }
  }
}

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
    /// The first half of reading: of the last sequence, or with a fault of the record.
    case readFirst(writer: Int, attempt: Int)
    case readSecond(writer: Int, attempt: Int, last: UInt64, owner: ShardWriter.Record?)
  }

  struct Answer: Hashable {
    var writer: Int
    var event: ShardWriter.Event
  }

  let fault: Fault
  var writers: [ShardWriter]
  var log: [Entry] = []
  var requests: [Request] = []
  var answers: [Answer] = []
  /// How many messages each writer is still given.
  var puts: [Int]
  /// How many losses, time-outs and disconnections are left.
  var mishaps: Int
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
    for index in requests.indices {
      next.append(stepping { $0.deliver($0.requests.remove(at: index)) })
      guard mishaps > 0 else { continue }
      // The sender gives up waiting, and the request arrives later or never.
      next.append(
        stepping { model in
          model.mishaps -= 1
          model.giveUp(model.requests[index])
        })
      next.append(
        stepping { model in
          model.mishaps -= 1
          model.giveUp(model.requests.remove(at: index))
        })
    }
    for index in answers.indices {
      next.append(
        stepping { model in
          let answer = model.answers.remove(at: index)
          model.tell(answer.writer, answer.event)
        })
      if mishaps > 0 {
        next.append(
          stepping { model in
            model.mishaps -= 1
            let answer = model.answers.remove(at: index)
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
        requests.append(.publish(writer: writer, attempt: attempt, message, expecting: last))
        if fault == .predictsSequence, message.subject != "_owner", puts[writer] > 0 {
          puts[writer] -= 1
          let next = ShardWriter.Message(subject: "a", payload: [UInt8(puts[writer])])
          requests.append(.publish(writer: writer, attempt: -1, next, expecting: last + 1))
        }
      case .read(let attempt): requests.append(.readFirst(writer: writer, attempt: attempt))
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
        answers.append(Answer(writer: writer, event: .refused(attempt: attempt)))
        return
      }
      let isRecord = message.subject == "_owner"
      if !isRecord, let owner, owner.nonce != "\(writer)" {
        violation = "writer \(writer) wrote behind the record of writer \(owner.nonce)"
      }
      log.append(Entry(writer: writer, isRecord: isRecord, payload: message.payload))
      answers.append(Answer(writer: writer, event: .accepted(attempt: attempt, sequence: UInt64(log.count))))
    case .readFirst(let writer, let attempt):
      requests.append(.readSecond(writer: writer, attempt: attempt, last: UInt64(log.count), owner: owner))
    case .readSecond(let writer, let attempt, let last, let first):
      let event: ShardWriter.Event =
        fault == .readsOwnerFirst
        ? .found(attempt: attempt, last: UInt64(log.count), owner: first)
        : .found(attempt: attempt, last: last, owner: owner)
      answers.append(Answer(writer: writer, event: event))
    }
  }

  private mutating func giveUp(_ request: Request) {
    switch request {
    case .publish(let writer, let attempt, _, _), .readFirst(let writer, let attempt),
      .readSecond(let writer, let attempt, _, _):
      tell(writer, .unanswered(attempt: attempt))
    }
  }

  private mutating func giveUp(_ answer: Answer) {
    switch answer.event {
    case .accepted(let attempt, _), .refused(let attempt), .found(let attempt, _, _):
      tell(answer.writer, .unanswered(attempt: attempt))
    case .put, .connected, .disconnected, .unanswered, .unacceptable: break
    }
  }
}

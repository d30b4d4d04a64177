package import CacheSync
package import CacheSyncSystem

/// What the bridges of a namespace say of themselves when they are asked (wire.md section 7).
@LoopActor
package enum BridgeStatus {
  /// How long a bridge may take to answer: nanoseconds.
  package nonisolated static let longestAnswer: Int64 = 2_000_000_000

  /// Answers whenever it is asked.
  ///
  /// - Parameter status: nil when there is no answer any more.
  static func answer(_ engine: Engine, _ namespace: Namespace, _ status: @escaping @LoopActor () -> JSONValue?) {
    _ = engine.subscribe("\(namespace.name).status") { message in
      guard !message.reply.isEmpty, let status = status() else { return }
      engine.send(EngineMessage(subject: message.reply, payload: status.bytes))
    }
  }

  /// Asks all bridges. How many there are is not known, so it waits for another answer.
  ///
  /// - Parameter pause: how long after an answer another one may come, in nanoseconds.
  package static func ask(_ engine: Engine, _ namespace: Namespace, pause: Int64 = longestAnswer) async -> [JSONValue] {
    var answers: [JSONValue] = []
    var isOver = false
    let end = Uptime.now().nanoseconds + longestAnswer
    var due = end
    let inbox = engine.ownSubject()
    let subscription = engine.subscribe(inbox) { message in
      // 503: no bridge hears the question.
      if message.status == 503 { isOver = true }
      guard let value = JSONValue(message.payload), value["role"] != nil else { return }
      answers.append(value)
      due = min(end, Uptime.now().nanoseconds + pause)
    }
    engine.send(EngineMessage(subject: "\(namespace.name).status", reply: inbox))
    while !isOver, Uptime.now().nanoseconds < due { await LoopActor.sleep(.milliseconds(10)) }
    engine.unsubscribe(subscription)
    return answers
  }
}

package import CacheSync
package import CacheSyncSystem

/// How the bridges of a namespace report their status on request (wire.md section 7).
@LoopActor
package enum BridgeStatus {
  /// How long a bridge may take to answer: nanoseconds.
  package nonisolated static let longestAnswer: Int64 = 2_000_000_000

  /// Answers every request for the status.
  ///
  /// - Parameter status: returns nil to give no answer.
  static func answer(_ engine: Engine, _ namespace: Namespace, _ status: @escaping @LoopActor () -> JSONValue?) {
    _ = engine.subscribe("\(namespace.name).status") { message in
      guard !message.reply.isEmpty, let status = status() else { return }
      engine.send(EngineMessage(subject: message.reply, payload: status.bytes))
    }
  }

  /// Asks all bridges. Their number is unknown, so it waits for more answers until none comes for a while.
  ///
  /// - Parameter pause: how long to wait for another answer after each one, in nanoseconds.
  package static func ask(_ engine: Engine, _ namespace: Namespace, pause: Int64 = longestAnswer) async -> [JSONValue] {
    var answers: [JSONValue] = []
    var isOver = false
    let end = Uptime.now().nanoseconds + longestAnswer
    var due = end
    let inbox = engine.ownSubject()
    let subscription = engine.subscribe(inbox) { message in
      // 503: no bridge is subscribed.
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

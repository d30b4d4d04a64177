import CacheSync
package import CacheSyncSystem

/// Receives the last message of every key of a filter, in the stream's order, and then every newer one. This is
/// JetStream's ordered consumer, recreated whenever it may have lost something.
///
/// It begins again from the current state, never from a sequence, because an engine that was wiped assigns the same
/// sequences again. So the receiver gets some messages more than once, and must compare versions.
@LoopActor
package final class LastPerSubject {
  package enum Event: Sendable {
    /// It begins (again): the existing messages follow, then `complete`.
    case beginning
    case message(StoredMessage)
    /// All messages that existed at the beginning have arrived.
    case complete
  }

  private let engine: Engine
  private let stream: String
  private let filter: String
  /// The interval of the heartbeats from an idle consumer.
  private let heartbeat: Duration
  private let notify: @LoopActor (Event) -> Void

  private var isRunning = false
  private var observer: Int?
  /// Counts the beginnings. Messages of an earlier one are ignored.
  private var round = 0
  private var subscription: Int?
  private var backoff = Backoff.engine
  private var retry: Int?
  /// The number of the last message of this consumer.
  private var number: UInt64 = 0
  private var initial: UInt64?
  private var isComplete = false
  private var lastHeard: Int64 = 0
  private var watchdog: Int?

  package init(
    _ engine: Engine, stream: String, filter: String, heartbeat: Duration,
    _ notify: @escaping @LoopActor (Event) -> Void
  ) {
    self.engine = engine
    self.stream = stream
    self.filter = filter
    self.heartbeat = heartbeat
    self.notify = notify
  }

  package func start() {
    isRunning = true
    observer =
      observer
      ?? engine.observe { [weak self] event in
        switch event {
        case .connected: self?.restart()
        case .disconnected: self?.pause()
        case .refused: break
        }
      }
    if engine.isConnected { restart() }
  }

  package func stop() {
    isRunning = false
    if let observer { engine.removeObserver(observer) }
    observer = nil
    pause()
  }

  /// Begins again, from the current state.
  package func restart() {
    pause()
    guard isRunning, engine.isConnected else { return }
    round += 1
    let round = round
    (number, initial, isComplete) = (0, nil, false)
    notify(.beginning)
    let subject = engine.ownSubject()
    subscription = engine.subscribe(subject) { [weak self] message in
      guard let self, round == self.round else { return }
      receive(message)
    }
    LoopActor.task { [self] in await create(subject, round) }
  }

  private func pause() {
    round += 1
    if let subscription { engine.unsubscribe(subscription) }
    for timer in [retry, watchdog] { if let timer { Alarms.shared.cancel(timer) } }
    (subscription, retry, watchdog) = (nil, nil, nil)
  }

  private func create(_ subject: String, _ round: Int) async {
    let config: TextMap<JSONValue> = [
      "deliver_subject": .string(subject), "deliver_policy": .string("last_per_subject"),
      "ack_policy": .string("none"), "max_deliver": .integer(1), "filter_subject": .string(filter),
      "replay_policy": .string("instant"), "flow_control": .bool(true), "mem_storage": .bool(true),
      "num_replicas": .integer(1), "idle_heartbeat": .integer(Int(heartbeat.components.seconds) * 1_000_000_000),
    ]
    let body = JSONValue.object(["stream_name": .string(stream), "config": .object(config)]).bytes
    do {
      let answer = try await engine.ask("CONSUMER.CREATE.\(stream)", body)
      guard round == self.round else { return }
      backoff.reset()
      initial = UInt64(answer["num_pending"]?.int ?? 0)
      record()
      watch()
    } catch {
      guard round == self.round, engine.isConnected else { return }
      retry = Alarms.shared.set(after: backoff.next()) { [weak self] in self?.restart() }
    }
  }

  private func receive(_ message: EngineMessage) {
    lastHeard = Uptime.now().nanoseconds
    // A stored message is recognised by its reply subject, not by its headers, because a producer chooses those.
    guard let delivery = EngineText.Delivery(reply: message.reply) else { return control(message) }
    guard delivery.number == number + 1 else { return restart() }
    number = delivery.number
    notify(.message(StoredMessage(message: message, sequence: delivery.sequence, time: delivery.time)))
    if delivery.pending == 0 { initial = initial.map { min($0, number) } ?? number }
    record()
  }

  /// Handles heartbeats, which carry the number of the last message sent, and flow control, which asks for a
  /// confirmation.
  private func control(_ message: EngineMessage) {
    guard message.status == 100 else { return }
    for subject in [message.reply, message.headers["Nats-Consumer-Stalled"] ?? ""] where subject.hasPrefix("$JS.FC.") {
      engine.send(EngineMessage(subject: subject))
    }
    guard let last = message.headers["Nats-Last-Consumer"].flatMap({ UInt64($0) }), last != number else { return }
    restart()
  }

  private func record() {
    guard !isComplete, let initial, number >= initial else { return }
    isComplete = true
    notify(.complete)
  }

  private func watch() {
    lastHeard = Uptime.now().nanoseconds
    check(after: heartbeat * 2 + .seconds(5))
  }

  /// Uses one timer that checks when the last message arrived, instead of one timer for each message.
  private func check(after time: Duration) {
    watchdog = Alarms.shared.set(after: time) { [weak self] in
      guard let self else { return }
      let silence = Duration.nanoseconds(Uptime.now().nanoseconds - lastHeard)
      let longest = heartbeat * 2 + .seconds(5)
      if silence >= longest { restart() } else { check(after: longest - silence) }
    }
  }
}

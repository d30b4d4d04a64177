package import CacheSyncSystem
package import SystemPackage

/// The engine, as the rest of the bridge uses it: requests with a timeout, and subscriptions.
///
/// It reconnects for ever, with a backoff from 0.1 s to 10 s. It never keeps a message for a later connection: the
/// sender decides again what to send then.
@LoopActor
package final class Engine {
  package struct Configuration: Sendable {
    package var servers: [String]
    /// The name of this connection, for the engine's operator.
    package var name: String
    package var credentials: Credentials?
    package var tlsAuthority: FilePath?
    package var tlsCertificate: FilePath?
    package var tlsKey: FilePath?
    /// The beginning of the subjects of answers. nil: `_INBOX_` and the user's name; without a user `_INBOX`.
    package var inboxPrefix: String?

    package init(
      servers: [String], name: String, credentials: Credentials? = nil, tlsAuthority: FilePath? = nil,
      tlsCertificate: FilePath? = nil, tlsKey: FilePath? = nil, inboxPrefix: String? = nil
    ) {
      self.servers = servers
      self.name = name
      self.credentials = credentials
      self.tlsAuthority = tlsAuthority
      self.tlsCertificate = tlsCertificate
      self.tlsKey = tlsKey
      self.inboxPrefix = inboxPrefix
    }
  }

  package enum Event: Sendable, Equatable {
    case connected
    case disconnected
    /// The engine refuses this client, for example its credentials. The client retries nevertheless.
    case refused(String)
  }

  package typealias Handler = @LoopActor (EngineMessage) -> Void

  /// Whether subjects of answers may begin with this word: one token of plain letters.
  package nonisolated static func isInboxPrefix(_ word: String) -> Bool { Namespace.isName(word) }

  private struct Question {
    var subject: String
    var timer: Int
    var continuation: CheckedContinuation<Result<EngineMessage, EngineError>, Never>
  }

  private let configuration: Configuration
  private var client: NATSClient?
  /// The number of the current client. Late events of an earlier client are ignored.
  private var clientNumber = 0
  package private(set) var isConnected = false
  private var backoff = Backoff.engine
  package private(set) var isClosed = false

  private let inbox: String
  private var nextNumber = 0
  private var questions: [String: Question] = [:]
  private var subscriptions: [Int: (subject: String, handler: Handler)] = [:]
  private var observers: [(number: Int, observer: @LoopActor (Event) -> Void)] = []
  private let memory = BurstMemory()

  /// The timeout of an answer. An election among the engine's servers takes longer; then the question is asked again.
  package nonisolated static let answerTime = Duration.seconds(5)

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    inbox = configuration.newInbox()
  }

  /// Calls `observer` for every event. Observers are called in the order in which they were added.
  ///
  /// - Returns: a number that removes the observer.
  @discardableResult
  package func observe(_ observer: @escaping @LoopActor (Event) -> Void) -> Int {
    nextNumber += 1
    observers.append((nextNumber, observer))
    return nextNumber
  }

  package func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

  // MARK: Connecting

  /// Connects once, for a command. Throws when every server refuses the client.
  package func connect() throws(EngineError) { try open(isPersistent: false) }

  /// Connects, and retries for ever.
  package func stayConnected() {
    do {
      try open(isPersistent: true)
    } catch {
      notify(.refused(error.description))
      tryLater()
    }
  }

  private func open(isPersistent: Bool) throws(EngineError) {
    clientNumber += 1
    let number = clientNumber
    let client = try NATSClient(configuration, isPersistent: isPersistent) { [weak self] event in
      LoopActor.perform { self?.receive(event, of: number) }
    }
    self.client = client
    isConnected = !isPersistent
    try client.subscribe("\(inbox).*", number: 0) { [weak self] message in
      LoopActor.perform { self?.answer(message) }
    }
    for number in subscriptions.keys { subscribe(number) }
  }

  private func tryLater() {
    Alarms.shared.set(after: backoff.next()) { [weak self] in
      guard let self, !isClosed else { return }
      stayConnected()
    }
  }

  package func close() {
    isClosed = true
    isConnected = false
    client?.close()
    client = nil
  }

  private func receive(_ event: NATSClient.Event, of number: Int) {
    guard number == clientNumber, !isClosed else { return }
    switch event {
    case .connected:
      isConnected = true
      backoff.reset()
      notify(.connected)
    case .disconnected: lose()
    case .closed(let reason):
      lose()
      client = nil
      notify(.refused(reason))
      tryLater()
    case .complaint(let text): refuse(text)
    }
  }

  private func lose() {
    guard isConnected else { return }
    isConnected = false
    for token in questions.keys { finish(token, .failure(.notConnected)) }
    notify(.disconnected)
  }

  private func notify(_ event: Event) { for (_, observer) in observers { observer(event) } }

  // MARK: Asking

  /// Sends a message and waits for its answer. The request itself may be lost, so a missing answer does not tell
  /// whether the engine carried it out.
  package func request(_ message: EngineMessage, within time: Duration = Engine.answerTime) async throws(EngineError)
    -> EngineMessage
  {
    guard isConnected else { throw .notConnected }
    nextNumber += 1
    let token = "\(inbox).\(String(nextNumber, radix: 36))"
    var question = message
    question.reply = token
    let result = await withCheckedContinuation { continuation in ask(question, token, time, continuation) }
    return try result.get()
  }

  private func ask(
    _ message: EngineMessage, _ token: String, _ time: Duration,
    _ continuation: CheckedContinuation<Result<EngineMessage, EngineError>, Never>
  ) {
    let timer = Alarms.shared.set(after: time) { [weak self] in self?.finish(token, .failure(.unanswered)) }
    // Before sending, because the answer may arrive at once.
    questions[token] = Question(subject: message.subject, timer: timer, continuation: continuation)
    do throws(EngineError) {
      guard let client else { throw .notConnected }
      memory.record(message.payload.count)
      try client.publish(message)
    } catch {
      finish(token, .failure(error))
    }
  }

  private func answer(_ message: EngineMessage) {
    memory.record(message.payload.count)
    finish(message.subject, message.status == 503 ? .failure(.noResponders) : .success(message))
  }

  private func finish(_ token: String, _ result: Result<EngineMessage, EngineError>) {
    guard let question = questions.removeValue(forKey: token) else { return }
    Alarms.shared.cancel(question.timer)
    question.continuation.resume(returning: result)
  }

  /// Fails the questions on a subject that the client may not publish to. They get no other answer.
  private func refuse(_ text: String) {
    guard text.lowercased().contains("permissions violation") else { return }
    for (token, question) in questions where text.contains("\"\(question.subject)\"") {
      finish(token, .failure(.notPermitted(text)))
    }
  }

  /// Sends a message without an answer. If it cannot be sent now, it is lost.
  package func send(_ message: EngineMessage) {
    guard isConnected else { return }
    try? client?.publish(message)
  }

  package var maxPayload: Int { client?.maxPayload ?? 0 }

  package var servers: [String] { client?.servers ?? [] }

  // MARK: Subscribing

  /// Calls `handler` for each message of the subject, across reconnections, until ``unsubscribe(_:)``.
  package func subscribe(_ subject: String, _ handler: @escaping Handler) -> Int {
    nextNumber += 1
    subscriptions[nextNumber] = (subject, handler)
    subscribe(nextNumber)
    return nextNumber
  }

  private func subscribe(_ number: Int) {
    guard let subject = subscriptions[number]?.subject else { return }
    try? client?.subscribe(subject, number: number) { [weak self] message in
      LoopActor.perform { self?.receive(message, of: number) }
    }
  }

  private func receive(_ message: EngineMessage, of number: Int) {
    memory.record(message.payload.count)
    subscriptions[number]?.handler(message)
  }

  package func unsubscribe(_ number: Int) {
    subscriptions[number] = nil
    client?.unsubscribe(number)
  }

  /// A subject that only this client receives.
  package func ownSubject() -> String { configuration.newInbox() }
}

extension Engine.Configuration {
  /// Whether every connection uses TLS: if one server requires it, all do.
  package var wantsTLS: Bool {
    tlsAuthority != nil || tlsCertificate != nil || servers.contains { ServerAddress($0).isTLS }
  }

  /// A subject that no other client uses.
  fileprivate func newInbox() -> String {
    let number = [0, 1].map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    return "\(inboxPrefix ?? Self.defaultPrefix(credentials)).\(number)"
  }

  /// By the engine's configuration each tenant may use only its own prefix.
  private static func defaultPrefix(_ credentials: Credentials?) -> String {
    guard case .password(let user, _)? = credentials, Engine.isInboxPrefix(user) else { return "_INBOX" }
    return "_INBOX_\(user)"
  }
}

extension Backoff {
  /// For calls of the engine: 0.1 s to 10 s, so that the clients of a lost engine do not all come back at once.
  package static var engine: Backoff { Backoff(from: .milliseconds(100), to: .seconds(10), isSpread: true) }
}

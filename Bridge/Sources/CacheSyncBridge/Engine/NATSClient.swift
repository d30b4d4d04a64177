import CNats
import CacheSyncSystem
import Glibc
import Synchronization
import SystemPackage

/// One connection to the engine. This is the only file that uses the C library of NATS.
///
/// The library calls back on its own threads. Each callback turns its arguments into values and passes them on.
final class NATSClient: @unchecked Sendable {
  enum Event: Sendable {
    case connected
    case disconnected
    /// The library has given up, for example after the engine refused the credentials twice. This client cannot be used
    /// again.
    case closed(String)
    /// The engine reported an error of its own, such as `Permissions Violation for Publish to "x"`.
    case complaint(String)
  }

  private final class Events: Sendable {
    let receive: @Sendable (Event) -> Void

    init(_ receive: @escaping @Sendable (Event) -> Void) { self.receive = receive }
  }

  private final class Receiver: Sendable {
    let receive: @Sendable (EngineMessage) -> Void

    init(_ receive: @escaping @Sendable (EngineMessage) -> Void) { self.receive = receive }
  }

  private let connection: OpaquePointer
  /// The library's subscriptions by our numbers.
  private let subscriptions = Mutex<[Int: UInt]>([:])
  /// Subscriptions that have ended, and when, oldest first.
  ///
  /// The library's reading thread may still use one for a message that came before its end, and does not prevent it
  /// from being freed (nats.c, issue 637, fixed in 3.6). Debian 12 has 3.4.1; there a pool's member aborted in the
  /// checker. So a subscription is freed only when another one ends ``longestHandling`` later.
  private let ended = Mutex<[(subscription: UInt, time: Int64)]>([])
  /// How long the reading thread may use a subscription after its end, in nanoseconds. It needs microseconds; 30 s
  /// leave room on a busy machine, and an ended subscription stays in memory meanwhile.
  private static let longestHandling: Int64 = 30_000_000_000

  /// Keeps an object as long as the process lives. The library may call the handlers of connections and subscriptions
  /// at any time until it has closed them. This costs some bytes for each connection that the library gave up.
  private static func kept(_ object: some AnyObject) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
  }

  /// One thread delivers all messages, so they arrive in the order in which the engine sent them on this connection.
  private static let library: natsStatus = {
    let status = nats_Open(-1)
    return status == NATS_OK ? nats_SetMessageDeliveryPoolSize(1) : status
  }()

  /// A host that died or is cut off does not close its connection. It is detected when a ping was not answered before
  /// the next one, after 10 to 20 s. Only pings and a consumer's heartbeats wake an idle bridge.
  private static let pingInterval: Int64 = 10_000
  private static let unansweredPings: Int32 = 1
  private static let connectTimeout: Int64 = 2_000
  /// How long a full socket may block the caller, in milliseconds.
  private static let writeDeadline: Int64 = 5_000

  // MARK: Connecting

  /// Connects. Blocks for at most 2 s a server.
  ///
  /// - Parameter isPersistent: whether to retry for ever, from the first attempt on.
  init(
    _ configuration: Engine.Configuration, isPersistent: Bool, _ receive: @escaping @Sendable (Event) -> Void
  ) throws(EngineError) {
    guard Self.library == NATS_OK else { throw .cannotConnect("cannot start the client of NATS: \(Self.lastError)") }
    var options: OpaquePointer?
    try Self.check(natsOptions_Create(&options))
    defer { natsOptions_Destroy(options) }
    try Self.set(options, configuration)
    let events = Self.kept(Events(receive))
    try Self.handle(options, events, isPersistent: isPersistent)
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, options)
    guard let connection, status == NATS_OK || status == NATS_NOT_YET_CONNECTED else {
      throw .cannotConnect(Self.text(status))
    }
    self.connection = connection
    if status == NATS_OK { receive(.connected) }
  }

  deinit {
    // After this call the library's threads have stopped reading.
    natsConnection_Close(connection)
    for pointer in subscriptions.withLock({ Array($0.values) }) + ended.withLock({ $0.map(\.subscription) }) {
      natsSubscription_Destroy(OpaquePointer(bitPattern: pointer))
    }
    natsConnection_Destroy(connection)
  }

  private static func set(_ options: OpaquePointer?, _ configuration: Engine.Configuration) throws(EngineError) {
    let servers = configuration.servers.map { strdup($0) }
    defer { for server in servers { free(server) } }
    var pointers = servers.map { UnsafePointer<CChar>($0) }
    try check(natsOptions_SetServers(options, &pointers, Int32(pointers.count)))
    try check(natsOptions_SetName(options, configuration.name))
    try check(natsOptions_SetTimeout(options, connectTimeout))
    try check(natsOptions_SetPingInterval(options, pingInterval))
    try check(natsOptions_SetMaxPingsOut(options, unansweredPings))
    try check(natsOptions_SetWriteDeadline(options, writeDeadline))
    try check(natsOptions_UseGlobalMessageDelivery(options, true))
    try check(natsOptions_SetSendAsap(options, true))
    try check(natsOptions_SetMaxReconnect(options, -1))
    switch configuration.credentials {
    case nil: break
    case .file(let path):
      try check(path.withPlatformString { natsOptions_SetUserCredentialsFromFiles(options, $0, nil) })
    case .seed(let path, let publicKey):
      try check(path.withPlatformString { natsOptions_SetNKeyFromSeed(options, publicKey, $0) })
    case .password(let user, let password): try check(natsOptions_SetUserInfo(options, user, password))
    }
    // The library looks only at this option. Without it, it sends the password to a server without TLS, whatever the
    // URL says.
    if configuration.wantsTLS { try check(natsOptions_SetSecure(options, true)) }
    if let authority = configuration.tlsAuthority {
      try check(
        authority.withPlatformString { natsOptions_LoadCATrustedCertificates(options, $0) },
        "cannot read \(EscapedText.forPeople(authority))")
    }
    if let certificate = configuration.tlsCertificate, let key = configuration.tlsKey {
      try check(
        certificate.withPlatformString { certificate in
          key.withPlatformString { natsOptions_LoadCertificatesChain(options, certificate, $0) }
        }, "cannot read \(EscapedText.forPeople(certificate)) or \(EscapedText.forPeople(key))")
    }
  }

  private static func handle(_ options: OpaquePointer?, _ events: UnsafeMutableRawPointer, isPersistent: Bool)
    throws(EngineError)
  {
    try check(
      natsOptions_SetDisconnectedCB(options, { _, events in NATSClient.notify(events, .disconnected) }, events))
    try check(natsOptions_SetReconnectedCB(options, { _, events in NATSClient.notify(events, .connected) }, events))
    try check(
      natsOptions_SetClosedCB(
        options, { connection, events in NATSClient.notify(events, .closed(NATSClient.text(of: connection))) }, events))
    try check(
      natsOptions_SetErrorHandler(
        options,
        { connection, _, _, events in NATSClient.notify(events, .complaint(NATSClient.text(of: connection))) }, events))
    try check(
      natsOptions_SetCustomReconnectDelay(
        options,
        { _, attempts, _ in Int64(Backoff.engine.pause(after: Int(attempts)) / .milliseconds(1)) }, nil))
    if isPersistent {
      try check(
        natsOptions_SetRetryOnFailedConnect(
          options, true, { _, events in NATSClient.notify(events, .connected) }, events))
    }
  }

  private static func notify(_ events: UnsafeMutableRawPointer?, _ event: Event) {
    guard let events else { return }
    Unmanaged<Events>.fromOpaque(events).takeUnretainedValue().receive(event)
  }

  // MARK: What can be asked

  var maxPayload: Int { Int(natsConnection_GetMaxPayload(connection)) }

  /// The configured servers, and those that they announced.
  var servers: [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var count: Int32 = 0
    guard natsConnection_GetServers(connection, &list, &count) == NATS_OK, let list else { return [] }
    defer {
      for index in 0..<Int(count) { free(list[index]) }
      free(list)
    }
    return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
  }

  func close() { natsConnection_Close(connection) }

  // MARK: Messages

  func publish(_ message: EngineMessage) throws(EngineError) {
    var raw: OpaquePointer?
    let status = message.payload.withUnsafeBytes { bytes in
      natsMsg_Create(
        &raw, message.subject, message.reply.isEmpty ? nil : message.reply,
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    try Self.check(status)
    defer { natsMsg_Destroy(raw) }
    for (key, value) in message.headers { try Self.check(natsMsgHeader_Set(raw, key, value)) }
    switch natsConnection_PublishMsg(connection, raw) {
    case NATS_OK: return
    case NATS_MAX_PAYLOAD: throw .tooLarge(limit: maxPayload)
    default: throw .notConnected
    }
  }

  /// Subscribes. After a disconnection the library subscribes again.
  func subscribe(_ subject: String, number: Int, _ receive: @escaping @Sendable (EngineMessage) -> Void)
    throws(EngineError)
  {
    let receiver = Self.kept(Receiver(receive))
    var subscription: OpaquePointer?
    let status = natsConnection_Subscribe(
      &subscription, connection, subject,
      { _, _, message, receiver in
        guard let message, let receiver else { return }
        let value = NATSClient.value(message)
        natsMsg_Destroy(message)
        Unmanaged<Receiver>.fromOpaque(receiver).takeUnretainedValue().receive(value)
      }, receiver)
    guard status == NATS_OK, let subscription else {
      Unmanaged<Receiver>.fromOpaque(receiver).release()
      throw .notConnected
    }
    // Called when none of its messages is being delivered, and none will be.
    natsSubscription_SetOnCompleteCB(
      subscription, { receiver in if let receiver { Unmanaged<Receiver>.fromOpaque(receiver).release() } }, receiver)
    // The handler only passes messages on. The consumer's flow control limits their number.
    natsSubscription_SetPendingLimits(subscription, -1, -1)
    subscriptions.withLock { $0[number] = UInt(bitPattern: subscription) }
  }

  func unsubscribe(_ number: Int) {
    guard let pointer = subscriptions.withLock({ $0.removeValue(forKey: number) }) else { return }
    natsSubscription_Unsubscribe(OpaquePointer(bitPattern: pointer))
    let now = Uptime.now().nanoseconds
    let old = ended.withLock { ended in
      ended.append((pointer, now))
      let old = ended.prefix { now - $0.time >= Self.longestHandling }
      ended.removeFirst(old.count)
      return old
    }
    for (subscription, _) in old { natsSubscription_Destroy(OpaquePointer(bitPattern: subscription)) }
  }

  private static func value(_ message: OpaquePointer) -> EngineMessage {
    var value = EngineMessage(subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "")
    value.reply = natsMsg_GetReply(message).map { String(cString: $0) } ?? ""
    if let data = natsMsg_GetData(message) {
      value.payload = Array(UnsafeRawBufferPointer(start: data, count: Int(natsMsg_GetDataLength(message))))
    }
    var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var count: Int32 = 0
    guard natsMsgHeader_Keys(message, &keys, &count) == NATS_OK, let keys else { return value }
    defer { free(keys) }
    for index in 0..<Int(count) {
      if let key = keys[index], let text = lastValue(of: key, message) { value.headers[String(cString: key)] = text }
    }
    return value
  }

  /// The last value of a header. The server adds its own headers after those of the producer, so its value wins.
  private static func lastValue(of key: UnsafePointer<CChar>, _ message: OpaquePointer) -> String? {
    var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var count: Int32 = 0
    guard natsMsgHeader_Values(message, key, &values, &count) == NATS_OK, let values else { return nil }
    defer { free(values) }
    return count > 0 ? values[Int(count) - 1].map { String(cString: $0) } : nil
  }

  // MARK: Errors

  private static func check(_ status: natsStatus, _ what: String? = nil) throws(EngineError) {
    guard status != NATS_OK else { return }
    throw .cannotConnect(what.map { "\($0): \(text(status))" } ?? text(status))
  }

  private static func text(_ status: natsStatus) -> String {
    let detail = lastError
    let name = natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    return detail.isEmpty || detail == name ? name : "\(name): \(detail)"
  }

  private static var lastError: String {
    var status = NATS_OK
    return nats_GetLastError(&status).map { String(cString: $0) } ?? ""
  }

  private static func text(of connection: OpaquePointer?) -> String {
    var text: UnsafePointer<CChar>?
    guard natsConnection_GetLastError(connection, &text) != NATS_OK, let text else {
      return text.map { String(cString: $0) } ?? ""
    }
    return String(cString: text)
  }
}

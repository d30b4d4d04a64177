import CLinux
import Glibc

/// The socket in a cache on which the commands beside the agent ask it: one request a connection, one line each way.
///
/// It lies in the agent's own directory, which nobody else may enter. Where the disk gives none, the kernel's abstract names
/// stand in, so that `status` works on a disk that is full or read-only from the start.
@AgentActor
final class ControlServer {
  private var listener: Listener?
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private weak var cache: ServedCache?

  private final class Listener {
    let descriptor: Descriptor
    var token: UInt64?

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  init?(root: CacheRoot, state: StateDirectory?, cache: ServedCache) {
    self.cache = cache
    var result: Int32 = -1
    if let state {
      // A socket that a dead agent left is in the way; the lock says that it is dead.
      unlinkat(state.raw, CacheLayout.socket, 0)
      result = clinux_listen(state.raw, CacheLayout.socket)
    }
    if result < 0 { result = ControlAddress.withAbstractName(of: root) { clinux_listen_abstract($0, $1) } }
    guard let descriptor = Descriptor(result) else { return nil }
    let raw = descriptor.raw
    let listener = Listener(descriptor)
    listener.token = AgentActor.shared.loop.add(raw) { [weak self] in self?.accept() }
    self.listener = listener
  }

  func stop() {
    for connection in connections.values { connection.close() }
    connections = [:]
    if let listener, let token = listener.token { AgentActor.shared.loop.remove(listener.descriptor.raw, token: token) }
    listener = nil
  }

  private func accept() {
    guard let listener, let descriptor = Descriptor(clinux_accept(listener.descriptor.raw)) else { return }
    var pid: Int32 = 0
    var uid: UInt32 = 0
    // An abstract name is open to everybody; the agent's business is its owner's and root's.
    guard clinux_peer(descriptor.raw, &pid, &uid) == 0, uid == geteuid() || uid == 0 else { return }
    let connection = ControlConnection(descriptor) { [weak self] connection, request in
      self?.answer(request, on: connection)
    }
    connection.ended = { [weak self] in self?.connections[ObjectIdentifier($0)] = nil }
    connections[ObjectIdentifier(connection)] = connection
  }

  private func answer(_ request: String, on connection: ControlConnection) {
    guard let cache else { return connection.close() }
    switch ControlRequest(rawValue: request) {
    case .status: connection.send(cache.status())
    case .wait: cache.wait(sweeping: false) { connection.send($0) }
    case .sweep: cache.wait(sweeping: true) { connection.send($0) }
    case .sync: cache.wait(sweeping: true, hearingOfFailure: true) { connection.send($0) }
    case nil: connection.close()
    }
  }
}

/// What can be asked of an agent.
enum ControlRequest: String, Sendable {
  case status, wait, sweep
  /// As `sweep`, but what keeps the agent from publishing is an answer too.
  case sync
}

enum ControlAddress {
  /// The abstract socket name (unix(7)) of a cache directory.
  static func withAbstractName<Result>(of root: CacheRoot, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    let name = "cachesync:\(root.identity.device):\(root.identity.inode)"
    return name.withCString { body($0, name.utf8.count) }
  }
}

/// One connection: reads a line, then writes an answer, neither of which may keep the agent from its work.
@AgentActor
final class ControlConnection {
  private let descriptor: Descriptor
  private var token: UInt64?
  private var received: [UInt8] = []
  private var unsent: ArraySlice<UInt8> = []
  private let request: @AgentActor (ControlConnection, String) -> Void
  var ended: @AgentActor (ControlConnection) -> Void = { _ in }

  private static let longestRequest = 64

  init(_ descriptor: consuming Descriptor, request: @escaping @AgentActor (ControlConnection, String) -> Void) {
    let raw = descriptor.raw
    self.descriptor = descriptor
    self.request = request
    token = AgentActor.shared.loop.add(raw) { [weak self] in self?.receive() }
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: Self.longestRequest)
    let count = read(descriptor.raw, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0, received.count + count <= Self.longestRequest else { return close() }
    received += bytes[..<count]
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return }
    let line = String(decoding: received[..<end], as: UTF8.self)
    received = []
    request(self, line)
  }

  /// Sends the one answer and ends the connection when it is through.
  func send(_ answer: [UInt8]) {
    guard let token else { return }
    unsent = ArraySlice(answer + [UInt8(ascii: "\n")])
    AgentActor.shared.loop.change(descriptor.raw, token: token, to: .writable)
    AgentActor.shared.loop.replace(token) { [weak self] in self?.flush() }
    flush()
  }

  private func flush() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 {
        if errno == EAGAIN { return }
        if errno == EINTR { continue }
        break
      }
      unsent = unsent.dropFirst(count)
    }
    close()
  }

  func close() {
    guard let token else { return }
    AgentActor.shared.loop.remove(descriptor.raw, token: token)
    self.token = nil
    shutdown(descriptor.raw, Int32(SHUT_RDWR))
    ended(self)
  }
}

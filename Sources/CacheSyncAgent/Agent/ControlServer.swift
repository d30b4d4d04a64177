import CacheSync
import CLinux
import Glibc

/// The socket in a cache on which the commands beside the agent ask it, as it is opened on the thread of the cache's disk.
///
/// It lies in the agent's own directory, which no other user may enter. Where the disk gives none, the kernel's abstract names
/// stand in, so that `status` works on a disk that is full or read-only from the start.
struct ControlSocket: ~Copyable, Sendable {
  let descriptor: Descriptor

  init?(root: CacheRoot, state: StateDirectory?) {
    var result: Int32 = -1
    if let state {
      // A socket that a dead agent left is in the way; the lock says that it is dead.
      unlinkat(state.raw, CacheLayout.socket, 0)
      result = clinux_listen(state.raw, CacheLayout.socket)
    }
    if result < 0 { result = ControlAddress.withAbstractName(of: root) { clinux_listen_abstract($0, $1) } }
    guard let descriptor = Descriptor(result) else { return nil }
    self.descriptor = descriptor
  }
}

/// Hears a cache's socket: one request a connection, one line each way.
@AgentActor
final class ControlServer {
  private var socket: Descriptor?
  private var token: UInt64?
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private let answer: @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void

  /// How long no client is let in after the descriptors ran out: the kernel would tell of it again and again.
  private static let pause = Duration.seconds(1)

  /// Begins to hear, from any thread.
  nonisolated static func begin(
    at socket: consuming ControlSocket,
    answer: @escaping @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) -> ControlServer {
    let server = ControlServer(socket.descriptor, answer)
    AgentActor.perform { server.listen() }
    return server
  }

  private nonisolated init(
    _ socket: consuming Descriptor,
    _ answer: @escaping @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) {
    self.socket = consume socket
    self.answer = answer
  }

  private func listen() {
    guard let raw = socket?.raw, token == nil else { return }
    token = AgentActor.shared.loop.add(raw) { [weak self] in self?.accept() }
    if token == nil { Alarms.shared.set(after: Self.pause) { [weak self] in self?.listen() } }
  }

  private func pause() {
    guard let raw = socket?.raw, let token else { return }
    AgentActor.shared.loop.remove(raw, token: token)
    self.token = nil
    Alarms.shared.set(after: Self.pause) { [weak self] in self?.listen() }
  }

  func stop() {
    for connection in connections.values { connection.close() }
    connections = [:]
    if let raw = socket?.raw, let token { AgentActor.shared.loop.remove(raw, token: token) }
    token = nil
    socket = nil
  }

  private func accept() {
    guard let raw = socket?.raw else { return }
    guard let descriptor = Descriptor(clinux_accept(raw)) else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { pause() }
      return
    }
    var pid: Int32 = 0
    var uid: UInt32 = 0
    // An abstract name is open to every user; the agent's business is its owner's and root's.
    guard clinux_peer(descriptor.raw, &pid, &uid) == 0, uid == geteuid() || uid == 0 else { return }
    let connection = ControlConnection(descriptor, request: answer)
    connection.onEnd { [weak self, weak connection] in
      if let connection { self?.connections[ObjectIdentifier(connection)] = nil }
    }
    connections[ObjectIdentifier(connection)] = connection
  }
}

/// What can be asked of an agent.
package enum ControlRequest: String, Sendable {
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
package final class ControlConnection {
  /// Nil once it is closed: what still knows the connection then holds no descriptor.
  private var descriptor: Descriptor?
  private var token: UInt64?
  private var received: [UInt8] = []
  private var unsent: ArraySlice<UInt8> = []
  private let request: @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  private var ends: [@AgentActor () -> Void] = []

  private static let longestRequest = 64

  init(
    _ descriptor: consuming Descriptor,
    request: @escaping @AgentActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) {
    let raw = descriptor.raw
    self.descriptor = consume descriptor
    self.request = request
    token = AgentActor.shared.loop.add(raw) { [weak self] in self?.receive() }
  }

  /// Does something when the connection ends, answered or not; at once when it has.
  func onEnd(_ action: @escaping @AgentActor () -> Void) {
    if descriptor == nil { action() } else { ends.append(action) }
  }

  var isOpen: Bool { descriptor != nil }

  private func receive() {
    guard let raw = descriptor?.raw else { return }
    var bytes = [UInt8](repeating: 0, count: Self.longestRequest)
    let count = read(raw, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0, received.count + count <= Self.longestRequest else { return close() }
    received += bytes[..<count]
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return }
    let line = String(decoding: received[..<end], as: UTF8.self)
    received = []
    guard let kind = ControlRequest(rawValue: line) else { return close() }
    request(kind, self)
  }

  /// Sends the one answer and ends the connection when it is through. A second answer is not sent.
  func send(_ answer: [UInt8]) {
    guard let raw = descriptor?.raw, let token, unsent.isEmpty else { return }
    unsent = ArraySlice(answer + [UInt8(ascii: "\n")])
    AgentActor.shared.loop.change(raw, token: token, to: .writable)
    AgentActor.shared.loop.replace(token) { [weak self] in self?.flush() }
    flush()
  }

  private func flush() {
    while let raw = descriptor?.raw, !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
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
    guard let raw = descriptor?.raw else { return }
    if let token { AgentActor.shared.loop.remove(raw, token: token) }
    token = nil
    shutdown(raw, Int32(SHUT_RDWR))
    descriptor = nil
    let ends = ends
    self.ends = []
    for end in ends { end() }
  }
}

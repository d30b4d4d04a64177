import CacheSync
import CacheSyncPublishing
import CLinux
package import CacheSyncSystem
import Glibc

/// The listening socket of a cache, to which the commands connect. The thread of the cache's disk opens it.
///
/// It is in the agent's own directory, which no other user may enter. If the file system cannot hold a socket, the
/// agent uses one of the kernel's abstract names. So `status` also works on a disk that is full or read-only from the
/// start.
struct ControlSocket: ~Copyable, Sendable {
  let descriptor: Descriptor

  init?(root: CacheRoot, state: StateDirectory?) {
    var result: Int32 = -1
    if let state {
      // Removes the socket of a killed agent. That agent is dead, because this process holds its lock.
      unlinkat(state.raw, CacheLayout.socket, 0)
      result = clinux_listen(state.raw, CacheLayout.socket)
    }
    if result < 0 { result = ControlAddress.withAbstractName(of: root) { clinux_listen_abstract($0, $1) } }
    guard let descriptor = Descriptor(result) else { return nil }
    self.descriptor = descriptor
  }
}

/// Accepts the connections to a cache's socket: one request each, one line each way.
@LoopActor
final class ControlServer {
  private var socket: Descriptor?
  private var token: UInt64?
  private var connections: [ObjectIdentifier: ControlConnection] = [:]
  private let answer: @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void

  /// How long the server accepts no client after the descriptors ran out. Without a pause the kernel would report the
  /// waiting client again and again.
  private static let pause = Duration.seconds(1)

  /// Creates a server that listens at once. Callable from any thread.
  nonisolated static func begin(
    at socket: consuming ControlSocket,
    answer: @escaping @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) -> ControlServer {
    let server = ControlServer(socket.descriptor, answer)
    LoopActor.perform { server.listen() }
    return server
  }

  private nonisolated init(
    _ socket: consuming Descriptor,
    _ answer: @escaping @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) {
    self.socket = consume socket
    self.answer = answer
  }

  private func listen() {
    guard let raw = socket?.raw, token == nil else { return }
    token = LoopActor.shared.loop.add(raw) { [weak self] in self?.accept() }
    if token == nil { Alarms.shared.set(after: Self.pause) { [weak self] in self?.listen() } }
  }

  private func pause() {
    guard let raw = socket?.raw, let token else { return }
    LoopActor.shared.loop.remove(raw, token: token)
    self.token = nil
    Alarms.shared.set(after: Self.pause) { [weak self] in self?.listen() }
  }

  func stop() {
    for connection in connections.values { connection.close() }
    connections = [:]
    if let raw = socket?.raw, let token { LoopActor.shared.loop.remove(raw, token: token) }
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
    // Every user may connect to an abstract name; the server answers only the agent's owner and root.
    guard clinux_peer(descriptor.raw, &pid, &uid) == 0, uid == geteuid() || uid == 0 else { return }
    let connection = ControlConnection(descriptor, request: answer)
    connection.onEnd { [weak self, weak connection] in
      if let connection { self?.connections[ObjectIdentifier(connection)] = nil }
    }
    connections[ObjectIdentifier(connection)] = connection
  }
}

package enum ControlRequest: String, Sendable {
  case status, wait, sweep
  /// Like `sweep`, but the agent also answers when publishing fails, with the reason.
  case sync
}

enum ControlAddress {
  /// The abstract socket name (unix(7)) of a cache directory.
  static func withAbstractName<Result>(of root: CacheRoot, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    let name = "cachesync:\(root.identity.device):\(root.identity.inode)"
    return name.withCString { body($0, name.utf8.count) }
  }
}

/// One connection: reads a line, then writes an answer. Neither blocks the agent's thread.
@LoopActor
package final class ControlConnection {
  /// Nil once the connection is closed, so that a remaining reference keeps no descriptor open.
  private var descriptor: Descriptor?
  private var token: UInt64?
  private var received: [UInt8] = []
  private var unsent: ArraySlice<UInt8> = []
  private let request: @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  private var ends: [@LoopActor () -> Void] = []

  private static let longestRequest = 64

  init(
    _ descriptor: consuming Descriptor,
    request: @escaping @LoopActor @Sendable (ControlRequest, ControlConnection) -> Void
  ) {
    let raw = descriptor.raw
    self.descriptor = consume descriptor
    self.request = request
    token = LoopActor.shared.loop.add(raw) { [weak self] in self?.receive() }
  }

  /// Runs a closure when the connection ends, answered or not; at once if it has already ended.
  func onEnd(_ action: @escaping @LoopActor () -> Void) {
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

  /// Sends the answer and closes the connection after its last byte. A second answer is ignored.
  func send(_ answer: [UInt8]) {
    guard let raw = descriptor?.raw, let token, unsent.isEmpty else { return }
    unsent = ArraySlice(answer + [UInt8(ascii: "\n")])
    LoopActor.shared.loop.change(raw, token: token, to: .writable)
    LoopActor.shared.loop.replace(token) { [weak self] in self?.flush() }
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
    if let token { LoopActor.shared.loop.remove(raw, token: token) }
    token = nil
    shutdown(raw, Int32(SHUT_RDWR))
    descriptor = nil
    let ends = ends
    self.ends = []
    for end in ends { end() }
  }
}

package import CacheSync
import CacheSyncPublishing
import CLinux
import CacheSyncSystem
import Glibc

/// A connection from a command to the agent that holds a cache.
package struct ControlClient: ~Copyable {
  private let socket: Descriptor
  /// The agent's process, as the kernel reports it.
  package let pid: Int
  /// The user of that process.
  package let user: UInt32

  /// Connects to the agent of a cache; nil when no agent holds it.
  package init?(root: CacheRoot) {
    var result: Int32 = -1
    if let state = StateDirectory.openToAsk(root: root) {
      result = clinux_connect(state.raw, CacheLayout.socket)
    }
    if result < 0 { result = ControlAddress.withAbstractName(of: root) { clinux_connect_abstract($0, $1) } }
    guard let socket = Descriptor(result) else { return nil }
    var pid: Int32 = 0
    var uid: UInt32 = 0
    // Any user may bind an abstract name, so the command accepts only an agent of this user, of root, or of the cache's
    // owner.
    guard clinux_peer(socket.raw, &pid, &uid) == 0, uid == geteuid() || uid == 0 || uid == Directory.owner(of: root.raw)
    else { return nil }
    self.socket = socket
    self.pid = Int(pid)
    user = uid
  }

  /// Whether the agent answers this process: it answers its own user and root.
  package var answers: Bool { user == geteuid() || geteuid() == 0 }

  package enum Answer: Sendable {
    case line([UInt8])
    case timedOut
    /// The agent ended without answering.
    case closed
  }

  /// Sends one request and waits for its answer.
  ///
  /// - Parameter timeout: how long to wait; nil waits without a limit.
  package func ask(_ request: String, timeout: Duration?) -> Answer {
    let deadline = timeout.map { Uptime.now().advanced(by: $0) }
    let line = Array("\(request)\n".utf8)
    guard send(socket.raw, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return .closed }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let milliseconds = deadline.map { Int32(clamping: Uptime.now().milliseconds(until: $0)) } ?? -1
      var waiting = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, milliseconds)
      if ready == 0 { return .timedOut }
      if ready < 0 {
        if errno == EINTR { continue }
        return .closed
      }
      let count = recv(socket.raw, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .closed }
      received += buffer[..<count]
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) { return .line(Array(received[..<end])) }
    }
  }
}

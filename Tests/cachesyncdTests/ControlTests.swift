import CacheSync
import Foundation
import Glibc
import Testing

/// What the agent does with clients that send nonsense or nothing.
@Suite struct ControlTests {
  /// Connects to an agent's socket; nil when no agent listens.
  private func connect(_ cache: CommandCache) throws -> Int32? {
    let path = cache.file(".cachesync/socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return socket }
    close(socket)
    return nil
  }

  /// Sends bytes and returns what comes until the agent closes; nil when it does not within a minute.
  private func answer(_ bytes: [UInt8], _ cache: CommandCache) throws -> [UInt8]? {
    let socket = try #require(try connect(cache))
    defer { close(socket) }
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) == 1 else { return nil }
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { return received }
      received += buffer[..<count]
    }
  }

  @Test("Requests that are too long, unknown or no text are ended without an answer, and the agent goes on")
  func nonsense() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let agent = try cache.agent()
    let requests: [[UInt8]] = [
      [UInt8](repeating: UInt8(ascii: "s"), count: 65), [UInt8](repeating: 0, count: 4096),
      Array("status".utf8).map { $0 ^ 0x80 } + [0x0A], Array("nonsense\n".utf8), Array("\n".utf8),
      Array("STATUS\n".utf8),
    ]
    for request in requests { #expect(try answer(request, cache) == [], "\(request.prefix(10))") }
    let status = try #require(try answer(Array("status\n".utf8), cache))
    #expect(try json(String(decoding: status, as: UTF8.self))["alive"] == .bool(true))
    #expect(try cache.status()["hearing"] == .bool(true) && agent.exitStatus() == nil)
  }

  @Test("200 clients that connect and send nothing keep no other client from being answered")
  func silent() throws {
    let cache = try CommandCache(["meal-plan/a.json": Sessions.plan()])
    let agent = try cache.agent()
    var silent: [Int32] = []
    defer { for socket in silent { close(socket) } }
    for _ in 0..<200 { if let socket = try connect(cache) { silent.append(socket) } }
    #expect(silent.count == 200)
    try cache.write("meal-plan/a.json", Sessions.plan("Stew"))
    try cache.caughtUp()
    #expect(try cache.text("snapshots/meal-plan.json").contains("Stew"))
    withExtendedLifetime(agent) {}
  }
}

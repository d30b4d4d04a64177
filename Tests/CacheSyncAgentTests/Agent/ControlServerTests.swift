import CacheSync
import CacheSyncSystem
import Foundation
import Glibc
import SystemPackage
import Testing
import TestSupport

@testable import CacheSyncAgent
@testable import CacheSyncPublishing

/// How a cache's socket treats its clients, including those that send invalid requests or nothing.
@Suite("The socket of a cache")
struct ControlServerTests {
  private let cache: TemporaryCache
  private let root: CacheRoot
  private let asked = Journal()

  init() throws {
    cache = try TemporaryCache()
    root = try CacheRoot(resolved: try CacheRoot.resolve(cache.path))
  }

  /// Runs a server that answers each request with its own text in capitals.
  private func serve(with state: StateDirectory?, _ body: () async throws -> Void) async throws {
    guard let socket = ControlSocket(root: root, state: state) else { throw Errno(rawValue: errno) }
    let server = ControlServer.begin(at: socket) { [asked] request, connection in
      asked.add(request.rawValue)
      connection.send(Array(request.rawValue.uppercased().utf8))
    }
    try await body()
    await server.stop()
  }

  private func state() throws -> StateDirectory { try StateDirectory(root: root) }

  private func line(_ answer: ControlClient.Answer?) -> String? {
    if case .line(let bytes) = answer { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// Sends a request on a thread that may block.
  private func ask(_ request: String) async -> ControlClient.Answer? {
    await withCheckedContinuation { answered in
      Thread.detachNewThread { [root] in
        answered.resume(returning: ControlClient(root: root)?.ask(request, timeout: .seconds(60)))
      }
    }
  }

  @Test("Each request gets a line as its answer", arguments: [true, false])
  func answers(hasState: Bool) async throws {
    // Without the agent's own directory, the socket has an abstract name.
    let state = hasState ? try state() : nil
    try await serve(with: state) {
      for request in ["status", "wait", "sweep", "sync"] { #expect(line(await ask(request)) == request.uppercased()) }
    }
    #expect(asked.lines == ["status", "wait", "sweep", "sync"])
    if ControlClient(root: root) != nil { Issue.record("a server that has stopped is still there") }
  }

  @Test(
    "A request that is too long, unknown or not text is closed without an answer, and the server goes on",
    arguments: [
      [UInt8](repeating: UInt8(ascii: "s"), count: 65), [UInt8](repeating: 0, count: 4096),
      Array("status\n".utf8).map { $0 ^ 0x80 } + [0x0A], Array("nonsense\n".utf8), Array("\n".utf8),
      Array("STATUS\n".utf8),
    ])
  func nonsense(request: [UInt8]) async throws {
    try await serve(with: try state()) {
      let client = try connect()
      defer { close(client) }
      _ = send(client, request, request.count, Int32(MSG_NOSIGNAL))
      var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 60_000) == 1, "it is ended")
      var byte: UInt8 = 0
      #expect(recv(client, &byte, 1, 0) <= 0)
      #expect(line(await ask("status")) == "STATUS")
    }
    #expect(asked.lines == ["status"])
  }

  @Test("A client is answered while 200 others are connected and send nothing")
  func silent() async throws {
    try await serve(with: try state()) {
      var silent: [Int32] = []
      defer { for client in silent { close(client) } }
      for _ in 0..<200 { silent.append(try connect()) }
      #expect(line(await ask("status")) == "STATUS")
    }
  }

  @Test("The server reports a client that disconnects before it is answered")
  func clientGoesAway() async throws {
    let state = try state()
    guard let socket = ControlSocket(root: root, state: state) else { throw Errno(rawValue: errno) }
    let (events, event) = AsyncStream.makeStream(of: String.self)
    let server = ControlServer.begin(at: socket) { _, connection in
      connection.onEnd { event.yield("ended") }
      event.yield("asked")
    }
    let client = try connect()
    _ = send(client, "wait\n", 5, Int32(MSG_NOSIGNAL))
    var received = events.makeAsyncIterator()
    #expect(await received.next() == "asked")
    close(client)
    #expect(await received.next() == "ended")
    await server.stop()
  }

  private func connect() throws -> Int32 {
    let path = cache.file(".cachesync/socket").path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return client
  }
}

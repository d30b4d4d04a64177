import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Serves the page of one cache until SIGTERM or SIGINT.
package struct PageServer: Sendable {
  private let page: LivePage
  private let pictures: PictureQueue
  private let address: ListenAddress
  private let access: Access
  private let panels: Panels?
  private let logger: Logger

  /// - Parameter panels: what e-ink panels ask; nil: it answers none.
  package init(
    page: LivePage, pictures: PictureQueue, address: ListenAddress, access: Access, panels: Panels?,
    logger: Logger
  ) {
    self.page = page
    self.pictures = pictures
    self.address = address
    self.access = access
    self.panels = panels
    self.logger = logger
  }

  /// More are refused with words, and many more wait.
  private static let maximumConnections = 128
  private static let maximumHeaderBytes = 8_192
  /// The timeout for a request's head, and for an idle connection.
  private static let idleTimeout = TimeAmount.seconds(10)

  /// How long answers in progress may continue after SIGTERM. A client may have stopped reading.
  private static let longestEnd = Duration.seconds(5)

  /// - Parameter onStart: receives the address, with the port that the system chose instead of 0.
  /// - Throws: ``ListenError``.
  package func run(onStart: @escaping @Sendable (ListenAddress) -> Void) async throws {
    let socket: SocketFile?
    let bindAddress: BindAddress
    switch address {
    case .unix(let path):
      let file = try SocketFile(path)
      (socket, bindAddress) = (file, file.bindAddress)
    case .tcp(let host, let port): (socket, bindAddress) = (nil, .hostname(host, port: port))
    }
    defer { socket?.remove() }
    // The port may be known only once the server listens. No request is handled before that.
    let routes = Mutex<Routes?>(nil)
    // The shared group is never shut down, so connections may outlive the server.
    let group = MultiThreadedEventLoopGroup.singleton
    let channel = HTTP1Channel.Configuration(
      idleTimeout: Self.idleTimeout,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: Self.maximumHeaderBytes, maxHeaderListSize: Self.maximumHeaderBytes))
    let connections = Connections()
    let server = try HTTPServerBuilder.http1(configuration: channel).buildServer(
      configuration: ServerConfiguration(
        address: bindAddress, availableConnectionsDelegate: connections),
      eventLoopGroup: group, logger: logger
    ) { request, writer, channel in
      guard var routes = routes.withLock({ $0 }) else {
        preconditionFailure("requests are handled once the server runs")
      }
      // Hundreds of panels wake at midnight. Each ends its connection, and picture queues refuse what they cannot draw.
      let isPanel = panels?.path(below: request.uri.path) != nil
      let isCrowded = connections.count > Self.maximumConnections && !isPanel
      routes.guards = routes.guards.reached(at: channel.localAddress?.ipAddress)
      let seen = routes.guards.seen(request.head, from: channel.remoteAddress?.ipAddress)
      try await Self.respond(
        to: Request(head: seen, body: request.body), with: isCrowded ? nil : routes, frames: access.frames, writer)
    } onServerRunning: { channel in
      socket?.publish()
      let bound = address.bound(to: channel.localAddress?.port)
      let guards = Guard(address: bound, access)
      routes.withLock { $0 = Routes(page: page, guards: guards, pictures: pictures, panels: panels) }
      onStart(bound)
    }
    var configuration = ServiceGroupConfiguration(
      services: [.init(service: server)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = Self.longestEnd
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch {
      socket?.restoreMask()
      throw ListenError(error, at: address)
    }
  }

  /// - Parameter routes: nil: too many are connected.
  private static func respond(
    to request: Request, with routes: Routes?, frames: [String], _ writer: consuming ResponseWriter
  ) async throws {
    let answer =
      await routes?.answer(to: request) ?? Answer(.crowded, isPage: Routes.isPage(request))
    let response = answer.response(to: request.head, frames: frames)
    try await writer.write(response: response.head, body: response.body)
    // Otherwise the server would read the rest of the request, however long it is.
    if answer.endsConnection { throw CancellationError() }
  }
}

/// Counts the connections. The server's library would let further ones wait until others end, which may be never.
private struct Connections: AvailableConnectionsDelegate {
  private final class Count: Sendable { let value = Atomic(0) }

  private let open = Count()

  var count: Int { open.value.load(ordering: .relaxed) }

  func connectionOpened() { open.value.add(1, ordering: .relaxed) }

  func connectionClosed() { open.value.subtract(1, ordering: .relaxed) }

  /// With more, the process would run out of descriptors.
  func isAcceptingNewConnections() -> Bool { count < 512 }
}

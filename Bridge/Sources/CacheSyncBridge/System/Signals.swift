package import CacheSyncSystem
import Glibc

/// Handles SIGTERM and SIGINT on the bridge's thread.
@LoopActor
package enum Signals {
  /// A signal handler may write only to a descriptor that is already open (signal-safety(7)).
  private nonisolated(unsafe) static var writing: Int32 = -1

  /// Calls `handler` at SIGTERM and SIGINT instead of ending the process. A second SIGINT ends it at once.
  package static func trap(_ handler: @escaping EventLoop.Handler) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    writing = ends[1]
    let reading = ends[0]
    let isReceived = LoopActor.shared.loop.add(reading) {
      var byte: UInt8 = 0
      while read(reading, &byte, 1) == 1 {}
      handler()
    }
    // Otherwise the signals end the process as usual.
    guard isReceived != nil else { return }
    for number in [SIGTERM, SIGINT] { signal(number, Self.handle) }
  }

  /// The kernel calls it on any thread, so it cannot belong to an actor: Swift ends the process when an actor's
  /// function runs on another thread.
  private nonisolated static let handle: @Sendable @convention(c) (Int32) -> Void = { number in
    var byte: UInt8 = 1
    _ = write(Signals.writing, &byte, 1)
    if number == SIGINT { signal(SIGINT, SIG_DFL) }
  }
}

package import CacheSyncSystem
import Glibc

/// SIGTERM and SIGINT as something that can be waited for.
@LoopActor
package enum Signals {
  /// A signal handler may only write to what is open already (signal-safety(7)).
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
    LoopActor.shared.loop.add(reading) {
      var byte: UInt8 = 0
      while read(reading, &byte, 1) == 1 {}
      handler()
    }
    for number in [SIGTERM, SIGINT] { signal(number, Self.handle) }
  }

  /// The kernel calls it on any thread, so it belongs to no actor: the language would end a process whose handler does, when
  /// the thread is another one.
  private nonisolated static let handle: @Sendable @convention(c) (Int32) -> Void = { number in
    var byte: UInt8 = 1
    _ = write(Signals.writing, &byte, 1)
    if number == SIGINT { signal(SIGINT, SIG_DFL) }
  }
}

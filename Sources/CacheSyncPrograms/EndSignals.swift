import CLinux
import CacheSyncSystem
import Glibc
import Synchronization
import SystemPackage

/// The signals that end a program: SIGHUP, SIGINT, SIGQUIT and SIGTERM, except those that were ignored when it started.
public enum EndSignals {
  private static let writing = Mutex(())

  /// Delays them while a file is being written (``WholeFile``), so that they leave no temporary behind. Afterwards they
  /// end the program as usual.
  public static func waitForFiles() throws {
    try receive { number, _ in
      writing.withLock { _ -> Void in end(by: number) }
    }
  }

  /// Calls a closure on the loop's thread at the first SIGINT or SIGTERM, instead of ending the program.
  ///
  /// A second SIGINT ends the program at once, even if the loop's thread is blocked. SIGHUP and SIGQUIT end it as
  /// usual. A signal that was ignored when the program started stays ignored.
  public static func trap(_ handler: @escaping @LoopActor @Sendable () -> Void) throws {
    try receive { number, before in
      switch number {
      case SIGTERM: break
      case SIGINT where !before.contains(SIGINT): break
      default: end(by: number)
      }
      if before.isEmpty { LoopActor.perform(handler) }
    }
  }

  /// Calls a closure with each signal and those before it, on a thread of its own, so that no blocked thread delays it.
  private static func receive(_ body: @escaping @Sendable (_ number: Int32, _ before: Set<Int32>) -> Void) throws {
    let signals = clinux_catch_signals(false)
    guard signals >= 0 else { throw Failure("cannot catch signals: \(Errno(rawValue: errno))", .inputOutput) }
    let hasThread = SystemThread.start {
      unblockAll()
      var before: Set<Int32> = []
      while true {
        var descriptor = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
        let number = clinux_caught_signal(signals)
        if number == 0 { continue }
        body(number, before)
        before.insert(number)
      }
    }
    guard hasThread else {
      throw Failure("cannot create a thread: raise the limit of processes", .inputOutput)
    }
  }

  /// Ends the program with the default action of a signal.
  public static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    raise(number)
    unblockAll()
    exit(128 + number)
  }

  /// Lets this thread receive every signal, also those that were blocked when the program started.
  package static func unblockAll() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
  }

  static func hold<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    try writing.withLock { _ throws(Errno) in try body() }
  }
}

import CLinux
import CacheSync
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
    let signals = clinux_catch_signals()
    guard signals >= 0 else { throw Failure("cannot catch signals: \(Errno(rawValue: errno))", .inputOutput) }
    let hasThread = SystemThread.start {
      let number = clinux_caught_signal(signals)
      writing.withLock { _ in end(by: number) }
    }
    guard hasThread else {
      throw Failure("cannot create a thread: raise the limit of processes", .inputOutput)
    }
  }

  /// Ends the program with the default action of a signal.
  public static func end(by number: Int32) -> Never {
    var all = sigset_t()
    sigfillset(&all)
    signal(number, SIG_DFL)
    raise(number)
    sigprocmask(SIG_UNBLOCK, &all, nil)
    exit(128 + number)
  }

  static func hold<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    try writing.withLock { _ throws(Errno) in try body() }
  }
}

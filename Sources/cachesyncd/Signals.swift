import CacheSyncSystem
import Glibc

/// Signals that stay pending in the kernel until a thread reads them.
///
/// A program's first thread reads them and does nothing else. Every other thread may be blocked by a hanging disk or a
/// stopped terminal, and the signal must still end the process.
struct Signals {
  private var set = sigset_t()

  /// Blocks the signals, so that they do not end the process and stay pending until ``next(until:)``. Other threads
  /// inherit the mask, so this must run before the first of them starts.
  init(blocking signals: Int32...) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal, including one that is already pending.
  ///
  /// - Parameter deadline: when to stop waiting; nil waits without a limit.
  /// - Returns: the signal; nil when none arrived in time.
  func next(until deadline: Uptime? = nil) -> Int32? {
    var set = set
    while true {
      let signal: Int32
      if let deadline {
        let rest = max(0, deadline.nanoseconds - Uptime.now().nanoseconds)
        var length = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
        signal = sigtimedwait(&set, nil, &length)
      } else {
        signal = sigwaitinfo(&set, nil)
      }
      if signal > 0 { return signal }
      // Stopping and continuing the process also ends the wait, with EINTR (signal(7)).
      if errno == EAGAIN { return nil }
    }
  }
}

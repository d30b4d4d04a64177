import CacheSync
package import CacheSyncSystem
import Glibc

/// Signals that wait in the kernel until a thread takes them.
///
/// A program's first thread takes them and does nothing else: every other thread may be busy, with a disk that hangs or a
/// terminal that is stopped, and the signal must end the process all the same.
struct Signals {
  private var set = sigset_t()

  /// Keeps the signals from ending the process, and until ``next(until:)`` waiting. Other threads inherit that, so this comes
  /// before the first of them.
  init(blocking signals: Int32...) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal, also one that came before.
  ///
  /// - Parameter deadline: nil: waits for as long as it takes.
  /// - Returns: nil when none came in time.
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
      // Stopping and continuing the process ends the wait too, with EINTR (signal(7)).
      if errno == EAGAIN { return nil }
    }
  }
}

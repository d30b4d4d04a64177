import CacheSync
import Glibc

/// Signals that a thread of their own takes, so that they are heard while every other thread is busy.
///
/// Dispatch's signal sources are not used: the threads that serve them ask for a priority that only root may have, and
/// libdispatch complains of the refusal in the journal at every start. The thread here sleeps in the kernel until a signal comes.
struct Signals {
  private var set = sigset_t()

  /// Keeps the signals from ending the process, and until ``receive(_:)`` waiting. Other threads inherit that, so this comes
  /// before the first of them.
  init(blocking signals: Int32...) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Calls a closure for each signal from now on, also for those that wait, on the thread of the signals.
  func receive(_ handler: @escaping @Sendable (Int32) -> Void) {
    let hasThread = SystemThread.start { [set] in
      while true {
        var (set, signal) = (set, Int32(0))
        if sigwait(&set, &signal) == 0 { handler(signal) }
      }
    }
    precondition(hasThread, "cannot create a thread: raise the limit of processes")
  }
}

import Glibc

/// Threads for work that blocks in the kernel: Swift's shared threads must not block.
package enum SystemThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that ends with the work; false when the system provides no thread. The thread receives no signals:
  /// the program's own threads handle those.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    // A new thread inherits the signal mask of its creator (pthread_create(3)).
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let result = pthread_create(
      &thread, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

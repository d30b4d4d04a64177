import Glibc

/// Lets one thread wait until others have come so far (sem_overview(7)).
package final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init(_ count: UInt32 = 0) {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, count)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func post() { sem_post(semaphore) }

  package func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }
}

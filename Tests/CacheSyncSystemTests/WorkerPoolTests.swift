import CacheSyncSystem
import Dispatch
import TestSupport
import Testing

@Suite("Work that several threads share")
struct WorkerPoolTests {
  /// A pool has no threads if the system provides none. Disks have three.
  @Test("Each part has one outcome, in the order of the parts", arguments: [0, 1, 3], [0, 1, 2, 3, 4, 1000])
  func order(threads: Int, parts: Int) {
    let pool = WorkerPool(maximumThreads: threads)
    let counts = Journal()
    let outcomes = pool.begin(parts) { index in
      counts.add("\(index)")
      return index * index
    }.results()
    #expect(outcomes == (0..<parts).map { $0 * $0 })
    #expect(counts.lines.compactMap { Int($0) }.sorted() == Array(0..<parts))
  }

  @Test("Work runs while the caller continues, and a pool runs several works at a time")
  func several() {
    let pool = WorkerPool()
    let begun = (0..<20).map { work in pool.begin(50, isComputing: work.isMultiple(of: 2)) { work * 100 + $0 } }
    for (work, shared) in begun.enumerated().reversed() {
      #expect(shared.results() == (0..<50).map { work * 100 + $0 })
    }
  }

  @Test("Threads begin the work before the caller asks for its results")
  func begunAtOnce() {
    let pool = WorkerPool()
    let started = DispatchSemaphore(value: 0)
    let work = pool.begin(2) { index in
      started.signal()
      return index
    }
    started.wait()
    #expect(work.results() == [0, 1])
  }

  @Test("Work ends even if its pool is released meanwhile")
  func poolGoes() {
    var pool: WorkerPool? = WorkerPool()
    let work = pool?.begin(100) { $0 }
    pool = nil
    #expect(work?.results() == Array(0..<100))
  }

  @Test("Finished work keeps nothing that a part held")
  func release() {
    final class Held: Sendable {}
    weak var held: Held?
    let pool = WorkerPool()
    do {
      let object = Held()
      held = object
      let work = pool.begin(10) { [object] _ in ObjectIdentifier(object).hashValue }
      _ = work.results()
    }
    #expect(held == nil)
  }
}

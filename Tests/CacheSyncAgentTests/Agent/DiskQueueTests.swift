import CacheSync
import CacheSyncSystem
import Dispatch
import Testing
import TestSupport

@testable import CacheSyncAgent
@testable import CacheSyncPublishing

@Suite("The queue of a disk")
@LoopActor
struct DiskQueueTests {
  private let done = Journal()
  private let clock = FixedClock(instant: .referenceDate)
  private let queue: DiskQueue

  init() throws {
    queue = DiskQueue(try #require(Disk()), clock: clock, uptime: SystemUptimeClock()) { [done] reports in
      done.add(reports.keys.map(\.description).sorted().joined(separator: " "))
    }
  }

  /// Keeps the disk's thread busy until the semaphore is signalled.
  private func occupy() -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    queue.run { _ in
      end.wait()
      return [:]
    }
    return end
  }

  /// Waits until the disk has finished its earlier work, and returns the batch that is then in progress.
  private func batchAfterwards() async -> Set<CachePath> {
    await withCheckedContinuation { end in
      queue.run({ _ in [:] }, then: { [queue] in end.resume(returning: queue.underWay) })
    }
  }

  @Test("Caches that are added before a batch begins form one batch, each once, and the next batch begins by itself")
  func batches() async {
    let (a, b) = (CachePath("/a"), CachePath("/b"))
    let end = occupy()
    queue.add(a)
    queue.add(b)
    queue.add(a)
    #expect(queue.underWay.isEmpty, "nothing begins by itself")
    queue.begin()
    #expect(queue.underWay == [a, b])
    queue.add(a)
    queue.begin()
    #expect(queue.underWay == [a, b], "one batch at a time")
    end.signal()
    #expect(await batchAfterwards() == [a], "the next one was begun when the first had ended")
    #expect(await batchAfterwards() == [])
  }

  @Test("A batch has at most 512 caches, in the order in which they were added")
  func largestBatch() async {
    let paths = (0..<600).map { CachePath("/\($0)") }
    for path in paths { queue.add(path) }
    let end = occupy()
    queue.begin()
    #expect(queue.underWay == Set(paths.prefix(512)))
    end.signal()
    #expect(await batchAfterwards() == Set(paths.dropFirst(512)))
    #expect(await batchAfterwards() == [])
  }

  @Test("Work runs in order, each piece is reported when it ends, and the queue knows since when the disk is busy")
  func order() async {
    #expect(queue.busySince == nil)
    let end = occupy()
    #expect(queue.busySince == clock.instant)
    for name in ["/a", "/b"] {
      queue.run({ _ in [CachePath(name): CacheReport()] }, then: { [done] in done.add("then \(name)") })
    }
    #expect(done.lines.isEmpty)
    end.signal()
    _ = await batchAfterwards()
    #expect(done.lines.prefix(5) == ["", "then /a", "/a", "then /b", "/b"] && queue.busySince == nil)
  }
}

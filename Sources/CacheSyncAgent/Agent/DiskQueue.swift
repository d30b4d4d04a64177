import CacheSync
package import CacheSyncSystem

/// The agent's side of one disk: queues passes over its caches, and runs them on the disk's thread a batch at a time.
@LoopActor
final class DiskQueue {
  let disk: Disk
  private let clock: any WallClock
  private let finished: @LoopActor ([CachePath: CacheReport]) -> Void
  /// The caches to make passes over, in the order in which they were added, each once.
  private var waiting: [CachePath] = []
  /// When each of them was added.
  private var added: [CachePath: Uptime] = [:]
  /// The caches of the batch that is under way.
  private(set) var underWay: Set<CachePath> = []
  /// When each piece of work began that the disk has not finished, oldest first.
  private var began: [Instant] = []

  /// The most caches in a batch. Readers see none of them before all are on disk, and other work for the disk waits as long. A
  /// judgement: about a quarter of a second's work.
  private static let maximumBatch = 512

  init(_ disk: Disk, clock: any WallClock, finished: @escaping @LoopActor ([CachePath: CacheReport]) -> Void) {
    self.disk = disk
    self.clock = clock
    self.finished = finished
  }

  /// Since when the disk has unfinished work; nil when it has none.
  var busySince: Instant? { began.first }

  /// Queues a pass over a cache, once however often it is added.
  func add(_ path: CachePath) {
    guard added[path] == nil else { return }
    added[path] = Uptime.now()
    waiting.append(path)
  }

  /// Begins the next batch, unless one is under way.
  func begin() {
    guard underWay.isEmpty, !waiting.isEmpty else { return }
    let batch = waiting.prefix(Self.maximumBatch).map { path in
      Disk.Pass(path: path, requestedAt: added.removeValue(forKey: path) ?? Uptime.now())
    }
    waiting.removeFirst(batch.count)
    underWay = Set(batch.map(\.path))
    run({ $0.process(batch) }, then: { self.underWay = [] })
  }

  /// Runs a closure on the disk's thread, after the ones before it. Then the agent's thread gets the reports that it returns.
  func run(
    _ body: @escaping @Sendable (isolated Disk) -> [CachePath: CacheReport],
    then: @escaping @LoopActor @Sendable () -> Void = {}
  ) {
    began.append(clock.now())
    disk.perform { disk in
      let reports = body(disk)
      LoopActor.perform {
        self.began.removeFirst()
        then()
        self.finished(reports)
        self.begin()
      }
    }
  }
}

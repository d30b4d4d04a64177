import CacheSync
import CacheSyncSystem

/// Queues passes over the caches of one disk for the agent, and runs them in batches on the disk's thread.
@LoopActor
final class DiskQueue {
  let disk: Disk
  private let clock: any WallClock
  private let uptime: any UptimeClock
  private let finished: @LoopActor ([CachePath: CacheReport]) -> Void
  /// The caches that need a pass, in the order in which they were added, each once.
  private var waiting: [CachePath] = []
  /// When each waiting cache was added.
  private var added: [CachePath: Uptime] = [:]
  /// The caches of the current batch.
  private(set) var underWay: Set<CachePath> = []
  /// When each unfinished piece of work began, oldest first.
  private var began: [Instant] = []

  /// The most caches in a batch, about a quarter of a second's work.
  ///
  /// A larger batch shares its flushes among more caches. But readers see none of its snapshots before all are on disk,
  /// and other work for the disk waits as long.
  private static let maximumBatch = 512

  init(
    _ disk: Disk, clock: any WallClock, uptime: any UptimeClock,
    finished: @escaping @LoopActor ([CachePath: CacheReport]) -> Void
  ) {
    self.disk = disk
    self.clock = clock
    self.uptime = uptime
    self.finished = finished
  }

  /// Since when the disk has unfinished work; nil when it has none.
  var busySince: Instant? { began.first }

  /// Queues a pass over a cache; a cache that is queued already is ignored.
  func add(_ path: CachePath) {
    guard added[path] == nil else { return }
    added[path] = uptime.now()
    waiting.append(path)
  }

  /// Begins the next batch, unless one is in progress.
  func begin() {
    guard underWay.isEmpty, !waiting.isEmpty else { return }
    let batch = waiting.prefix(Self.maximumBatch).map { path in
      Disk.Pass(path: path, requestedAt: added.removeValue(forKey: path) ?? uptime.now())
    }
    waiting.removeFirst(batch.count)
    underWay = Set(batch.map(\.path))
    run({ $0.process(batch) }, then: { self.underWay = [] })
  }

  /// Runs a closure on the disk's thread, after those before it. Then passes the reports that it returns to the agent's
  /// thread.
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

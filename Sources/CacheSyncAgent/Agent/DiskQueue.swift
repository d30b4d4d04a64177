import CacheSync

/// What the agent's thread wants of a disk's: passes over caches, a batch at a time, and answers.
@AgentActor
final class DiskQueue {
  let disk: Disk
  private let clock: any WallClock
  private let finished: @AgentActor ([CachePath: CacheReport]) -> Void
  /// In the order in which they came, each once.
  private var waiting: [CachePath] = []
  private var isWaiting: Set<CachePath> = []
  /// The caches that a pass is under way for.
  private(set) var underWay: Set<CachePath> = []
  /// When the work that is not done yet began, oldest first.
  private var began: [Instant] = []

  /// The most caches in a batch: none of them is seen before all are on disk, and what else happened on the disk waits so
  /// long. A judgement: about a quarter of a second's work.
  private static let maximumBatch = 512

  init(_ disk: Disk, clock: any WallClock, finished: @escaping @AgentActor ([CachePath: CacheReport]) -> Void) {
    self.disk = disk
    self.clock = clock
    self.finished = finished
  }

  /// Since when the disk has not done what was asked of it; nil when it has done it all.
  var busySince: Instant? { began.first }

  /// Has a pass made over a cache, with others that wait for one.
  func add(_ path: CachePath) { if isWaiting.insert(path).inserted { waiting.append(path) } }

  /// Begins with the caches that wait, unless a batch is under way.
  func begin() {
    guard underWay.isEmpty, !waiting.isEmpty else { return }
    let batch = Array(waiting.prefix(Self.maximumBatch))
    waiting.removeFirst(batch.count)
    isWaiting.subtract(batch)
    underWay = Set(batch)
    run({ $0.process(batch) }, then: { self.underWay = [] })
  }

  /// Does something on the disk's thread, after what was asked of it before, and takes note of how its caches are then.
  func run(
    _ body: @escaping @Sendable (isolated Disk) -> [CachePath: CacheReport],
    then: @escaping @AgentActor @Sendable () -> Void = {}
  ) {
    began.append(clock.now())
    disk.perform { disk in
      let reports = body(disk)
      AgentActor.perform {
        self.began.removeFirst()
        then()
        self.finished(reports)
        self.begin()
      }
    }
  }
}

/// Publishes many caches at once, as at their common midnight: all is written, each file system flushed once, all renamed, and
/// the directories flushed once.
@AgentActor
enum SharedPublication {
  /// From this many caches on, flushing the whole file system once costs less than flushing each file.
  static let minimumCount = 4
  /// The most that share them: none of them is seen before all are on disk, and each has a directory open until then,
  /// beside the few files that are being read and written. A judgement: about half a second's work.
  static let maximumCount = max(minimumCount, min(2048, DescriptorReserve.count - 16))
  /// So many are written by other threads while the next are computed. A judgement: what is computed and not written stays in
  /// memory, and a thread that is called for less would cost more than it does.
  private static let portionCount = 64

  private typealias Prepared = (cache: ServedCache, publication: PendingPublication)

  static func process(_ batch: ArraySlice<ServedCache>) {
    let written = written(batch)
    let failures = flushFileSystems(of: written)
    var finished: [Prepared] = []
    for prepared in written {
      if let failure = failures[prepared.publication.device] {
        giveUp(prepared, because: failure)
      } else if prepared.cache.finish(prepared.publication) {
        finished.append(prepared)
      } else {
        prepared.publication.giveUp()
      }
    }
    let laterFailures = flushFileSystems(of: finished)
    for (cache, publication) in finished {
      if let failure = laterFailures[publication.device] {
        cache.abandon(because: failure, isPublished: true)
      } else {
        cache.noteSharedFlush()
      }
    }
  }

  private static func giveUp(_ prepared: Prepared, because failure: PublishError) {
    prepared.publication.giveUp()
    if failure.isLackOfSpace { prepared.cache.publishAlone() } else { prepared.cache.abandon(because: failure) }
  }

  /// What is new in the caches, written beside its place.
  private static func written(_ batch: ArraySlice<ServedCache>) -> [Prepared] {
    var written: [Prepared] = []
    var portion: [Prepared] = []
    var writing: SharedWork<PublishError?>?
    func finish() {
      for (prepared, failure) in zip(portion, writing?.finish() ?? []) {
        if let failure { giveUp(prepared, because: failure) } else { written.append(prepared) }
      }
    }
    for start in stride(from: batch.startIndex, to: batch.endIndex, by: Self.portionCount) {
      let next = batch[start...].prefix(Self.portionCount).compactMap { cache in cache.prepare().map { (cache, $0) } }
      finish()
      let publications = next.map(\.1)
      portion = next
      writing = DiskWorkers.shared.share(publications.count, with: DiskWorkers.computingCount) {
        publications[$0].failureOfWriting()
      }
    }
    finish()
    return written
  }

  /// Flushes every file system on which something was written; returns those that failed.
  private static func flushFileSystems(of prepared: [Prepared]) -> [UInt64: PublishError] {
    var failures: [UInt64: PublishError] = [:]
    var flushed: Set<UInt64> = []
    for (_, publication) in prepared where flushed.insert(publication.device).inserted {
      failures[publication.device] = PublishError.caught(publication.flushFileSystem)
    }
    return failures
  }
}

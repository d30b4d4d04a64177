import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

/// Waits until the work that `begin` starts reports its end, then closes the engine. Only the first end counts.
@LoopActor
func untilEnd(
  of engine: Engine,
  _ begin: (_ finish: @escaping @LoopActor @Sendable (ExitStatus, _ message: String?) -> Void) throws -> Void
) async -> ExitStatus {
  await withCheckedContinuation { continuation in
    var isOver = false
    let finish: @LoopActor @Sendable (ExitStatus, String?) -> Void = { status, message in
      guard !isOver else { return }
      isOver = true
      if let message { Terminal.error(message) }
      engine.close()
      continuation.resume(returning: status)
    }
    do {
      try begin(finish)
    } catch {
      let failure = Failure(error)
      finish(failure.status, failure.description)
    }
  }
}

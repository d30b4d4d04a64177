import CacheSync
import CacheSyncBridge
import CacheSyncPrograms
import CacheSyncSystem

/// Waits until what `begin` starts says that it is over, and closes the engine then. The first end counts.
@LoopActor
func untilEnd(
  of engine: Engine,
  _ begin: (_ finish: @escaping @LoopActor @Sendable (ExitStatus, _ message: String?) -> Void) -> Void
) async -> ExitStatus {
  await withCheckedContinuation { continuation in
    var isOver = false
    begin { status, message in
      guard !isOver else { return }
      isOver = true
      if let message { Terminal.error(message) }
      engine.close()
      continuation.resume(returning: status)
    }
  }
}

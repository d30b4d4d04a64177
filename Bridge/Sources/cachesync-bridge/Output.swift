package import CacheSyncBridge
import CacheSyncPrograms
package import CacheSyncSystem

extension EngineError: ErrorWithStatus {
  package var status: ExitStatus {
    switch self {
    case .notConnected, .noResponders, .cannotConnect: .unavailable
    case .unanswered, .wrongLastSequence: .temporaryFailure
    case .notPermitted: .noPermission
    case .tooLarge: .invalidData
    case .refused, .unreadable: .inputOutput
    }
  }
}

extension Credentials.Failure: ErrorWithStatus {
  package var status: ExitStatus {
    switch self {
    case .unreadable: .noInput
    case .isOpen: .noPermission
    case .unknown: .configuration
    }
  }
}

/// Runs a command's body on the bridge's thread, and turns an error into a message and an exit status.
func reporting(_ body: @escaping @LoopActor @Sendable () async throws -> ExitStatus) throws {
  try CacheSyncPrograms.reporting { try LoopActor.run(body) }
}

/// Waits until the work that `begin` starts reports its end, then closes the engine. Only the first end counts.
@LoopActor
func untilEnd(
  of engine: Engine,
  _ begin: (_ finish: @escaping @LoopActor @Sendable (Failure?) -> Void) throws -> Void
) async -> ExitStatus {
  await withCheckedContinuation { continuation in
    var isOver = false
    let finish: @LoopActor @Sendable (Failure?) -> Void = { failure in
      guard !isOver else { return }
      isOver = true
      if let failure { Terminal.error(failure.description) }
      engine.close()
      continuation.resume(returning: failure?.status ?? .success)
    }
    do {
      try begin(finish)
    } catch {
      finish(Failure(error))
    }
  }
}

package import CacheSync

/// What only `cachesyncd` can tell of a cache.
package struct CacheQuestions: Sendable {
  private let shown: @Sendable (Instant) async throws -> [Snapshot]
  private let status: @Sendable () async throws -> StatusPanel.Agent

  /// - Parameters:
  ///   - shown: the snapshots of another moment, computed from the files as they are now.
  ///   - status: how the agent is.
  package init(
    shown: @escaping @Sendable (Instant) async throws -> [Snapshot],
    status: @escaping @Sendable () async throws -> StatusPanel.Agent
  ) {
    self.shown = shown
    self.status = status
  }

  /// The program takes 5 s at most to tell how the agent is, and seconds to compute a hundred thousand files; on a disk that
  /// hangs it would take for ever.
  private static let patience = Duration.seconds(20)

  /// Why there was no answer.
  struct NoAnswer: Error, CustomStringConvertible {
    var description: String {
      "cachesyncd gave no answer within \(CacheQuestions.patience): see whether the disk hangs"
    }
  }

  func snapshots(at moment: Instant) async throws -> [Snapshot] {
    try await withTimeLimit(Self.patience, { try await shown(moment) }, orThrow: { NoAnswer() })
  }

  func agent() async -> StatusPanel.Agent {
    do {
      return try await withTimeLimit(Self.patience, status, orThrow: { NoAnswer() })
    } catch {
      return .unknown("\(error)")
    }
  }
}

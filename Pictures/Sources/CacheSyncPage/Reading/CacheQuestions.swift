package import CacheSync

/// Questions about a cache that only `cachesyncd` can answer.
package struct CacheQuestions: Sendable {
  private let shown: @Sendable (Instant) async throws -> [Snapshot]
  private let status: @Sendable () async throws -> StatusPanel.Agent
  private let printed: @Sendable (Printed) async throws -> [UInt8]

  /// What `cachesyncd` prints for other programs.
  package enum Printed: Sendable {
    /// `kinds --json`
    case kinds
    /// `screens --json`
    case screens
    /// `status --prometheus`
    case metrics
    /// `export FEED`
    case calendar(feed: String)
  }

  /// The cache has no such feed, or the feed has no calendar.
  package struct NoSuch: Error { package init() {} }

  /// - Parameters:
  ///   - shown: computes the snapshots of another moment from the current files.
  ///   - status: checks the agent's status.
  ///   - printed: what `cachesyncd` prints; throws ``NoSuch``.
  package init(
    shown: @escaping @Sendable (Instant) async throws -> [Snapshot],
    status: @escaping @Sendable () async throws -> StatusPanel.Agent,
    printed: @escaping @Sendable (Printed) async throws -> [UInt8]
  ) {
    self.shown = shown
    self.status = status
    self.printed = printed
  }

  /// `cachesyncd` needs at most 5 s for the agent's status, and seconds for a hundred thousand files. On a disk that
  /// hangs it would never end.
  private static let patience = Duration.seconds(20)

  struct NoAnswer: Error, CustomStringConvertible {
    var description: String {
      "cachesyncd gave no answer within \(CacheQuestions.patience): see whether the disk hangs"
    }
  }

  func snapshots(at moment: Instant) async throws -> [Snapshot] {
    try await withTimeLimit(Self.patience, { try await shown(moment) }, orThrow: { NoAnswer() })
  }

  func output(_ printed: Printed) async throws -> [UInt8] {
    let work = self.printed
    return try await withTimeLimit(Self.patience, { try await work(printed) }, orThrow: { NoAnswer() })
  }

  func agent() async -> StatusPanel.Agent {
    do {
      return try await withTimeLimit(Self.patience, status, orThrow: { NoAnswer() })
    } catch {
      return .unknown("\(error)")
    }
  }
}

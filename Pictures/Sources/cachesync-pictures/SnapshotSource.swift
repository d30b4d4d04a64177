import CacheSync
import CacheSyncPictures
import CacheSyncPrograms
import CacheSyncSystem

enum SnapshotSource: Sendable {
  /// The agent's program, which computes them from a cache. Without a time: now.
  case cache(CachesyncdProgram, time: Instant?)
  /// The samples that the library has of every kind, with these options.
  case samples([String: String])

  /// The moment that decides which entries are in force.
  var moment: Instant {
    switch self {
    case .cache(_, let time): time ?? .now
    case .samples: Snapshot.sampleMoment
    }
  }

  func screens() async throws -> [ScreenPlan] {
    guard case .cache(let agent, _) = self else { return [] }
    return try await agent.screens().sorted { $0.key < $1.key }.map(\.value)
  }

  /// - Parameter kinds: empty: all.
  func snapshots(of kinds: [String] = []) async throws -> [Snapshot] {
    switch self {
    case .cache(let agent, let time): return try await agent.show(kinds, at: time.map { "\($0)" })
    case .samples(let options):
      do {
        let names = kinds.isEmpty ? KnownKind.all.map(\.name) : kinds
        return try names.map { try Snapshot.sample(of: $0, options: options) }
      } catch let error as SampleError {
        throw Failure(error.description, .usage)
      }
    }
  }
}

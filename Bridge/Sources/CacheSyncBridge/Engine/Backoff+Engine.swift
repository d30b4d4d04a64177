package import CacheSyncSystem

extension Backoff {
  /// For calls of the engine: 0.1 s to 10 s, so that the clients of a lost engine do not all come back at once.
  package static var engine: Backoff { Backoff(from: .milliseconds(100), to: .seconds(10), isSpread: true) }
}

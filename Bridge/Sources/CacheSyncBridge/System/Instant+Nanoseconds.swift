package import CacheSync

extension Instant {
  /// Nanoseconds since 1970, the unit of the versions of keys in the engine.
  package var nanoseconds: Int64 { microseconds * 1_000 }
}

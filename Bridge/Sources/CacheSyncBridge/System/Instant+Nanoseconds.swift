package import CacheSync

extension Instant {
  /// Nanoseconds since 1970, the unit of the versions of keys in the engine.
  package var nanoseconds: Int64 {
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? (microseconds < 0 ? .min : .max) : nanoseconds
  }
}

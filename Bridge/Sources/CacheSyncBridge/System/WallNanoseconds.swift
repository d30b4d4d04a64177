import Glibc

/// The wall clock in nanoseconds since 1970, which are the versions of keys in the engine. `Instant` has microseconds.
package enum WallNanoseconds {
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

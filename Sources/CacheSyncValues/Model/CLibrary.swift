// All that computes without the system uses of the C library, which no other such file imports.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin  // Untried: the library's system part is Linux alone.
#endif

/// Whether two places in memory have the same bytes.
@inline(__always)
func isSameMemory(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool { memcmp(a, b, count) == 0 }

/// The next line feed, at most `count` bytes away.
package func lineFeed(from place: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
  memchr(place, 0x0A, count).map { UnsafeRawPointer($0) }
}

/// `base` to the power of `exponent`.
package func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

import CMalloc

/// The C library's allocator, as the agent uses it too.
package enum Allocator {
  /// One heap instead of one for each thread: the bridge's work is on one thread, and every further heap stays resident.
  package static func tune() { mallopt(M_ARENA_MAX, 1) }

  /// Gives memory back that a burst of work took, and that the allocator would keep.
  static func release() { malloc_trim(0) }
}

import CMalloc

/// The C library's allocator.
enum Allocator {
  /// Gives memory back that a burst of work took, and that the allocator would keep.
  static func release() { malloc_trim(0) }
}

import CLinux

/// Gives all threads one heap, for a program of several threads of which few allocate at once: every further heap stays
/// resident. To be called before there is a second thread.
public func useOneHeap() { clinux_tune_allocator() }

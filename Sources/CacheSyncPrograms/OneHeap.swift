import CLinux

/// Makes all threads share one heap, for a program of several threads that rarely allocate at once: every additional
/// heap stays resident. Call it before a second thread exists.
public func useOneHeap() { clinux_tune_allocator() }

import CacheSyncSystem

/// When to look again at a file that may be in the middle of its replacement: soon, then ever later, for a second in
/// total.
///
/// A rename over a file is not atomic for the readers of FUSE and network file systems (readers.md). For a moment the
/// name is missing or its handle is stale, or the text is cut off. All readers of the library and the programs doubt
/// such a finding for as long as this says.
package struct Rereading {
  private static let firstPause = Duration.milliseconds(2)
  private static let longestPause = Duration.milliseconds(100)

  /// The pauses and not the clock are counted, so that a program that runs rarely looks as often as any other.
  private var left = Duration.seconds(1)
  private var next = firstPause

  package init() {}

  /// How long to wait before the next look; nil: what the last look found is so.
  package mutating func pause() -> Duration? {
    let pause = min(next, left)
    guard pause > .zero else { return nil }
    left -= pause
    next = min(next * 2, Self.longestPause)
    return pause
  }

  /// Suspends the thread until it is time to look again; false: what the last look found is so.
  package mutating func wait() -> Bool {
    guard let pause = pause() else { return false }
    SystemSleep.sleep(until: Uptime.now().advanced(by: pause))
    return true
  }
}

package import CacheSyncSystem

/// Decides when to read everything again after the kernel dropped events.
///
/// The first overflow causes a rescan at once. Later pauses grow while the storm continues, because a rescan during a
/// storm causes the next overflow. The last rescan comes after the end of the storm.
package struct RescanBackoff: Sendable {
  package private(set) var due: Uptime?
  private var pause = Self.shortest
  private var lastSweep: Uptime?

  static let shortest = Duration.milliseconds(500)
  /// The longest pause. Longer ones would need fewer rescans in a storm. This one still shows a file whose event was
  /// dropped within 10 s, with time left for reading a large cache.
  static let longest = Duration.seconds(4)

  package var isWaiting: Bool { due != nil }

  package func isDue(_ now: Uptime) -> Bool { due.map { $0 <= now } ?? false }

  package mutating func overflowed(at now: Uptime) {
    guard let lastSweep, lastSweep.advanced(by: pause) > now else {
      pause = Self.shortest
      due = due ?? now
      return
    }
    due = due ?? lastSweep.advanced(by: pause)
  }

  package mutating func swept(at now: Uptime) {
    if due != nil {
      pause = lastSweep.map { $0.advanced(by: pause * 2) > now } ?? false ? min(pause * 2, Self.longest) : pause
      lastSweep = now
    }
    due = nil
  }
}
